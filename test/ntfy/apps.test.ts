/**
 * The requests of ntfy's apps, as they build them, and what they declare of the answers. Sources: ntfy-android, ApiService.kt,
 * WsConnection.kt, JsonConnection.kt, Message.kt, NotificationParser.kt; ntfy-ios, ApiService.swift, Notification.swift.
 */
import { afterAll, expect, test } from "bun:test";
import { Type, type Static, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import type { TestTopic } from "../support/client.ts";
import { readLines, readSocket } from "./reader.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const { Optional: May } = Type;
const Action = Type.Object({
  ...{ id: Type.String(), action: Type.String(), label: Type.String() },
  ...{ clear: May(Type.Boolean()), url: May(Type.String()), method: May(Type.String()), body: May(Type.String()) },
  headers: May(Type.Record(Type.String(), Type.String())),
});
const Attachment = Type.Object({
  ...{ name: Type.String(), url: Type.String() },
  ...{ type: May(Type.String()), size: May(Type.Integer()), expires: May(Type.Integer()) },
});
/** What both declare; what they do not, they skip. No field that is declared may be null: Swift and Kotlin would take it, others not. */
const Common = {
  ...{ id: Type.String({ minLength: 1 }), time: Type.Integer(), event: Type.String(), topic: Type.String() },
  ...{ message: May(Type.String()), title: May(Type.String()), click: May(Type.String()) },
  ...{ priority: May(Type.Integer({ minimum: 1, maximum: 5 })), tags: May(Type.Array(Type.String())) },
  ...{ actions: May(Type.Array(Action)), attachment: May(Attachment) },
};
const Android = Type.Object({
  ...Common,
  ...{ sequence_id: May(Type.String()), icon: May(Type.String()), content_type: May(Type.String()), encoding: May(Type.String()) },
});
const Ios = Type.Object({ ...Common, poll_id: May(Type.String()) });

/** As Gson or JSONDecoder do. @throws Error where they would */
const decoded = <T extends TSchema>(app: T, text: string): Static<T> => Value.Decode(app, JSON.parse(text));
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");

const ANDROID = { "user-agent": "ntfy/1.24.0 (fdroid; Android 15; SDK 35)", "accept-encoding": "gzip" };
const IOS = { "user-agent": "ntfy/1.6 (build 8; iOS 18.5)", accept: "*/*", "accept-language": "de-DE,de;q=0.9" };
/** Any user; the password is a key. */
const basic = (key: string) => ({ authorization: `Basic ${btoa(`phil:${key}`)}` });

/** One of everything that a message may have. */
async function fill(topic: TestTopic, name: string) {
  await peal.publish(topic, {
    ...{ message: `${name}: **bold**`, title: "Title", format: "markdown", priority: "urgent", level: "error" },
    ...{ url: "https://example.com/", image: "https://example.com/cat.png", dedup_key: `${name}-disk`, status: "firing" },
    actions: [
      { label: "Open", url: "https://example.com/a" },
      { label: "Stop", url: "https://example.com/b", method: "POST" },
    ],
  });
  await peal.publish(topic, { message: `${name}: plain` });
}

test("Android, by WebSocket: none at first, then from the last id, over all topics of the server", async () => {
  const topics = [await peal.topic("android-a"), await peal.topic("android-b")];
  const keys = topics.map(({ key }) => key).join(",");
  const url = (since: string) => `${peal.url}/${keys}/ws?since=${since}`;
  const seen: string[] = [];
  let last = "none";
  const { key } = await peal.mint("full");
  for (let round = 0; round < 3; round++) {
    const socket = await readSocket(url(last), { headers: { ...ANDROID, ...(round === 2 && basic(key)) } });
    await socket.opened();
    for (const topic of topics) await fill(topic, `round ${round}`);
    await eventually("all", () => socket.messages().length >= (round === 0 ? 4 : 6));
    for (const text of socket.texts) {
      const { event, topic, message = "", id } = decoded(Android, text);
      if (event !== "message") continue;
      expect(topics.map((one) => one.key)).toContain(topic); // the app finds its subscription by it
      seen.push(message);
      last = id;
    }
    await socket.close();
    for (const topic of topics) await peal.publish(topic, `between ${round}`); // while it is away
  }
  const history = (await Promise.all(topics.map(async (topic) => peal.history(topic)))).flat();
  const published = history.map(({ message }) => message).filter((message) => message !== "between 2");
  expect(seen.toSorted()).toEqual(published.toSorted());
});

test("Android, by JSON lines: the same, and keeps on reading", async () => {
  const topic = await peal.topic("android-json");
  const stream = await readLines(`${peal.url}/${topic.key}/json?since=none`, { headers: ANDROID });
  await stream.opened();
  await fill(topic, "one");
  await eventually("both", () => stream.messages().length === 2);
  const [open, first, second] = stream.texts.map((text) => decoded(Android, text));
  expect(open?.event).toBe("open");
  expect(first).toMatchObject({ sequence_id: "one-disk", priority: 5, content_type: "text/markdown" });
  expect(first?.actions?.map(({ action, method }) => [action, method])).toEqual([
    ["view", undefined],
    ["http", "POST"],
  ]);
  expect(second?.sequence_id).toBeUndefined();
  await stream.close();
});

test("Android and iOS poll a topic, all and from the last id; iOS one message by its id", async () => {
  const topic = await peal.topic("polled");
  for (const n of [1, 2, 3]) await fill(topic, `${n}`);
  for (const [app, headers] of [
    [Android, ANDROID],
    [Ios, IOS],
  ] as const) {
    const ask = async (query: string) => {
      const response = await peal.request(`/${topic.key}/json?poll=1&${query}`, { headers });
      expect(response.status).toBe(200);
      return response.text();
    };
    const all = linesOf(await ask("since=all")).map((line) => decoded(app, line));
    expect(all.map(({ message }) => message)).toEqual([1, 2, 3].flatMap((n) => [`${n}: **bold**`, `${n}: plain`]));
    const rest = linesOf(await ask(`since=${all[3]?.id}`)).map((line) => decoded(app, line));
    expect(rest.map(({ id }) => id)).toEqual(all.slice(4).map(({ id }) => id));
    // the whole body is one object to it
    expect(decoded(app, await ask(`id=${all[2]?.id}`))).toEqual(all[2] as never);
    expect(await ask("id=AAAAAAAAAAAA")).toBe("");
  }
});

test("a key that the app is given as a password is checked, also where the topic key would do", async () => {
  const topic = await peal.topic("keyed");
  const { key } = await peal.mint("publish");
  const poll = async (headers: Record<string, string>) =>
    (await peal.request(`/${topic.key}/json?poll=1&since=all`, { headers: { ...ANDROID, ...headers } })).status;
  expect([await poll({}), await poll(basic(key)), await poll(basic("wrong"))]).toEqual([200, 200, 401]);
});
