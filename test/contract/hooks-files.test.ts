/** What a hook keeps of a request with files: enough to show it, and to make the same message from it again (API.md §9). */
import { afterAll, expect, test } from "bun:test";
import { previewOf } from "../../src/hooks/preview.ts";
import { draftOf } from "../../src/messages/message.ts";
import { noise, png } from "../support/files.ts";
import { newHook, requestsOf, type TestHook } from "../support/hooks.ts";
import { unannounced } from "../support/raw.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess({ env: { PEAL_FILES: "3MB:40MB:14d" } });
afterAll(async () => peal[Symbol.asyncDispose]());

const THUMB = png(320, 240, noise(120_000));
const PLEX = {
  event: "media.play",
  Account: { title: "mara" },
  Server: { title: "nas" },
  Player: { title: "TV" },
  Metadata: { type: "movie", title: "Brazil", year: 1985 },
};

type Sent = [body: FormData | Uint8Array | string, headers?: Record<string, string>];
const formOf = (...parts: [name: string, value: string | Blob, filename?: string][]): FormData => {
  const form = new FormData();
  for (const [name, value, filename] of parts)
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, filename);
  return form;
};
const file = (bytes: Uint8Array, type = "image/png") => new Blob([bytes], { type });
const json = { "content-type": "application/json" };
const base64 = Buffer.from(THUMB).toString("base64");

// prettier-ignore
const ways: [what: string, query: string, sent: () => Sent, files: string[], holds: string, isCut: boolean][] = [
  ["Plex's form with a picture", "", () => [formOf(["payload", JSON.stringify(PLEX)], ["thumb", file(THUMB), "thumb.png"])], ["thumb.png"], '"media.play"', false],
  ["a form with a name that is escaped", "", () => [formOf(["message", "hello"], ['a"b', "x"], ["f", file(THUMB), "ä.png"])], ["ä.png"], "hello", false],
  ["a form of more than 1 MiB", "", () => [formOf(["message", "long"], ["f", file(noise(1_500_000)), "a.png"])], ["a.png"], "long", false],
  ["a form of files alone", "", () => [formOf(["a", file(THUMB), "a.png"], ["b", file(THUMB), "b.png"])], ["a.png", "b.png"], "", false],
  ["a form whose message is a file", "", () => [formOf(["log", file(Buffer.from("it failed"), "text/plain"), "log.txt"], ["f", file(THUMB), "a.png"])], ["a.png"], "it failed", false],
  ["a form with a file that is too large", "", () => [formOf(["message", "m"], ["f", file(noise(3_500_000)), "a.png"])], ["a.png"], "m", false],
  ["a form with a long field", "", () => [formOf(["message", "ü".repeat(60_000)])], [], "ü", true],
  ["a picture", "?filename=door.png", () => [THUMB], ["door.png"], "", false],
  ["a picture by its type", "", () => [THUMB, { "content-type": "image/png" }], ["file.png"], "", false],
  ["a picture by its header", "?title=Door", () => [THUMB, { "x-filename": "cam/door.png" }], ["door.png"], "", false],
  ["a picture that is too large", "", () => [noise(3_500_000), { "content-type": "image/png" }], ["file.png"], "", false],
  ["JSON with a picture alone", "", () => [JSON.stringify({ attachments: [{ filename: "a.png", base64 }] }), json], ["a.png"], "", false],
  ["JSON with a picture", "", () => [JSON.stringify({ title: "t", attachments: [{ filename: "a.png", base64 }] }), json], ["a.png"], '"title"', false],
];
test.each(ways)(
  "%s is kept without its files, and makes the same message again",
  async (what, query, sent, files, holds, isCut) => {
    const hook = await newHook(peal, { topic: what.replaceAll(/\W/g, "-") });
    const [body, headers = {}] = sent();
    const whole = new Response(body);
    const type = whole.headers.get("content-type");
    const bytes = await whole.bytes();
    const all = body instanceof FormData && type !== null ? { "content-type": type } : headers;
    for (const stream of [bytes, unannounced(bytes)]) {
      const response = await peal.request(hook.url + query, { method: "PUT", body: stream, headers: all });
      expect(response.status).toBe(201);
    }
    const [kept, announced] = await requestsOf(peal, hook.id);
    for (const one of [kept, announced]) {
      expect(one).toMatchObject({ body_bytes: bytes.length });
      expect(one?.["files"]).toEqual(files.length > 0 ? files : undefined);
    }
    expect(announced?.["body"]).toBe(kept?.["body"]);
    expect(kept?.["body_cut"]).toBe(isCut ? true : undefined);
    const text = typeof kept?.["body"] === "string" ? kept["body"] : "";
    expect(text).toContain(holds);
    expect(text.length).toBeLessThan(isCut ? 65_537 : 1_000);
    await requireSameAgain(hook);
  },
);

/** Expects that the kept request makes the stored message again, except for its files. */
async function requireSameAgain(hook: TestHook): Promise<void> {
  const { hooks, messages, topics } = peal.running.deps.store;
  const topic = await topics.byKeyAnywhere(hook.topic);
  if (topic === undefined) throw new Error("no topic");
  const [own] = await hooks.list(topic.namespaceId, topic.id);
  const [request] = own === undefined ? [] : await hooks.requests(own);
  const stored = await messages.find(topic.id, request?.messageId ?? 0);
  if (own === undefined || request === undefined || stored === undefined) throw new Error("nothing came");
  const draft = draftOf(stored);
  Reflect.deleteProperty(draft, "attachments");
  expect(await previewOf(own, request)).toEqual({ request, draft });
}
