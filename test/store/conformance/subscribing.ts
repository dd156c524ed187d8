/** Devices for the conformance suite, and a plan that is as simple as a case needs, because the store has none. */
import type { Pending } from "../../../src/delivery/delivery.ts";
import type { Device } from "../../../src/devices/device.ts";
import { draftOf } from "../../../src/messages/message.ts";
import type { Plan, Settled } from "../../../src/store/deliveries.ts";
import type { NewDevice, Registered } from "../../../src/store/devices.ts";
import type { Topic, TopicOfMessage } from "../../../src/topics/topic.ts";
import type { HeldClock } from "../../support/clock.ts";
import { bench, type Bench, type Caps, type OpenEngine } from "./engine.ts";

export const HOUR = 3_600_000;
export const LANE = "apns:production";
/** Later than everything that a test makes due. */
export const FOREVER = Number.MAX_SAFE_INTEGER;

export interface Subscribers extends Bench {
  topic(name?: string): Promise<Topic>;
  register(
    token: string,
    topics?: readonly TopicOfMessage[],
    spec?: Partial<NewDevice>,
  ): ReturnType<Bench["store"]["devices"]["register"]>;
  /** Registers an iPhone that subscribes to these topics, and expects success. */
  device(token: string, topics?: readonly TopicOfMessage[], spec?: Partial<NewDevice>): Promise<Registered>;
  /** The device as it is now. */
  read(device: Pick<Device, "id">): Promise<Registered>;
  /** Makes all deliveries of the waiting fan-outs. */
  expand(plan?: Plan): Promise<void>;
  /** Everything that is pending for a device, newest first. */
  waiting(device: Device): Promise<Pending[]>;
  /** The texts of the messages that are pending for a device. */
  texts(device: Device): Promise<string[]>;
  /** Records an outcome for the newest delivery of the device. */
  settle(
    device: Device,
    outcome: Settled["outcome"],
    news?: Omit<NonNullable<Settled["news"]>, "device">,
  ): Promise<void>;
}

/** Urgent messages go first, and everything expires after an hour. */
export const plan: Plan = ({ message, device }) => ({
  lane:
    device.platform === "ios"
      ? `apns:${device.environment}`
      : device.platform === "web"
        ? "webpush:https://push.example"
        : "fcm",
  isUrgent: message.priority === "urgent",
  expiresAt: message.createdAt + HOUR,
});

export const refOf = ({ namespace, key }: Pick<Topic, "namespace" | "key">) => ({ namespace, key });

export async function subscribers(open: OpenEngine, options: Caps = {}, clock?: HeldClock): Promise<Subscribers> {
  const peal = await bench(open, options, clock);
  const { devices, deliveries, topics } = peal.store;
  const register: Subscribers["register"] = async (token, to = [], spec = {}) =>
    devices.register({ platform: "ios", token, base: "https://peal.example", topics: to.map(refOf), ...spec });
  const waiting: Subscribers["waiting"] = async ({ row, platform, environment }) => {
    const lanes = await deliveries.lanes();
    const own = lanes.filter((lane) =>
      platform === "ios" ? lane === `apns:${environment}` : !lane.startsWith("apns"),
    );
    const found = await Promise.all(own.map(async (lane) => deliveries.ofDevice(row, lane, 1_000)));
    return found.flat().sort((a, b) => b.row - a.row);
  };
  return {
    ...peal,
    register,
    waiting,
    topic: async (name = "alerts") => {
      const made = await topics.create(peal.home.id, { name });
      if (typeof made === "string") throw new Error(made);
      return made;
    },
    device: async (token, to, spec) => {
      const { kind, ...registered } = { ...(await register(token, to, spec)) };
      if (!("device" in registered)) throw new Error(kind);
      return registered;
    },
    read: async ({ id }) => {
      const found = await devices.find(id);
      if (found === undefined) throw new Error(`no device ${id}`);
      return found;
    },
    expand: async (given = plan) => {
      while ((await deliveries.expand(given, 100)).hasMore);
    },
    texts: async (device) =>
      (await waiting(device)).map(({ message }) => (message ? draftOf(message).message : "none")),
    settle: async (device, outcome, news) => {
      const [newest] = await waiting(device);
      if (newest === undefined) throw new Error("nothing is pending");
      await deliveries.settle([{ rows: [newest.row], outcome, ...(news && { news: { device, ...news } }) }]);
    },
  };
}

/** A device with a message that waits to be sent to it. */
export const onTheWay = async (peal: Subscribers, message = "m") => {
  const topic = await peal.topic();
  const { device } = await peal.device("t", [topic]);
  const published = await peal.publish("alerts", { message });
  await peal.expand();
  const read = async () => {
    const { deliveries, counts } = await peal.store.deliveries.ofMessage(published.message.seq, { limit: 5 });
    const [delivery] = deliveries;
    if (delivery === undefined) throw new Error("no delivery");
    return { ...delivery, counts };
  };
  return { topic, device, message: published.message, read };
};
