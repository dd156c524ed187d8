/** Thousands of iPhones, and what they show at the end. */
import { expect } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { apnsToken, deliveriesOf, register } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { type FakeApns, fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { type Options, type Peal, startPeal } from "../support/server.ts";

const REGISTER_AT_ONCE = 20;

interface Fleet extends AsyncDisposable {
  peal: Peal;
  apns: FakeApns;
  topic: TestTopic;
  /** Publishes, and resolves to the id once Apple has received more than `enough` pushes of it. */
  publish(message: string, enough: number): Promise<number>;
  counts(id: number): Promise<Record<string, number>>;
  /** Resolves once all devices have it, and expects no other outcome. */
  accepted(id: number): Promise<void>;
  /** Expects that each device shows each message once. */
  expectOnScreen(messages: readonly string[]): void;
}

/** Starts a server with `size` devices that subscribe to one topic. */
export async function fleet(size: number, options: Pick<Options, "dataDir"> = {}): Promise<Fleet> {
  const apns = await fakeApns();
  const env = { PEAL_LIMITS_REGISTER: "0", NODE_EXTRA_CA_CERTS: authority.file, ...apns.env };
  const peal = await startPeal({ env, ...options });
  const topic = await peal.topic("nas");
  const tokens = Array.from({ length: size }, () => apnsToken());
  await registerAll(peal, topic, tokens);
  const counts: Fleet["counts"] = async (id) => (await deliveriesOf(peal, topic, id, "?limit=1")).counts;
  return {
    ...{ peal, apns, topic, counts },
    publish: async (message, enough) => {
      const before = apns.received.length;
      const published = await peal.publish(topic, { message });
      if (published === null) throw new Error("the publish was refused");
      await eventually(`${enough} sends`, () => apns.received.length - before >= enough);
      return published.id;
    },
    accepted: async (id) => {
      for (let part = 1; part <= 4; part++)
        await eventually(`quarter ${part} of message ${id}`, async () => {
          const { accepted = 0 } = await counts(id);
          return accepted >= (part * size) / 4;
        });
      expect(await counts(id)).toMatchObject({ accepted: size, pending: 0, failed: 0, cancelled: 0, expired: 0 });
    },
    expectOnScreen: (messages) => {
      for (const token of tokens) {
        const bodies = apns.onScreen(token).map(({ aps }) => (aps as { alert: { body: string } }).alert.body);
        expect(bodies.toSorted()).toEqual(messages.toSorted());
        // a repeat has the same identity
        expect(new Set(apns.accepted(token).map(({ id }) => id)).size).toBe(messages.length);
      }
    },
    [Symbol.asyncDispose]: async () => {
      await peal[Symbol.asyncDispose]();
      await apns[Symbol.asyncDispose]();
    },
  };
}

async function registerAll(peal: Peal, topic: TestTopic, tokens: readonly string[]): Promise<void> {
  const left = [...tokens];
  const worker = async () => {
    for (let token = left.pop(); token !== undefined; token = left.pop())
      await register(peal, { platform: "ios", token }, [topic]);
  };
  await Promise.all(Array.from({ length: REGISTER_AT_ONCE }, worker));
}
