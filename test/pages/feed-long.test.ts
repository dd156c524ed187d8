/** A feed of long messages: its pages are shorter, and every message is on one of them (WEB.md §4). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { startPeal, type Peal } from "../support/server.ts";

const COUNT = 20;
/** Upper limits in bytes: of the text on a page, and of the markup around it. */
const MOST = 400_000;

let peal: Peal;
let topic: TestTopic;
beforeAll(async () => {
  peal = await startPeal();
  topic = await peal.topic("long");
  for (let n = 1; n <= COUNT; n++)
    await peal.publish(topic, { message: `${n} ${"word ".repeat(6_000)}`, format: "markdown" });
}, 60_000);
afterAll(async () => peal[Symbol.asyncDispose]());

const get = async (path: string): Promise<string> => {
  const answer = await peal.request(path, { headers: { accept: "text/html" } });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  expect(text.length).toBeLessThan(MOST);
  return text;
};
const feed = () => `/home/${topic.key}`;
const all = Array.from({ length: COUNT }, (_, n) => COUNT - n);
const idsOf = (html: string) => [...html.matchAll(/<article [^>]*id="m(\d+)"/g)].map(([, id]) => Number(id));

test("the link to older messages leads through all of them, each once", async () => {
  const seen: number[] = [];
  for (let path: string | undefined = feed(); path !== undefined;) {
    const page = await get(path);
    seen.push(...idsOf(page));
    const [, query] = /data-older><a class="btn" href="(\?before=\d+)"/.exec(page) ?? [];
    path = query === undefined ? undefined : feed() + query;
  }
  expect(seen).toEqual(all);
});

test("the fragment of new cards says when there are more than it contains", async () => {
  const fragment = await get(`${feed()}?since=0`);
  expect(idsOf(fragment)).toEqual(all.slice(0, idsOf(fragment).length));
  expect(fragment).toContain(`data-last="${COUNT}" data-more>`);
  expect(idsOf(await get(`${feed()}?since=${COUNT - 1}`))).toEqual([COUNT]);
});

test("Atom and JSON Feed link to the page of older messages", async () => {
  const forms = [
    {
      path: `${feed()}/feed.atom`,
      next: /<link rel="next" href="([^"]+)"/,
      ids: /<id>[^<]*\?before=\d+#m(\d+)<\/id>/g,
    },
    { path: `${feed()}/feed.json`, next: /"next_url":"([^"]+)"/, ids: /"id":"[^"]*\?before=\d+#m(\d+)"/g },
  ];
  for (const form of forms) {
    const seen: number[] = [];
    for (let path: string | undefined = form.path; path !== undefined;) {
      const text = await get(path);
      seen.push(...[...text.matchAll(form.ids)].map(([, id]) => Number(id)));
      const url = form.next.exec(text)?.[1];
      path = url === undefined ? undefined : url.slice(url.indexOf("/home/"));
    }
    expect(seen).toEqual(all);
  }
});

test("an acknowledgement returns to the card, on whichever page that is", async () => {
  const asks = { message: "look", priority: "urgent", ack: true };
  const { id } = (await peal.publish(topic, asks)) ?? { id: 0 };
  const acknowledge = async () =>
    (await peal.request(`${feed()}/messages/${id}/ack`, { method: "POST", redirect: "manual" })).headers.get(
      "location",
    );
  expect(await acknowledge()).toBe(`${feed()}#m${id}`);
  for (let n = 0; n < 10; n++) await peal.publish(topic, { message: "word ".repeat(6_000) });
  expect(await acknowledge()).toBe(`${feed()}?before=${id + 1}#m${id}`);
});
