/** `peal devices`: who is notified of a topic, and whether a device can be reached. */
import type { Static } from "@sinclair/typebox";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeviceRecord, SubscriberList, SubscriberRecord } from "../devices/schema.ts";
import { CommandFailed, EXIT, JSON_FLAG, print, table, type Command } from "./command.ts";
import { openLocal, type Local } from "./local.ts";
import { pagesOf } from "./pages.ts";
import { TOPIC_ARG, TOPIC_FLAGS, withTopic } from "./topic-ask.ts";

export const devices: Command = {
  name: "devices",
  args: [TOPIC_ARG],
  summary: "List the devices that follow a topic, with their push services' last answers.",
  flags: TOPIC_FLAGS,
  examples: ["peal devices home/backups", "peal devices home/backups --json"],
  run: async (invocation) => {
    const pages = await withTopic(invocation, async (local, path) =>
      pagesOf<Static<typeof SubscriberList>>(local, `${path}/devices`),
    );
    const found = pages.flatMap((page) => page.devices);
    return print(invocation.switches, found, () => table([HEAD, ...found.map(row)]));
  },
};

const HEAD = ["ID", "REF", "PLATFORM", "STATE", "LAST SUCCESS", "LAST ERROR", "NAME"];

const row = ({ id = "", ref, platform, expired, name, ...rest }: SubscriberRecord): string[] => [
  id,
  ref,
  platform,
  expired === undefined ? "active" : `expired at ${expired.at}: ${expired.reason}`,
  rest.last_success_at ?? "never",
  rest.last_error === undefined ? "none" : `${rest.last_error} (${rest.last_error_at ?? ""})`,
  name ?? "",
];

/** A push service answers within 15 s, or not at all. */
const TRIES = 80;
const PAUSE_MS = 250;

export const devicesTest: Command = {
  name: "devices test",
  args: ["<id>"],
  summary: "Send a device a test notification and print its push service's answer.",
  flags: [JSON_FLAG],
  examples: ["peal devices test 4h2k9w0c3m5n7p8q4h2k9w0c3m"],
  run: async ({ positionals: [id = ""], switches, load }) => {
    await using local = await openLocal(load);
    const path = `/v1/devices/${encodeURIComponent(id)}`;
    await local.ask("POST", `${path}/test`);
    const test = await resultOf(local, path);
    await print(switches, test, () => textOf(test));
    return test.state === "accepted" ? EXIT.ok : EXIT.failed;
  },
};

type Test = NonNullable<DeviceRecord["last_test"]>;

/** Resolves as soon as there is a result, or something that a person has to mend holds it up. */
export async function resultOf(local: Local, path: string): Promise<Test> {
  for (let tries = 0; ; tries++) {
    const { last_test: test } = await local.ask<Pick<DeviceRecord, "last_test">>("GET", path);
    if (test === undefined) throw new CommandFailed("another test has replaced this one");
    if (test.state !== "pending" || test.waits_for !== undefined || tries === TRIES) return test;
    await sleep(PAUSE_MS);
  }
}

export function textOf({ state, waits_for: waits, status, answer }: Test): string {
  const said = [status, answer].filter((part) => part !== undefined).join(" ");
  return [state, waits, said].filter((part) => part !== undefined && part !== "").join(": ");
}
