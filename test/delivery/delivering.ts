/** A server in the test's process that pushes to fakes of all push services, on a clock that the test moves. */
import type { REGISTERED } from "../../src/devices/device.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { type HeldClock, heldClock } from "../support/clock.ts";
import { apnsToken, deliveriesOf, fcmToken, register, type TestDelivery } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { keptLog } from "../support/log.ts";
import { type FakeApns, fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { type FakeFcm, fakeFcm } from "../support/push/fcm.ts";
import { type FakePushService, fakePushService } from "../support/push/webpush.ts";
import { inProcess, type InProcess } from "../support/server.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
/** The limit, because some pushes are never answered. */
const MOST_LOOKS = 100;

export interface Delivering extends AsyncDisposable {
  readonly peal: InProcess;
  readonly clock: HeldClock;
  readonly apns: FakeApns;
  readonly fcm: FakeFcm;
  readonly web: FakePushService;
  /** Lines of the log so far. */
  readonly logs: readonly string[];
  /** Registers a device that subscribes to the topics. */
  device(
    platform: (typeof REGISTERED)[number],
    topics: readonly TestTopic[],
    more?: object,
  ): Promise<{ id: string; token: string }>;
  /** Publishes and resolves to the id of the message. */
  publish(topic: TestTopic, message: string, more?: object): Promise<number>;
  /** Resolves once the message has deliveries and `is` holds for each of them. */
  when(topic: TestTopic, id: number, is: (delivery: TestDelivery) => boolean): Promise<TestDelivery[]>;
  /** Resolves once all of these messages are in that state. */
  all(state: string, topic: TestTopic, ...ids: number[]): Promise<unknown>;
  /** Advances the time in steps of 5 s, and lets the server do its work at each; an answer may take three of them. */
  pass(ms: number): Promise<void>;
  /** Advances the time in steps of 5 s until `look` returns something; `mostMs`: at most by this much. */
  until<T>(what: string, look: () => T | Promise<T>, mostMs?: number): Promise<NonNullable<T>>;
  health(): Promise<{ status: string; push: string; problems: string[] }>;
}

interface Options {
  env?: Record<string, string>;
  /** By how much the server's clock is ahead of that of the push services. */
  skewMs?: number;
  /** How much time passes between two looks at the clock, as on a slow machine. */
  stepMs?: number;
  /** Runs before the server starts. */
  prepare?: (fakes: Pick<Delivering, "apns" | "fcm" | "web">) => Promise<unknown>;
}

export async function delivering({ env = {}, skewMs = 0, stepMs = 0, prepare }: Options = {}): Promise<Delivering> {
  const start = Date.UTC(2026, 0, 15, 12);
  const held = heldClock(start + skewMs);
  let steps = 0;
  const clock = { ...held, monotonic: () => held.monotonic() + steps++ * stepMs };
  const told = { clock: { ...held, now: () => start + Math.round(held.monotonic()) } };
  const [apns, fcm, web] = await Promise.all([fakeApns(told), fakeFcm(told), fakePushService(told)]);
  await prepare?.({ apns, fcm, web });
  const { log, lines: logs } = keptLog(clock);
  const peal = await inProcess({
    ...{ clock, log, ca: authority.cert },
    env: { PEAL_LIMITS_REGISTER: "0", ...apns.env, ...fcm.env, ...web.env, ...env },
  });
  const when: Delivering["when"] = async (topic, id, is) =>
    eventually(`the deliveries of message ${id}`, async () => {
      const { deliveries } = await deliveriesOf(peal, topic, id);
      return deliveries.length > 0 && deliveries.every(is) ? deliveries : undefined;
    });
  const { delivery } = peal.running.deps;
  const pass: Delivering["pass"] = async (ms) => {
    for (let left = ms; left > 0; left -= 5 * SECOND) {
      clock.advance(Math.min(5 * SECOND, left));
      // lets the server work, and what is in flight on loopback arrive
      for (let n = 0; n < 3 || (n < MOST_LOOKS && delivery.isAtWork()); n++) await peal.request("/ready");
    }
  };
  return {
    ...{ peal, clock, apns, fcm, web, logs, when, pass },
    until: async (what, look, mostMs = Infinity) => {
      const begun = clock.monotonic();
      return eventually(what, async () => {
        const seen = await look();
        if (seen !== undefined && seen !== null && seen !== false) return seen;
        if (clock.monotonic() - begun < mostMs) await pass(5 * SECOND);
        return undefined;
      });
    },
    device: async (platform, topics, more = {}) => {
      const { endpoint, keys } = web.subscribe(peal.running.deps.delivery.vapidPublicKey);
      const token = { ios: apnsToken(), android: fcmToken(), web: endpoint }[platform];
      const { id } = await register(peal, { platform, token, ...(platform === "web" && { keys }), ...more }, topics);
      return { id, token };
    },
    publish: async (topic, message, more = {}) => {
      const published = await peal.publish(topic, { message, ...more });
      if (published === null) throw new Error("the publish was refused");
      return published.id;
    },
    all: async (state, topic, ...ids) =>
      Promise.all(ids.map(async (id) => when(topic, id, (delivery) => delivery.state === state))),
    health: async () => {
      const { status, checks, problems = [] } = await answer<Health>(200, await peal.request("/health"));
      return { status, push: checks.push, problems };
    },
    [Symbol.asyncDispose]: async () => {
      await peal[Symbol.asyncDispose]();
      await Promise.all([apns, fcm, web].map(async (fake) => fake[Symbol.asyncDispose]()));
    },
  };
}

/** Whether all deliveries of the message, at least one, are accepted. */
export async function isAccepted(at: Delivering, topic: TestTopic, id: number): Promise<boolean> {
  const { deliveries } = await deliveriesOf(at.peal, topic, id);
  return deliveries.length > 0 && deliveries.every(({ state }) => state === "accepted");
}

interface Health {
  status: string;
  checks: { push: string };
  problems?: string[];
}

/** The messages in the topic for operators. */
export async function heardOf(
  at: Delivering,
): Promise<{ status: unknown; title: unknown; message: string; dedup_key: unknown }[]> {
  const { topics } = (await (await at.peal.api("GET", "/v1/home/topics")).json()) as {
    topics: { name: string; topic: string }[];
  };
  const peal = topics.find(({ name }) => name === "peal");
  if (peal === undefined) return [];
  const messages = await at.peal.history({ namespace: "home", key: peal.topic });
  return messages.map(({ status, title, message, dedup_key }) => ({ status, title, message, dedup_key }));
}
