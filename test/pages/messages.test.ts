/** One list of the messages of all topics, over HTTP and without a script (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Draft } from "../../src/drafts/draft.ts";
import type { Topic } from "../../src/topics/topic.ts";
import { draft } from "../store/conformance/engine.ts";
import { newCheck, ping } from "../support/checks.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { examples } from "../support/rounds.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const DAY = 86_400_000;
const clock = heldClock(NOON);
const peal = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example/sub" }, clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const { store } = peal.running.deps;
for (const name of ["lab", "media", "secret"]) await store.namespaces.create(name);
const cookie = await signedIn(peal);
const admin = deskAs(peal, cookie);
const german = deskAs(peal, `${cookie}; lang=de`);
const member = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["home", "lab"] }));

const LIST = "/sub/-/messages";
async function topicIn(namespace: string, name: string): Promise<Topic> {
  const found = await store.namespaces.byName(namespace);
  const topic = found && (await store.topics.create(found.id, { name }));
  if (topic === undefined || typeof topic === "string") throw new Error(topic ?? namespace);
  return topic;
}
const [nas, rack, films, vault] = await Promise.all([
  topicIn("home", "nas"),
  topicIn("lab", "rack"),
  topicIn("media", "films"),
  topicIn("secret", "vault"),
]);
/** Stores the message directly, because a key belongs to one namespace. */
async function say({ namespaceId, id }: Topic, message: string, more: Partial<Draft> = {}): Promise<number> {
  const published = await store.messages.publish({ namespaceId, to: { id }, draft: draft({ message, ...more }) });
  if (published.kind !== "stored") throw new Error(published.kind);
  return published.message.id;
}
/** The headings of the cards on a page, including those of folded runs. */
const cardsIn = (html: string): string[] => [...html.matchAll(/<h3[^>]*>(.*?)<\/h3>/g)].map(([, text = ""]) => text);
const idsIn = (html: string): string[] => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
const olderIn = (html: string): string | undefined =>
  /<p class="line older" data-older><(?:span|a)[^]*?href="([^"]+)"/.exec(html)?.[1]?.replaceAll("&amp;", "&");
/** All pages, one after another. */
async function whole(desk: typeof admin, query = ""): Promise<string[]> {
  const found: string[] = [];
  for (let next: string | undefined = query, pages = 0; next !== undefined; pages++) {
    if (pages > 50) throw new Error("the pages have no end");
    const { status, html } = await desk.get(LIST + next);
    expect([next, status]).toEqual([next, 200]);
    found.push(...cardsIn(html));
    next = olderIn(html);
  }
  return found;
}

