/**
 * What tools post by themselves, black-box: the request does not name the tool, its body and headers show it
 * (REWRITES.md §1, §8).
 */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { fixtures, type Fixture, PAYLOADS } from "../rewrites/fixtures.ts";
import { answer } from "../support/client.ts";
import { messagesBy, newHook, post as postTo } from "../support/hooks.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

interface Shown {
  source: string;
  title?: string;
  level: string;
  priority: string;
  tags?: string[];
  url?: string;
  dedup_key?: string;
  status?: string;
}
/** The fields that do not depend on the time. */
const shown = ({ source, title, level, priority, tags, url, dedup_key, status }: Shown): Shown =>
  JSON.parse(JSON.stringify({ source, title, level, priority, tags, url, dedup_key, status })) as Shown;

const at = (path: string): Fixture => {
  const found = fixtures.find((fixture) => fixture.path === path);
  if (found === undefined) throw new Error(`no fixture: ${path}`);
  return found;
};
function headersOf({ path }: Fixture): Record<string, string> {
  const file = `${PAYLOADS}/${path}.headers.json`;
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Record<string, string>) : {};
}

async function post(fixture: Fixture, type: string, encode: (json: string) => string): Promise<Shown> {
  const response = await peal.request("/home/sources", {
    method: "POST",
    headers: { authorization: `Bearer ${peal.adminKey}`, ...headersOf(fixture), "content-type": type },
    body: encode(fixture.raw),
  });
  return shown(await answer<Shown>(201, response));
}

// a title and a message make a plain message, whichever tool posts them
const isOurs = ({ raw }: Fixture) =>
  Object.keys(JSON.parse(raw) as object).every((name) => name === "title" || name === "message");
const foreign = fixtures.filter((fixture) => !isOurs(fixture));

test.each(foreign.map((fixture) => [fixture.path, fixture] as const))("%s", async (_, fixture) => {
  expect(await post(fixture, "application/json", (json) => json)).toEqual(shown(fixture.expected));
});

test("at the URL of a hook, and in its own dialect", async () => {
  const hook = await newHook(peal, { topic: "hooked" });
  const told: Shown[] = [];
  for (const fixture of foreign) {
    const { path, name, raw, expected } = fixture;
    const urls = [hook.url, ...(["slack", "discord", "github"].includes(name) ? [`${hook.url}/${name}`] : [])];
    for (const url of urls) {
      const headers = { ...headersOf(fixture), "content-type": "application/json" };
      expect([path, (await postTo(peal, url, raw, headers)).ok]).toEqual([path, true]);
      told.push(shown(expected));
    }
  }
  expect(told.length).toBeGreaterThan(foreign.length + 20);
  expect((await messagesBy(peal, hook)).map((message) => shown(message as unknown as Shown))).toEqual(told);
});

test("as a form too, as clients of GitHub and Slack send it", async () => {
  for (const path of ["github/workflow-failed", "gitea/push", "slack/netdata-critical"]) {
    const sent = await post(at(path), "application/x-www-form-urlencoded", (json) =>
      new URLSearchParams({ payload: json }).toString(),
    );
    expect(sent).toEqual(shown(at(path).expected));
  }
});

test("as Plex's form, whatever image comes with the JSON", async () => {
  const form = new FormData();
  const { raw, expected } = at("plex/media-play-track");
  form.set("payload", raw);
  form.set("thumb", new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)], { type: "image/jpeg" }), "thumb.jpg");
  const sent = { method: "POST", headers: { authorization: `Bearer ${peal.adminKey}` }, body: form };
  for (const query of ["", "?rewrite=plex"]) {
    const response = await peal.request(`/home/sources${query}`, sent);
    expect(shown(await answer<Shown>(201, response))).toEqual(shown(expected));
  }
});

test("Beszel's title and message are read as Beszel's only on request", async () => {
  const { raw, expected } = at("beszel/down");
  const ask = async (query: string) =>
    shown(await answer<Shown>(201, await peal.api("POST", `/home/sources${query}`, JSON.parse(raw) as object)));
  expect(await ask("?rewrite=beszel")).toEqual(shown(expected));
  expect(await ask("")).toMatchObject({ source: "api", title: "Connection to nas is down 🔴" });
});
