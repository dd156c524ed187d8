/**
 * What the dashboard's page of a topic shows about how messages were sent: what was left out, and bodies of unknown
 * shape (WEB.md §3).
 */
import { describe, expect, test } from "bun:test";
import { answer, type TestTopic } from "../../support/client.ts";
import { deskAs } from "../../support/desk.ts";
import { eventually } from "../../support/eventually.ts";
import { newHook, patchedHook, post } from "../../support/hooks.ts";
import { signedIn } from "../../support/signin.ts";
import { connection, open, startBrowsing } from "../browser.ts";

const { peal, browser } = await startBrowsing();
const cookie = await signedIn(peal, { name: "jonas" });
const desk = deskAs(peal, cookie);

const at = (topic: TestTopic, tab = "") => `/-/topics/${topic.key}${tab}`;
async function send(topic: TestTopic, body: unknown, { query = "", agent = "Foobar/1.2" } = {}): Promise<number> {
  const response = await peal.request(`/home/${topic.name}?${query}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${peal.adminKey}`,
      "content-type": "application/json",
      "user-agent": agent,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: number }).id;
}
const UNKNOWN = {
  disk: { name: "sda<b>", temperature: 71, url: "https://u:hunter1@h.example/?token=hunter2&a=1" },
  credentials: { user: "root", words: ["hunter3"] },
  note: "<script>alert(1)</script>",
};
/** The disclosures on a page with this title. */
const disclosures = (html: string, title: string) =>
  [...html.matchAll(/<details class="past">(.*?)<\/details>/gs)].flatMap(([, inside = ""]) =>
    inside.includes(`<summary>${title}`) ? inside : [],
  );

describe("a body of no known shape", () => {
  test("is on its card for people who may change the topic, escaped and without its secrets, and nowhere else", async () => {
    const topic = await peal.topic("unknown");
    const id = await send(topic, UNKNOWN);
    const { html } = await desk.get(at(topic));
    const [came = "", ...more] = disclosures(html, "Original request");
    expect(more).toEqual([]);
    expect(came).toContain("Foobar/1.2 · application/json");
    expect(came).toContain("    &quot;name&quot;: &quot;sda&lt;b&gt;&quot;,\n    &quot;temperature&quot;: 71,");
    expect(came).toContain("https://h.example/?a=1");
    expect(came).toContain("&quot;credentials&quot;: &quot;…&quot;");
    expect(html).not.toMatch(/hunter\d|<script>alert/);
    const [feed, history, one] = await Promise.all(
      [new URL(topic.url).pathname, `/v1/home/${topic.key}/messages`, `/v1/home/${topic.key}/messages/${id}`].map(
        async (path) => (await peal.request(path, { headers: { accept: "text/html" } })).text(),
      ),
    );
    for (const seen of [feed, history, one]) {
      expect(seen).toContain("temperature");
      expect(seen).not.toMatch(/Original request|application\/json|credentials|left out/);
    }
    const guest = deskAs(peal, await signedIn(peal, { name: "guest", namespaces: [] }));
    expect((await guest.get(at(topic, `/came/${id}`))).status).toBe(404);
  });

  test("that came by a hook is shown as long as the hook keeps it", async () => {
    const topic = await peal.topic("hooked");
    const hook = await newHook(peal, { topic: "hooked" });
    await answer(201, await post(peal, hook.url, UNKNOWN, { "user-agent": "Foobar/1.2" }));
    const [came = "", ...more] = disclosures((await desk.get(at(topic))).html, "Original request");
    expect(more).toEqual([]);
    expect(came).toContain("Foobar/1.2 · application/json");
    expect(came).toContain("&quot;name&quot;: &quot;sda&lt;b&gt;&quot;,");
    expect(came).not.toMatch(/hunter\d|<script>/);
    await answer(201, await post(peal, hook.url, { list: "x".repeat(5_000), last: "end" }));
    const long = await desk.get(at(topic, "/came/2"));
    expect(long.html).toContain("&quot;last&quot;: &quot;end&quot;");
    await patchedHook(peal, hook.id, { keep_requests: false });
    expect(disclosures((await desk.get(at(topic))).html, "Original request")).toEqual([]);
  });

  test("that was sent with a rewrite is shown as well, JSON or not", async () => {
    const topic = await peal.topic("renamed");
    await send(topic, { odd: { shape: 1 } }, { query: "rewrite=komodo" });
    await send(topic, "neither <JSON> nor https://u:hunter1@h.example", { query: "rewrite=komodo" });
    const bodies = disclosures((await desk.get(at(topic))).html, "Original request").join("\n");
    expect(bodies).toContain("&quot;shape&quot;: 1");
    expect(bodies).toContain("neither &lt;JSON&gt; nor https://h.example");
  });

  test("that is long is on a separate page, as far as it is kept", async () => {
    const topic = await peal.topic("long");
    const short = await send(topic, { list: "x".repeat(5_000), last: "end" });
    const long = await send(topic, { list: Array.from({ length: 20_000 }, (_, n) => n) });
    const { html } = await desk.get(at(topic));
    expect(html).not.toContain("x".repeat(1_000));
    const links = [...html.matchAll(/href="([^"]+)">Show it all/g)].map(([, href]) => href);
    expect(links).toEqual([long, short].map((id) => at(topic, `/came/${id}`)));
    const all = await desk.get(at(topic, `/came/${short}`));
    expect(all.text).toContain(`Original request for message ${short}`);
    expect(all.html).toContain(`${"x".repeat(5_000)}&quot;,\n  &quot;last&quot;: &quot;end&quot;\n}`);
    expect(all.text).not.toContain("There was more");
    const cut = await desk.get(at(topic, `/came/${long}`));
    expect(cut.text).toContain("There was more: only the first 64 KiB is kept.");
    expect(cut.html.length).toBeLessThan(120_000);
  });

  test("is not shown for bodies that were understood, and its page does not exist", async () => {
    const topic = await peal.topic("plain");
    const id = await send(topic, { message: "all is well" });
    expect((await desk.get(at(topic))).html).not.toMatch(/Original request|left out/);
    for (const path of [`/came/${id}`, "/came/99", "/came/x", "/came/0"])
      expect((await desk.get(at(topic, path))).status).toBe(404);
  });

  test("is shown again with a deleted message that is restored", async () => {
    const topic = await peal.topic("taken-back");
    const id = await send(topic, UNKNOWN);
    await desk.done(`/-/messages/${topic.key}/${id}/delete`);
    expect((await desk.get(at(topic, `/came/${id}`))).status).toBe(404);
    const { html } = await desk.done(`/-/messages/${topic.key}/${id}/undo-delete`);
    expect(disclosures(html, "Original request").join()).toContain("temperature");
  });
});

