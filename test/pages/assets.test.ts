/** Assets: built from `static/`, small, immutable (WEB.md §1). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateAssets } from "../../src/build/assets.ts";
import { ASSETS } from "../../src/pages/assets.generated.ts";
import { ICONS } from "../../src/pages/layout.tsx";
import { startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => {
  peal = await startPeal();
});
afterAll(async () => peal[Symbol.asyncDispose]());

const textOf = ({ gzip }: { gzip: string }): string =>
  Buffer.from(Bun.gunzipSync(Buffer.from(gzip, "base64"))).toString();

test("assets.generated.ts matches static/: otherwise run npm run assets", async () => {
  expect(await Bun.file("src/pages/assets.generated.ts").text()).toBe(await generateAssets());
});

const KB = 1_024;

/** The limits of scripts for pages that are opened frequently; those of other pages may have 15 KB. */
const BUDGETS = new Map([
  ["peal.css", 8.4],
  ["feed.js", 11],
  ["desk.js", 8],
]);

test("the stylesheet is at most 8.4 KB gzipped, the script of a feed 11 KB, of the dashboard 8 KB", () => {
  const tooLarge = Object.entries(ASSETS).filter(
    ([name, { gzip }]) => Buffer.from(gzip, "base64").length > (BUDGETS.get(name) ?? 15) * KB,
  );
  expect(tooLarge.map(([name]) => name)).toEqual([]);
});

test("the sprite has the symbols that pages use, and no others", () => {
  const symbols = [...textOf(ASSETS["icons.svg"]).matchAll(/<symbol id="(\w+)"/g)].map(([, id]) => id);
  expect(symbols.toSorted()).toEqual([...ICONS].toSorted());
});

test("nothing is loaded from another host", () => {
  for (const asset of Object.values(ASSETS))
    expect(textOf(asset).match(/(?:url\(|@import|from ?["'])[^)"']*:\/\//g) ?? []).toEqual([]);
});

test.each(Object.entries(ASSETS))("%s is immutable, and smaller for clients that accept gzip", async (_, asset) => {
  const text = textOf(asset);
  const plain = await peal.request(asset.path, { headers: { "accept-encoding": "identity" } });
  expect(plain.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(plain.headers.get("content-type")).toBe(asset.type);
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(await plain.text()).toBe(text);
  const packed = await peal.request(asset.path, { headers: { "accept-encoding": "br, gzip" } });
  expect(packed.headers.get("content-encoding")).toBe("gzip");
  expect(packed.headers.get("vary")).toBe("accept-encoding");
  expect(await packed.text()).toBe(text);
});

test.each(["gzip;q=0", "br, gzip; q=0.000", "identity", ""])("Accept-Encoding %p gets no gzip", async (accepted) => {
  const answer = await peal.request(ASSETS["peal.css"].path, { headers: { "accept-encoding": accepted } });
  expect(answer.headers.get("content-encoding")).toBeNull();
});

test("the service worker is revalidated each time, and may contact any host for its buttons and images", async () => {
  const answer = await peal.request("/sw.js");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": "no-cache",
    "content-security-policy": "default-src 'none'; connect-src 'self' https: http:; img-src https: http:",
  });
  const script = await answer.text();
  expect(script).toStartWith('const PEAL={"words":{"en":{"acknowledge":"Acknowledge"');
  expect(Bun.gzipSync(Buffer.from(script)).length).toBeLessThanOrEqual(4 * KB);
  expect(answer.headers.get("content-encoding")).toBe("gzip");
  const headers = { "if-none-match": answer.headers.get("etag") ?? "" };
  expect((await peal.request("/sw.js", { headers })).status).toBe(304);
});

test("an asset of another version is 404", async () => {
  expect((await peal.request("/-/assets/peal.000000000000.css")).status).toBe(404);
});
