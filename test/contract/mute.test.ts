/** Muting topics and namespaces, by the API and from the command line. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { peal as cli } from "../support/command.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const LATER = "2099-01-31T08:00:00.000Z";

const patchTopic = async (key: string, muted_until: unknown) => peal.api("PATCH", `/v1/home/${key}`, { muted_until });
const patchNamespace = async (name: string, muted_until: unknown) =>
  peal.local(`/-/local/namespaces/${name}`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ muted_until }),
  });

test("a topic is muted until a given time, and until it is unmuted", async () => {
  const topic = await peal.topic("until");
  expect(await answer(200, await patchTopic(topic.key, LATER))).toMatchObject({ muted_until: LATER });
  expect(await answer(200, await peal.api("GET", `/v1/home/${topic.key}`))).toMatchObject({ muted_until: LATER });
  expect(await answer<object>(200, await patchTopic(topic.key, null))).not.toHaveProperty("muted_until");
  for (const wrong of ["tomorrow", 7, ""])
    expect(await answer(422, await patchTopic(topic.key, wrong))).toMatchObject({ errors: [{ path: "/muted_until" }] });
});

test("a namespace is muted over the socket", async () => {
  expect(await answer(200, await patchNamespace("home", LATER))).toMatchObject({ name: "home", muted_until: LATER });
  expect(await answer(200, await peal.local("/-/local/namespaces"))).toMatchObject({
    namespaces: [{ name: "home", muted_until: LATER }],
  });
  expect(await answer<object>(200, await patchNamespace("home", null))).not.toHaveProperty("muted_until");
  expect((await patchNamespace("home", "tomorrow")).status).toBe(422);
  expect((await patchNamespace("nowhere", null)).status).toBe(404);
});

test("the command line mutes a topic and a namespace for a duration or until a time, and unmutes them", async () => {
  const topic = await peal.topic("told");
  const run = async (...args: string[]) => cli(args, { PEAL_DATA_DIR: peal.dataDir });
  const muted = async () => answer<{ muted_until?: string }>(200, await peal.api("GET", `/v1/home/${topic.key}`));
  expect(await run("topics", "mute", "home/told", LATER)).toMatchObject({
    code: 0,
    stdout: `told is muted until ${LATER}\n`,
  });
  expect(await muted()).toMatchObject({ muted_until: LATER });
  expect((await run("topics", "mute", "home/told", "8h")).code).toBe(0);
  const { muted_until = "" } = await muted();
  expect(Date.parse(muted_until) - Date.now()).toBeWithin(28_700_000, 28_800_001);
  expect(await run("topics", "mute", "home/told", "off")).toMatchObject({ code: 0, stdout: "told is unmuted\n" });
  expect(await muted()).not.toHaveProperty("muted_until");
  expect(await run("namespaces", "mute", "home", LATER)).toMatchObject({
    code: 0,
    stdout: `home is muted until ${LATER}\n`,
  });
  expect(await run("namespaces", "mute", "home", "off")).toMatchObject({ code: 0, stdout: "home is unmuted\n" });
  expect(await run("namespaces", "mute", "home", "later")).toMatchObject({ code: 64 });
  expect(await run("topics", "mute", "home/told", "2020-01-01T00:00:00Z")).toMatchObject({ code: 64, stdout: "" });
  expect(await run("namespaces", "mute", "nowhere", "off")).toMatchObject({ code: 1 });
});
