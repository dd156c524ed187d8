/** Phones and browsers whose push services fail at a share: 429, 500, 503, gone, no answer. */
import { fakeApns, gone, refused } from "../../support/push/apns.ts";
import { authority } from "../../support/push/ca.ts";
import { fakePushService } from "../../support/push/webpush.ts";
import { apnsToken } from "../../support/devices.ts";
import type { Peal } from "../servers.ts";

export interface Phones extends AsyncDisposable {
  /** The settings with which a server pushes to them. */
  env: Record<string, string>;
  /** Registers all, as their apps do at each start: those that were called gone are back. */
  register(peal: Peal, topic: string): Promise<void>;
  /** Lets the next push to any of them fail, in turn by each kind of fault. */
  fail(): void;
  accepted(): number;
  refused(): number;
}

const EACH = 10;

export async function startPhones(): Promise<Phones> {
  const [apns, web] = await Promise.all([fakeApns(), fakePushService()]);
  const devices = [
    ...Array.from({ length: EACH }, () => ({ platform: "ios", token: apnsToken() })),
    ...Array.from({ length: EACH }, () => {
      const { endpoint: token, keys } = web.subscribe();
      return { platform: "web", token, keys };
    }),
  ];
  let turn = 0;
  const faults = [
    () => apns.script.once("*", refused("TooManyRequests")),
    () => web.script.once("*", { status: 429, headers: { "retry-after": "1" } }),
    () => apns.script.once("*", refused("InternalServerError")),
    () => web.script.once("*", { status: 503 }),
    () => apns.script.once("*", { kind: "silence" }),
    () => web.script.once("*", { kind: "silence" }),
    () => apns.script.once("*", gone(Date.now())),
    () => web.script.once("*", { status: 410 }),
    () => apns.script.once("*", { kind: "reset" }),
  ];
  const answers = { accepted: 0, refused: 0 };
  /** Counts what came, and lets it go: the memory of an hour would slow what measures. */
  const counted = () => {
    for (const { status } of [...apns.drain(), ...web.drain()])
      answers[status === 200 || status === 201 ? "accepted" : "refused"]++;
    return answers;
  };
  return {
    env: { NODE_EXTRA_CA_CERTS: authority.file, PEAL_LIMITS_REGISTER: "0", ...apns.env, ...web.env },
    register: async ({ url }, topic) => {
      counted();
      for (const device of devices) {
        const body = JSON.stringify({ ...device, topics: [{ namespace: "home", topic }] });
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${url}/v1/devices`, { method: "POST", headers, body });
        if (!answer.ok) throw new Error(`a registration was answered ${answer.status} ${await answer.text()}`);
        await answer.text();
      }
    },
    fail: () => {
      faults[turn++ % faults.length]?.();
    },
    accepted: () => counted().accepted,
    refused: () => counted().refused,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([apns[Symbol.asyncDispose](), web[Symbol.asyncDispose]()]);
    },
  };
}