describe("fields that were left out", () => {
  test("are counted over the last messages, each listed once with the newest message that had it", async () => {
    const topic = await peal.topic("left-out");
    await send(topic, { message: "m", titel: "T" });
    const { text: first } = await desk.get(at(topic));
    expect(first).toContain("The last message had fields that were left out");
    const newest = await send(topic, { message: "m", titel: "T", ack: true });
    for (let n = 0; n < 3; n++) await send(topic, { message: "m" });
    const { html } = await desk.get(at(topic));
    const [note = "", ...more] = disclosures(html, "2 of the last 5\u00a0messages had fields that were left out");
    expect(more).toEqual([]);
    const items = [...note.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = ""]) => item.replaceAll(/<[^>]+>/g, ""));
    expect(items).toEqual([
      `/titel is not a field; did you mean title? message ${newest}`,
      `/ack can only be used with priority urgent message ${newest}`,
    ]);
    expect(note).toContain(`href="${at(topic, `/came/${newest}`)}"`);
    const page = await desk.get(at(topic, `/came/${newest}`));
    expect(page.text).toContain("Left out:");
    expect(disclosures(html, "Original request")).toHaveLength(2);
    const older = await desk.get(`${at(topic)}?before=3`);
    expect(older.text).not.toContain("had fields that were left out");
  });

  test("are shown in German, their reasons in the words of the API", async () => {
    const topic = await peal.topic("auf-deutsch");
    await send(topic, { message: "m", titel: "T" });
    await send(topic, UNKNOWN);
    const { html, text } = await deskAs(peal, `${cookie}; lang=de`).get(at(topic));
    expect(text).toContain("Bei 1 der letzten 2 Nachrichten wurden Felder weggelassen");
    expect(text).toContain("Was ankam");
    expect(html).toContain('<span lang="en">is not a field; did you mean <code>title</code>?</span>');
  });
});

describe("in a browser", () => {
  test("both open without a script, and no body is wider than a phone", async () => {
    const topic = await peal.topic("by-hand");
    await send(topic, { message: "m", titel: "T" });
    await send(topic, { wide: "w".repeat(500), deep: UNKNOWN });
    await using opened = await open(browser, {
      session: { cookie, url: peal.url },
      javaScriptEnabled: false,
      viewport: { width: 320, height: 700 },
    });
    const { page } = opened;
    await page.goto(peal.url + at(topic));
    const body = page.locator("article .came pre").first();
    expect(await body.isVisible()).toBe(false);
    await page.locator("article summary", { hasText: "Original request" }).first().click();
    expect(await body.innerText()).toContain('"temperature": 71');
    const isWider = "[...document.querySelectorAll('html, .came pre')].map((one) => one.scrollWidth > one.clientWidth)";
    expect(await page.evaluate(isWider)).toEqual([false, false]);
    await page.locator("summary", { hasText: "1 of the last 2" }).click();
    await page.getByRole("link", { name: "message 1" }).click();
    expect(await page.locator("h2").first().innerText()).toBe("Original request for message 1");
    await page.goto(`${peal.url}${at(topic, "/came/2")}`);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(320);
  });

  test("what is open stays open when more arrives, and the note continues to count", async () => {
    const topic = await peal.topic("goes-on");
    await send(topic, UNKNOWN);
    await using opened = await open(browser, {
      session: { cookie, url: peal.url },
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const { page } = opened;
    await page.goto(peal.url + at(topic));
    await connection(page, "Live");
    await page.locator("summary", { hasText: "Original request" }).click();
    await send(topic, { message: "m", titel: "T" });
    await page.locator("summary", { hasText: "1 of the last 2" }).waitFor();
    const first = page.locator("article", { hasText: "temperature" });
    expect(await first.locator(".came pre").isVisible()).toBe(true);
    await send(topic, { message: "m", titel: "T" });
    await first.locator(".menu > summary").click();
    await first.getByRole("button", { name: "Copy text" }).click();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toContain("disk.temperature: 71"); // the message, without what it was made from
    expect(copied).not.toContain('"disk"');
    await eventually("the note to count on", async () =>
      page.locator("summary", { hasText: "2 of the last 3" }).isVisible(),
    );
  });
});
