/** A message as ntfy's clients read it, and how it is cut for those that read no more. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Draft } from "../../src/drafts/draft.ts";
import type { Message } from "../../src/messages/message.ts";
import { MAX_ANSWER_BYTES, MAX_LINE_BYTES, objectOf, written, type NtfyObject } from "../../src/ntfy/object.ts";
import type { TopicId } from "../../src/topics/topic.ts";
import { examples } from "../support/rounds.ts";

const KEY = "backups-0123456789abcdefghjkmnpqrs";
const AT = Date.parse("2026-11-27T04:00:00.900Z");
const telling = {
  topic: { id: 3 as TopicId, namespace: "home", key: KEY },
  asked: "backups",
  base: "https://peal.example",
  epochs: { of: () => "epoch" },
  days: 90,
};
const PLAIN: Draft = { message: "done", level: "info", priority: "normal", format: "text", source: "api" };

const stored = (draft: Partial<Draft>): Message => {
  const whole = { ...PLAIN, ...draft };
  return { id: 12, seq: 40, createdAt: AT, level: whole.level, priority: whole.priority, json: JSON.stringify(whole) };
};
const told = (draft: Partial<Draft>, more: Partial<typeof telling> = {}): NtfyObject =>
  objectOf(stored(draft), { ...telling, ...more });

const ENVELOPE = {
  id: expect.stringMatching(/^[0-9A-Za-z]{12}$/) as string,
  time: 1_795_752_000,
  expires: 1_795_752_000 + 90 * 86_400,
  event: "message",
  topic: "backups",
};

// prettier-ignore
const rows: [what: string, draft: Partial<Draft>, fields: object][] = [
  ["nothing but text",    {},                                        { message: "done" }],
  ["a title",             { title: "NAS" },                          { title: "NAS", message: "done" }],
  ["low",                 { priority: "low" },                       { message: "done", priority: 2 }],
  ["high",                { priority: "high" },                      { message: "done", priority: 4 }],
  ["urgent",              { priority: "urgent", ack: true },         { message: "done", priority: 5 }],
  ["an error",            { level: "error" },                        { message: "done", tags: ["rotating_light"] }],
  ["a warning",           { level: "warning" },                      { message: "done", tags: ["warning"] }],
  ["a success",           { level: "success" },                      { message: "done", tags: ["white_check_mark"] }],
  ["tags of its own",     { level: "error", tags: ["skull", "nas"] }, { message: "done", tags: ["skull", "nas"] }],
  ["a link",              { url: "https://nas.example/" },           { message: "done", click: "https://nas.example/" }],
  ["Markdown",            { format: "markdown" },                    { message: "done", content_type: "text/markdown" }],
  ["an alert",            { dedup_key: "disk", status: "firing" },   { message: "done", sequence_id: "disk" }],
  ["a picture elsewhere", { image: "https://cam.example/a/1.jpg?x" }, { message: "done", attachment: { name: "1.jpg", url: "https://cam.example/a/1.jpg?x" } }],
  ["one without a name",  { image: "https://cam.example/" },         { message: "done", attachment: { name: "attachment", url: "https://cam.example/" } }],
  ["an icon",             { icon: "https://nas.example/i.png", image: "https://nas.example/i.png" }, { message: "done", icon: "https://nas.example/i.png" }],
  ["one and a picture",   { icon: "https://nas.example/i.png", image: "https://cam.example/1.jpg" }, { message: "done", icon: "https://nas.example/i.png", attachment: { name: "1.jpg", url: "https://cam.example/1.jpg" } }],
  ["what only peal has",  { ttl: 60, data: { a: 1 }, timestamp: "2026-01-01T00:00:00.000Z" }, { message: "done" }],
];
test.each(rows)("%s", (_, draft, fields) => {
  expect(told(draft)).toEqual({ ...ENVELOPE, ...fields } as NtfyObject);
});

test("buttons have ids of 10 letters and digits, the same each time, and no two the same", () => {
  const actions = [
    { label: "Open", url: "https://h/" },
    { label: "Stop", url: "https://h/stop", method: "POST" },
    { label: "Lock", url: "https://h/lock", method: "PUT", headers: { "X-Door": "1" }, body: "{}", clear: true },
  ] satisfies Draft["actions"];
  const made = told({ actions }).actions ?? [];
  expect(made).toEqual([
    { id: made[0]?.id ?? "", action: "view", label: "Open", clear: false, url: "https://h/" },
    { id: made[1]?.id ?? "", action: "http", label: "Stop", clear: false, url: "https://h/stop", method: "POST" },
    {
      ...{ id: made[2]?.id ?? "", action: "http", label: "Lock", clear: true, url: "https://h/lock" },
      ...{ method: "PUT", headers: { "X-Door": "1" }, body: "{}" },
    },
  ]);
  expect(made.map(({ id }) => id)).toEqual((told({ actions }).actions ?? []).map(({ id }) => id));
  expect(new Set(made.map(({ id }) => id)).size).toBe(3);
  for (const { id } of made) expect(id).toMatch(/^[0-9A-Za-z]{10}$/);
});

test("a file that came with it is the attachment, before a picture", () => {
  const attachments = [
    { id: "0".repeat(32), name: "log ü.txt", type: "text/plain", size: 12, expires_at: "2026-12-11T04:00:00.000Z" },
  ];
  expect(told({ attachments, image: "https://cam.example/1.jpg" }).attachment).toEqual({
    name: "log ü.txt",
    type: "text/plain",
    size: 12,
    expires: Date.parse("2026-12-11T04:00:00Z") / 1000,
    url: `https://peal.example/home/${KEY}/files/${"0".repeat(32)}/log%20%C3%BC.txt`,
  });
});

test("a message that its sender took back is an event without text", () => {
  const draft = { dedup_key: "disk", status: "resolved" as const, priority: "low" as const };
  const { expires, time, topic, id } = ENVELOPE;
  for (const [source, event] of [
    ["ntfy:delete", "message_delete"],
    ["ntfy:clear", "message_clear"],
  ] as const)
    expect(told({ ...draft, source })).toEqual({ id, time, expires, event, topic, sequence_id: "disk" });
});

test("a topic that keeps its messages for ever has no time at which they expire", () => {
  expect(told({}, { days: 0 })).not.toHaveProperty("expires");
  expect(told({}, { topic: { ...telling.topic, retentionDays: 0 } as never })).not.toHaveProperty("expires");
  expect(told({}, { topic: { ...telling.topic, retentionDays: 1 } as never }).expires).toBe(ENVELOPE.time + 86_400);
});

const LINK = `https://peal.example/home/${KEY}?before=13#m12`;

test("a message that fits is whole", () => {
  const object = told({ title: "T", message: "x".repeat(3_000) });
  expect(written(object, MAX_ANSWER_BYTES, LINK)).toBe(JSON.stringify(object));
});

test("a longer one is cut, with the address of the whole behind it", () => {
  for (const max of [MAX_ANSWER_BYTES, MAX_LINE_BYTES]) {
    const message = "Zeile – ✓\n".repeat(10_000);
    const json = written(told({ message }), max, LINK);
    const { message: cut } = JSON.parse(json) as { message: string };
    expect(Buffer.byteLength(json)).toBeWithin(max - 20, max + 1);
    expect(cut).toEndWith(`…\n${LINK}`);
    expect(message).toStartWith(cut.slice(0, -`…\n${LINK}`.length));
  }
});

test("no client sees an end of a line in it, and it is as long as is said all the same", () => {
  const json = written(
    told({ message: "a\u2028b\u2029c\u0085\n".repeat(2_000), title: "x\u2028" }),
    MAX_ANSWER_BYTES,
    LINK,
  );
  expect(json).not.toMatch(/[\n\r\u0085\u2028\u2029]/);
  expect(Buffer.byteLength(json)).toBeWithin(MAX_ANSWER_BYTES - 20, MAX_ANSWER_BYTES + 1);
  expect(JSON.parse(json)).toMatchObject({
    title: "x\u2028",
    message: expect.stringContaining("a\u2028b\u2029c") as string,
  });
});

test("it is cut between two graphemes", () => {
  const family = "👨‍👩‍👧‍👦";
  const { message } = JSON.parse(written(told({ message: family.repeat(2_000) }), MAX_ANSWER_BYTES, LINK)) as Draft;
  expect(message.slice(0, -`…\n${LINK}`.length).replaceAll(family, "")).toBe("");
});

test("what does not fit beside the text goes in this order: buttons, attachment, icon, link, tags, title", () => {
  const long = (name: string) => `https://h.example/${name}/${"x".repeat(1_000)}`;
  const object = told({
    ...{ title: "t".repeat(256), tags: Array.from({ length: 16 }, (_, n) => `${n}`.padStart(32, "t")) },
    ...{ url: long("link"), icon: long("icon"), image: long("picture") },
    actions: [{ label: "Open", url: long("button") }],
  });
  const left: string[] = [];
  for (let max = Buffer.byteLength(JSON.stringify(object)); max > 200; max -= 50) {
    const json = written(object, max, LINK);
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(max);
    const kept = JSON.parse(json) as object;
    left.push(...Object.keys(object).filter((name) => !(name in kept) && !left.includes(name)));
  }
  expect(left).toEqual(["actions", "attachment", "icon", "click", "tags", "title"]);
});

test("whatever a message holds, its JSON is no longer than it may be", () => {
  const url = fc.webUrl().map((each) => `${each}${"/x".repeat(900)}`);
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 300 }),
    fc.constantFrom(
      "\u2028".repeat(8_000),
      '"\\'.repeat(8_000),
      "\n\t".repeat(8_000),
      "é".repeat(16_000),
      "👍🏽".repeat(4_000),
      "x".repeat(32_768),
    ),
  );
  const draft = fc.record(
    {
      message: text,
      title: text.map((each) => each.slice(0, 256).toWellFormed()),
      tags: fc.array(fc.string({ unit: "grapheme", maxLength: 32 }), { maxLength: 16 }),
      url,
      image: url,
      actions: fc.array(fc.record({ label: fc.string({ maxLength: 40 }), url }), { maxLength: 3 }),
      dedup_key: fc.string({ maxLength: 128 }),
    },
    { requiredKeys: ["message"] },
  );
  fc.assert(
    fc.property(draft, fc.constantFrom(MAX_ANSWER_BYTES, MAX_LINE_BYTES), (given, max) => {
      const json = written(told(given), max, LINK);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(max);
      const { message, ...rest } = JSON.parse(json) as NtfyObject;
      expect(rest).toMatchObject({ event: "message", topic: "backups" });
      // nothing is said that was not in it
      const end = `…\n${LINK}`;
      if (message !== given.message) expect(given.message).toStartWith((message ?? "").slice(0, -end.length));
    }),
    { numRuns: examples(100) },
  );
});
