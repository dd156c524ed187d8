/** A ping URL is a capability: shown to key holders, stored as a hash, and never logged (CHECKINS.md §2). */
import { describe, expect, test } from "bun:test";
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { actOn, checkOf, kindsOf, newCheck, ping, pingKeyUrl } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { keptLog } from "../support/log.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";

const OK: [number, string] = [200, "ok"];
const secretOf = (peal: TestServer) => join(peal.dataDir, "secret");
const pingKey = async (peal: TestServer) => answer<object>(200, await peal.api("GET", "/v1/home/ping-key"));

/** A check that was made before `change` was done to the secret's file, and the server restarted. */
async function without(change: (file: string) => Promise<void>) {
  const { log, lines } = keptLog();
  const peal = await inProcess({ log });
  const check = await newCheck(peal, { slug: "job", every: "1d" });
  const byKey = await pingKeyUrl(peal);
  await peal.running.stop();
  await change(secretOf(peal));
  await peal.restart();
  return { ...check, byKey, peal, lines, [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose]() };
}

describe("the server's secret", () => {
  test("is made with the first check, readable by its owner only, and stays", async () => {
    await using peal = await startPeal();
    await ping(peal, "/v1/ping/0123456789abcdefghjkmnpqrs");
    expect(await readdir(peal.dataDir)).not.toContain("secret");
    const { id, ping_url } = await newCheck(peal);
    const { mode, size } = await stat(secretOf(peal));
    expect([mode & 0o777, size]).toEqual([0o600, 32]);
    expect((await readdir(peal.dataDir)).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
    const byKey = await pingKeyUrl(peal);
    await peal.kill("SIGKILL");
    await peal.start();
    expect(await checkOf(peal, id)).toMatchObject({ ping_url });
    expect(await pingKeyUrl(peal)).toBe(byKey);
  });

  test("that is lost leaves every URL working; a URL is shown again once it is rotated", async () => {
    await using found = await without(async (file) => rm(file));
    const { peal, id, ping_url, byKey } = found;
    for (const url of [ping_url, `${byKey}/job`]) expect(await ping(peal, `${url}/log`)).toEqual(OK);
    expect(await checkOf(peal, id)).not.toHaveProperty("ping_url");
    expect(await pingKey(peal)).toEqual({});
    expect(found.lines.join("\n")).toContain("the secret of the ping URLs was lost");
    expect(await checkOf(peal, (await newCheck(peal)).id)).toHaveProperty("ping_url");

    const rotated = await actOn(peal, id, "rotate");
    for (const url of [ping_url, rotated.ping_url]) expect(await ping(peal, `${url}/log`)).toEqual(OK);
    expect(await answer<object>(200, await peal.api("POST", "/v1/home/ping-key/rotate"))).toHaveProperty("ping_key");
    expect(await ping(peal, `${await pingKeyUrl(peal)}/job/log`)).toEqual(OK);
    expect(await kindsOf(peal, id)).toEqual(Array<string>(5).fill("log"));
  });

  test("that is damaged is not replaced: pings still work, and the log says what to do", async () => {
    await using found = await without(async (file) => writeFile(file, "short"));
    const { peal, id, ping_url } = found;
    expect(await ping(peal, ping_url)).toEqual(OK);
    expect(await answer(500, await peal.api("GET", `/v1/home/checks/${id}`))).toMatchObject({ code: "internal" });
    expect(found.lines.join("\n")).toContain("is damaged. Put the copy of a backup in its place");
    expect(await readFile(secretOf(peal), "utf8")).toBe("short");
  });
});

test("no token is in a log, a metric or an error, nor in any file of the server", async () => {
  await using peal = await startPeal({ env: { PEAL_LOG: "debug" } });
  const { id, ping_url, topic } = await newCheck(peal, { slug: "job", every: "1d", topic: "told" });
  const byKey = await pingKeyUrl(peal);
  const unknown = "7777777777aaaaaaaaaabbbbbb";
  peal.secrets.add(unknown);
  const urls = [ping_url, `${byKey}/job`, ping_url.replace("/v1/ping/", "/api/push/"), `/v1/ping/${unknown}`];
  const suffixes = ["", "/start", "/fail", "/1", "/nothing", "/start/x/y", "?create=1&every=x", "/%E0", "/"];
  const answers = await Promise.all(
    urls.flatMap((url) =>
      suffixes.flatMap((suffix) =>
        ["GET", "POST", "DELETE", "OPTIONS"].map(async (method) =>
          (await peal.request(url + suffix, { method, headers: { referer: peal.url + url } })).text(),
        ),
      ),
    ),
  );
  await actOn(peal, id, "rotate");
  await actOn(peal, id, "test");
  const metrics = await (await peal.request("/metrics")).text();
  const messages = JSON.stringify(await peal.history({ namespace: "home", key: topic }));
  const log = await (await peal.api("GET", `/v1/home/checks/${id}/events`)).text();
  await peal.kill("SIGTERM");
  const files = await Promise.all(
    (await readdir(peal.dataDir)).map(async (name) => readFile(join(peal.dataDir, name), "latin1").catch(() => "")),
  );
  expect(peal.logs()).toContain("route=/v1/ping/:token/:suffix");
  expect(files.join("").includes(id)).toBe(true); // the check's id shows that the files were read
  const tokens = [...peal.secrets].filter((secret) => /^(?:pk_)?[0-9a-z]{26}$/.test(secret));
  expect(tokens.length).toBeGreaterThanOrEqual(4);
  const written = [peal.logs(), peal.output(), metrics, messages, log, ...answers, ...files].join("\n");
  expect(tokens.filter((token) => written.includes(token))).toEqual([]);
});
