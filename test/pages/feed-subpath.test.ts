/** Pages of a server below a base path: their links begin with it. */
import { afterAll, expect, test } from "bun:test";
import { inProcess } from "../support/server.ts";

const PAGE = { headers: { accept: "text/html" } };
const below = await inProcess({ env: { PEAL_BASE_URL: "https://e.org/peal" } });
afterAll(async () => below[Symbol.asyncDispose]());

test("each feed is a separate app, also below a path: only to such an app does a Home Screen allow push", async () => {
  const { key } = await below.topic("backups");
  const start = `/peal/home/${key}`;
  const page = await (await below.request(start, PAGE)).text();
  const [, manifest = ""] = /<link rel="manifest" href="([^"]+)"/.exec(page) ?? [];
  const answer = await below.request(manifest);
  expect(answer.headers.get("content-type")).toBe("application/manifest+json");
  const app = (await answer.json()) as { icons: { src: string }[] };
  expect(app).toMatchObject({
    id: start,
    start_url: start,
    scope: "/peal/",
    display: "standalone",
    short_name: "backups",
  });
  for (const { src } of app.icons) expect((await below.request(src)).status).toBe(200);
});

test("below a subpath every link of a page begins with it", async () => {
  const topic = await below.topic("sub");
  await below.publish(topic, { message: "x", tags: ["a"] });
  for (const path of [`/home/${topic.key}`, `/peal/home/${topic.key}`, "/peal/docs", "/nope", "/peal/-/setup"]) {
    const page = await (await below.request(path, PAGE)).text();
    const links = [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, link]) => link);
    expect(links.length).toBeGreaterThan(2);
    expect(links.filter((link) => link?.startsWith("/peal/") !== true)).toEqual([]);
  }
  expect((await below.request(`/peal/${topic.key}`)).headers.get("location")).toBe(`/peal/home/${topic.key}`);
});
