/** `peal import gotify`: applications become topics, and their tokens work on (docs/moving.md). */
import { expect, test } from "bun:test";
import { inProcess } from "../support/server.ts";
import { historyOf, imported, result } from "./importing.ts";

const SECONDS = Math.floor(Date.now() / 1000);

/**
 * Gotify's API as far as an import asks it (https://gotify.net/api-docs, api/message.go: newest first, pages by `since`). An import
 * from Gotify 2.6.3 was compared with it by hand.
 */
function fakeGotify(messages: number) {
  const all = Array.from({ length: messages }, (_, n) => ({
    ...{ id: n + 1, appid: 7, message: `message ${n + 1}`, title: "Sonarr", priority: 8 },
    date: new Date((SECONDS - messages + n) * 1000).toISOString(),
    extras: { "client::notification": { click: { url: "https://sonarr.example/" } } },
  }));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.headers.get("x-gotify-key") !== "CclientToken123")
        return Response.json({ error: "Unauthorized" }, { status: 401 });
      if (pathname === "/application")
        return Response.json([
          {
            ...{ id: 7, token: "AbcdefghijklmnO", name: "Sonarr (TV)", description: "Series" },
            ...{ internal: false, defaultPriority: 0 },
          },
        ]);
      const since = Number(searchParams.get("since") ?? 0);
      const limit = Number(searchParams.get("limit"));
      const left = all.toReversed().filter(({ id }) => since === 0 || id < since);
      const page = left.slice(0, limit);
      const last = page.at(-1)?.id ?? 0;
      const next = left.length > limit ? { next: `${pathname}?since=${last}` } : {};
      return Response.json({ paging: { ...next, size: page.length, since: last, limit }, messages: page });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: async () => server.stop(true) };
}

test("Gotify's applications become topics, and their tokens work on", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(450);
  const env = { PEAL_IMPORT_TOKEN: "CclientToken123" };
  const args = ["gotify", "--url", gotify.url];
  const dry = await result(peal, args, env);
  expect(dry.counts).toEqual({ topic: { created: 1 }, hook: { created: 1 }, message: { created: 450 } });
  await result(peal, [...args, "--apply"], env);
  const history = await historyOf(peal, "Sonarr-TV");
  expect(history.length).toBe(450);
  expect(history.map(({ message }) => message)).toEqual(Array.from({ length: 450 }, (_, n) => `message ${n + 1}`));
  expect(history[0]).toMatchObject({ title: "Sonarr", priority: "high", url: "https://sonarr.example/" });
  const sent = await peal.request("/message?token=AbcdefghijklmnO", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "after the move", priority: 5 }),
  });
  expect(sent.status).toBe(200);
  expect((await historyOf(peal, "Sonarr-TV")).at(-1)).toMatchObject({ id: 451, message: "after the move" });
  const again = await result(peal, [...args, "--apply"], env);
  expect(again.counts).toEqual({ topic: { exists: 1 }, hook: { exists: 1 }, message: { exists: 450 } });
}, 60_000);

test("a hook that took the token of a Gotify application does not show another one", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(0);
  await result(peal, ["gotify", "--url", gotify.url, "--apply"], { PEAL_IMPORT_TOKEN: "CclientToken123" });
  const { hooks } = (await (await peal.api("GET", "/v1/home/hooks")).json()) as { hooks: Record<string, unknown>[] };
  expect(hooks).toMatchObject([{ name: "Sonarr (TV)", as: "gotify", topic_name: "Sonarr-TV" }]);
  expect(hooks[0]).not.toHaveProperty("gotify_token");
});

test("a wrong token of Gotify is told in words, and the token is not", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(0);
  const { code, stderr } = await imported(peal, ["gotify", "--url", gotify.url], {
    PEAL_IMPORT_TOKEN: "CwrongToken1234",
  });
  expect([code, stderr.trim()]).toEqual([1, "peal: /application answers 401: the token isn't valid there"]);
});
