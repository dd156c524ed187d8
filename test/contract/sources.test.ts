/** What tools post by themselves, black-box: nobody says whose it is, the body and its headers tell (docs/design/REWRITES.md §1, §8). */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { messagesBy, newHook, post as postTo } from "../support/hooks.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

const PAYLOADS = join(import.meta.dir, "../rewrites/payloads");
const fixtures = readdirSync(PAYLOADS, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".json") && !/\.(?:expected|headers)\.json$/.test(file))
  .map((file) => file.slice(0, -".json".length));

interface Shown {
  source: string;
  title: string;
  level: string;
  priority: string;
  url?: string;
  dedup_key?: string;
  status?: string;
}
/** What does not depend on the time. */
const shown = ({ source, title, level, priority, url, dedup_key, status }: Shown): Shown =>
  JSON.parse(JSON.stringify({ source, title, level, priority, url, dedup_key, status })) as Shown;

const read = (path: string) => readFileSync(join(PAYLOADS, path), "utf8");
const isOurs = (json: string) =>
  Object.keys(JSON.parse(json) as object).every((name) => name === "title" || name === "message");

async function post(path: string, type: string, encode: (json: string) => string): Promise<Shown> {
  const headers = headersOf(path);
  const response = await peal.request("/home/sources", {
    method: "POST",
    headers: { authorization: `Bearer ${peal.adminKey}`, ...headers, "content-type": type },
    body: encode(read(`${path}.json`)),
  });
  return shown(await answer<Shown>(201, response));
}

function expected(path: string): Shown {
  const [folder = ""] = path.split("/");
  const draft = JSON.parse(read(`${path}.expected.json`)) as Shown;
  return shown({ ...draft, source: `rewrite:${folder === "grafana" ? "alertmanager" : folder}` });
}

// a title and a message are a message of ours, whoever posts them
const foreign = fixtures.filter((path) => !isOurs(read(`${path}.json`)));

test.each(foreign)("%s", async (path) => {
  expect(await post(path, "application/json", (json) => json)).toEqual(expected(path));
});

const headersOf = (path: string): Record<string, string> =>
  existsSync(join(PAYLOADS, `${path}.headers.json`))
    ? (JSON.parse(read(`${path}.headers.json`)) as Record<string, string>)
    : {};

test("at the URL of a hook, and in the dialect of its own", async () => {
  const hook = await newHook(peal, { topic: "hooked" });
  const told: Shown[] = [];
  for (const path of foreign) {
    const [folder = ""] = path.split("/");
    const urls = [hook.url, ...(["slack", "discord", "github"].includes(folder) ? [`${hook.url}/${folder}`] : [])];
    for (const url of urls) {
      const sent = await postTo(peal, url, read(`${path}.json`), {
        ...headersOf(path),
        "content-type": "application/json",
      });
      expect([path, sent.ok]).toEqual([path, true]);
      told.push(expected(path));
    }
  }
  expect(told.length).toBeGreaterThan(foreign.length + 20);
  expect((await messagesBy(peal, hook)).map((message) => shown(message as unknown as Shown))).toEqual(told);
});

test("as a form, as GitHub and Slack's clients send it too", async () => {
  for (const path of ["github/workflow-failed", "gitea/push", "slack/netdata-critical"]) {
    const sent = await post(path, "application/x-www-form-urlencoded", (json) =>
      new URLSearchParams({ payload: json }).toString(),
    );
    expect(sent).toEqual(expected(path));
  }
});

test("as Plex's form, whatever image is beside the JSON", async () => {
  const form = new FormData();
  form.set("payload", read("plex/media-play-track.json"));
  form.set("thumb", new Blob([Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)], { type: "image/jpeg" }), "thumb.jpg");
  const sent = { method: "POST", headers: { authorization: `Bearer ${peal.adminKey}` }, body: form };
  for (const query of ["", "?rewrite=plex"]) {
    const response = await peal.request(`/home/sources${query}`, sent);
    expect(shown(await answer<Shown>(201, response))).toEqual(expected("plex/media-play-track"));
  }
});

test("Beszel's title and message are told as Beszel's where that was asked for", async () => {
  const sent = {
    method: "POST",
    headers: { authorization: `Bearer ${peal.adminKey}`, "content-type": "application/json" },
  };
  const ask = async (query: string) =>
    shown(
      await answer<Shown>(
        201,
        await peal.request(`/home/sources${query}`, { ...sent, body: read("beszel/down.json") }),
      ),
    );
  expect(await ask("?rewrite=beszel")).toEqual(expected("beszel/down"));
  expect(await ask("")).toMatchObject({ source: "api", title: "Connection to nas is down 🔴" });
});