describe("the list of all messages", () => {
  test("says when nothing has come yet, and when the visitor sees no namespace", async () => {
    const { status, text } = await admin.get(LIST);
    expect([status, text.includes("No messages yet")]).toEqual([200, true]);
    const alone = deskAs(peal, await signedIn(peal, { name: "nobody", namespaces: [] }));
    expect((await alone.get(LIST)).text).toContain("There’s no namespace you can see");
    expect((await german.get(LIST)).text).toContain("Noch keine Nachrichten");
  });

  test("requires a sign-in", async () => {
    const answer = await peal.request(LIST, { headers: { accept: "text/html" }, redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, "/sub/-/login?to=%2F-%2Fmessages"]);
  });

  test("has the newest first, by day, each with its namespace and topic; the overview links to it", async () => {
    await say(nas, "yesterday on the nas");
    clock.advance(DAY);
    await say(rack, "the rack is hot", { level: "warning", tags: ["heat"] });
    await say(films, "a film has come");
    const { html, text } = await admin.get(LIST);
    expect(cardsIn(html)).toEqual(["a film has come", "the rack is hot", "yesterday on the nas"]);
    expect(text).toMatch(/Today \w+ 2\d November .*a film has come.* Yesterday \w+ 2\d November/);
    expect(html).toContain(`<a href="/sub/-/topics/${rack.key}" dir="auto">lab / rack</a>`);
    const overview = (await admin.get("/sub/-/?ns=lab")).html;
    expect(overview).toContain(`<a href="/sub/-/messages?ns=lab">All messages</a>`);
    expect(overview).toContain("<span>Messages</span>");
  });

  test("has no duplicate element ids, although messages of different topics share ids, and folds runs within one topic only", async () => {
    for (let n = 1; n <= 3; n++) await say(films, `episode ${n} has come`);
    for (let n = 1; n <= 3; n++) await say(nas, `episode ${n} has come`);
    const { html } = await admin.get(LIST);
    const ids = idsIn(html);
    expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([]);
    const runs = [...html.matchAll(/<summary id="r[^"]+">(.*?)<\/summary>/g)].map(([, run = ""]) => textOf(run));
    expect(runs.map((run) => run.trim().replace(/,.*/, ""))).toEqual([
      "episode 3 has come home / nas ×3",
      "episode 3 has come media / films ×3",
    ]);
  });

  test("keeps cards of one alert together, and those of another topic apart", async () => {
    const alert: Partial<Draft> = { dedup_key: "disk", status: "firing", level: "warning" };
    for (const topic of [nas, rack, nas]) await say(topic, `disk of ${topic.name}`, alert);
    const { html } = await admin.get(LIST);
    expect(cardsIn(html).slice(0, 2)).toEqual(["disk of nas", "disk of rack"]);
    expect(cardsIn(html).filter((card) => card.startsWith("disk of"))).toHaveLength(2);
    for (const topic of [nas, rack]) await say(topic, "disk is fine", { ...alert, status: "resolved" });
  });

  test("shows what is requested: a level, what is urgent, a tag, words, one namespace; and counts each filter's messages on the page", async () => {
    const { html } = await admin.get(LIST);
    expect(html).toContain('Warning<span class="num" data-count="warning">');
    expect(html).toContain('Error<span class="num" data-count="error">0<');
    expect(html).toContain("data-counted hidden>"); // there are no older ones
    await say(vault, "the rack burns", { level: "error", priority: "urgent" });
    const asked = async (query: string) => cardsIn((await admin.get(LIST + query)).html);
    expect(await asked("?level=error")).toEqual(["the rack burns"]);
    expect(await asked("?priority=urgent")).toEqual(["the rack burns"]);
    expect(await asked("?tag=heat")).toEqual(["the rack is hot"]);
    expect(await asked("?q=RACK%20the")).toEqual(["the rack burns", "the rack is hot"]);
    expect(await asked("?q=the+rack&ns=lab")).toEqual(["the rack is hot"]);
    const none = await admin.get(`${LIST}?q=nowhere`);
    expect([cardsIn(none.html), none.text.includes("No messages match “nowhere”")]).toEqual([[], true]);
    for (const query of ["?level=loud", "?before=x", "?open=maybe"])
      expect((await admin.get(LIST + query)).status).toBe(400);
  });
});

describe("messages of another namespace cannot be seen", () => {
  test("neither in the list, nor by a search, nor by any cursor", async () => {
    await say(vault, "combination 4711 opens it", { level: "error", priority: "urgent", ack: true, tags: ["safe"] });
    const seq = await store.messages.lastSeq();
    const queries = ["", "?q=combination", "?q=4711", "?level=error", "?priority=urgent", "?open=true", "?tag=safe"];
    const places = [
      `?before=${seq + 1}`,
      `?before=${Number.MAX_SAFE_INTEGER}`,
      "?ns=secret",
      `?ns=secret&before=${seq + 1}`,
    ];
    for (const query of [...queries, ...places]) {
      const { status, html } = await member.get(LIST + query);
      expect(status).toBe(200);
      for (const word of ["opens it", "vault", vault.key]) expect([query, html.includes(word)]).toEqual([query, false]);
      expect(cardsIn(html).filter((card) => card.includes("film"))).toEqual([]);
    }
    expect((await admin.get(LIST)).html).toContain("combination 4711 opens it");
  });

  test("nor can anyone act on them", async () => {
    const id = await say(vault, "stays", { ack: true, priority: "urgent" });
    for (const act of ["acknowledge", "delete", "undo"])
      expect((await member.post(`${LIST}/${vault.key}/${id}/${act}?from=messages`)).status).toBe(404);
    expect((await admin.get(`${LIST}?q=stays`)).html).toContain("stays");
    await admin.post(`${LIST}/${vault.key}/${id}/delete`);
  });
});

test("contains each message once and in its place, however it is filtered: its pages are consecutive parts of a plain list", async () => {
  const [one, two] = await Promise.all([topicIn("lab", "one"), topicIn("media", "two")]);
  const plain: { text: string; namespace: string; level: string }[] = [];
  const sent = fc.record({
    isOne: fc.boolean(),
    level: fc.constantFrom("info" as const, "error" as const, "warning" as const),
  });
  for (const [n, { isOne, level }] of fc.sample(sent, 230).entries()) {
    const text = `#${n.toString(36).replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)] ?? "")}.`;
    await say(isOne ? one : two, text, { level, tags: ["plain"] }); // all at the same time, because the clock stands still
    plain.unshift({ text, namespace: isOne ? "lab" : "media", level });
  }
  const filter = fc.record(
    { level: fc.constantFrom("info", "error", "warning"), ns: fc.constantFrom("lab", "media"), q: fc.constant("#") },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(filter, fc.boolean(), async (asked, isMember) => {
      const expected = plain.filter(
        ({ namespace, level }) =>
          (asked.level === undefined || level === asked.level) &&
          (asked.ns === undefined || (isMember && asked.ns === "media") || namespace === asked.ns) &&
          (!isMember || namespace === "lab"),
      );
      const query = new URLSearchParams({ tag: "plain", ...asked }).toString();
      expect(await whole(isMember ? member : admin, `?${query}`)).toEqual(expected.map(({ text }) => text));
    }),
    { numRuns: examples(25) },
  );
  for (const { id } of [one, two]) await store.topics.remove(id);
  expect(await whole(admin, "?tag=plain")).toEqual([]);
});

describe("what rings", () => {
  test("is on top, and alone on request, including alerts of checks; acknowledging returns to the same view", async () => {
    const id = await say(rack, "the rack burns", { priority: "urgent", ack: true, level: "error" });
    const check = await newCheck(peal, { name: "backup", every: "1d", topic: "checks" });
    await ping(peal, `${check.ping_url.replace("https://peal.example", "")}/fail`);
    const top = await admin.get(LIST);
    expect(top.text).toMatch(/Open now .*the rack burns.*All Unacknowledged Urgent/);
    expect((await admin.get(`${LIST}?level=info`)).text).not.toContain("Open now");
    const open = await admin.get(`${LIST}?open=true`);
    expect(cardsIn(open.html).map((card) => card.replace(/ is down.*/, ""))).toContain("the rack burns");
    expect(open.text).toContain("backup");
    expect(open.html).toContain('aria-current="true">Unacknowledged</a>');

    const [, action = ""] =
      new RegExp(`action="([^"]+/${id}/acknowledge[^"]*)"`).exec(
        (await admin.get(`${LIST}?q=burns&level=error&ns=lab`)).html,
      ) ?? [];
    const done = await admin.done(action.replaceAll("&amp;", "&"));
    expect(new URL(done.path, "http://e").pathname).toBe(LIST);
    expect(Object.fromEntries(new URL(done.path, "http://e").searchParams)).toEqual({
      q: "burns",
      level: "error",
      ns: "lab",
    });
    expect(done.text).toContain(`Message ${id} acknowledged`);
    expect(cardsIn((await admin.get(`${LIST}?open=true`)).html)).not.toContain("the rack burns");

    const ack = await admin.post(`/sub/-/checks/${check.id}/ack`, { from: "messages" });
    expect(ack.location).toBe(LIST);
    expect((await admin.get(`${LIST}?open=true&ns=home`)).text).toContain("Everything is acknowledged");
    expect((await german.get(`${LIST}?open=true&ns=home`)).text).toContain("Alles ist bestätigt");
  });

  test("a message that is deleted from it can be restored from it", async () => {
    const id = await say(nas, "delete me");
    const { html } = await admin.get(`${LIST}?q=delete`);
    const [, action = ""] = new RegExp(`action="([^"]+/${id}/delete[^"]*)"`).exec(html) ?? [];
    const gone = await admin.done(action.replaceAll("&amp;", "&"));
    expect(gone.path).toBe(`${LIST}?q=delete`);
    expect([cardsIn(gone.html), gone.text.includes(`Message ${id} deleted`)]).toEqual([[], true]);
    const [, undo = ""] = /action="([^"]+\/undo[^"]*)"/.exec(gone.html) ?? [];
    const back = await admin.done(undo.replaceAll("&amp;", "&"));
    expect([back.path, cardsIn(back.html)]).toEqual([`${LIST}?q=delete`, ["delete me"]]);
  });

  test("and what is muted is listed there", async () => {
    await admin.post("/sub/-/settings/mute", { for: "hour" });
    const { html, text } = await admin.get(LIST);
    expect(text).toContain("Everything is muted until");
    expect(html).toContain('<input type="hidden" name="from" value="messages">');
    const loud = await admin.post("/sub/-/settings/mute", { from: "messages", for: "off" });
    expect(loud.location).toBe(LIST);
  });
});
