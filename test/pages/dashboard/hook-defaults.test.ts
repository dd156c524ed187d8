/** The defaults of a hook, one per line in a form (WEB.md §3). */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { defaultsIn, linesOf } from "../../../src/pages/dashboard/hooks/defaults.ts";
import { deskAs, markIn } from "../../support/desk.ts";
import { hookOf, messagesBy, newHook, post as postTo } from "../../support/hooks.ts";
import { inProcess } from "../../support/server.ts";
import { signedIn } from "../../support/signin.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const { get, post, done } = deskAs(peal, await signedIn(peal));
const pathTo = ({ topic, id }: { topic: string; id: string }) => `/-/topics/${topic}/hooks/${id}`;
const shown = (html: string) => /<textarea[^>]* name="defaults"[^>]*>\n?([^<]*)</.exec(html)?.[1];

test("are filled in, apply where the request sets nothing else, and appear in the form again", async () => {
  const hook = await newHook(peal, { name: "nas" });
  const path = `${pathTo(hook)}/edit`;
  const mark = markIn(await get(path));
  await done(path, { mark, name: "nas", capture: "on", defaults: "tags = nas, disk\r\nPriority=high\n\nlevel = crit" });
  expect((await hookOf(peal, hook.id))["defaults"]).toEqual({
    tags: ["nas", "disk"],
    priority: "high",
    level: "error",
  });
  await postTo(peal, hook.url, "plain");
  await postTo(peal, hook.url, { message: "said", priority: "low" });
  const [plain, said] = await messagesBy(peal, hook);
  expect(plain).toMatchObject({ message: "plain", tags: ["nas", "disk"], priority: "high", level: "error" });
  expect(said).toMatchObject({ message: "said", tags: ["nas", "disk"], priority: "low" });
  const again = await get(path);
  expect(shown(again.html)?.split("\n").sort()).toEqual(["level = error", "priority = high", "tags = nas, disk"]);
  await done(path, { mark: markIn(again), name: "nas", capture: "on", defaults: "" });
  expect((await hookOf(peal, hook.id))["defaults"]).toBeUndefined();
});

test("that the API set are unchanged when another setting is changed", async () => {
  const defaults = { actions: [{ label: "Open", url: "https://nas.example/" }], title: "a = b", tags: ["a,b", "c"] };
  const hook = await newHook(peal, { defaults });
  const path = `${pathTo(hook)}/edit`;
  const page = await get(path);
  const lines = (shown(page.html) ?? "").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
  await done(path, { mark: markIn(page), name: "renamed", capture: "on", defaults: lines });
  expect(await hookOf(peal, hook.id)).toMatchObject({ name: "renamed", defaults });
});

// prettier-ignore
const wrong: [line: string, said: string][] = [
  ["tags",              "This line doesn’t fit: tags"],
  ["= high",            "This line doesn’t fit: = high"],
  ["level = purple",    "level: unknown field, or it can’t have this value."],
  ["colour = red",      "colour: unknown field, or it can’t have this value."],
  ["priorty = high",    "priorty: unknown field, or it can’t have this value."],
];
test.each(wrong)("%j is refused at its field, and the typed text stays", async (line, said) => {
  const hook = await newHook(peal);
  const path = `${pathTo(hook)}/edit`;
  const { html, text } = await post(path, { mark: markIn(await get(path)), name: "", defaults: line });
  expect(text).toContain(said);
  expect(shown(html)).toBe(line);
  expect((await hookOf(peal, hook.id))["defaults"]).toBeUndefined();
});

test("any text that is written as a line is read back unchanged", () => {
  const named = fc.dictionary(fc.stringMatching(/^[a-z_]{1,10}$/), fc.string({ minLength: 1, unit: "binary" }));
  fc.assert(
    fc.property(named, (given) => {
      const { defaults } = defaultsIn(linesOf(given)) as { defaults: object | null };
      expect(Object.entries(defaults ?? {})).toEqual(Object.entries(given));
    }),
  );
});
