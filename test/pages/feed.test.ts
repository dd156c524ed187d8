/** The feed page as the server renders it: complete without a script (WEB.md §1, §4). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { heldClock } from "../support/clock.ts";
import { texts } from "../support/elements.ts";
import { houseHeaders } from "../support/house.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";

const PAGE = { headers: { accept: "text/html" } };

let peal: Peal;
beforeAll(async () => {
  peal = await startPeal({ env: { PEAL_IMAGE_HOSTS: "cam.example.org" } });
});
afterAll(async () => peal[Symbol.asyncDispose]());

const html = async (path: string): Promise<string> => (await peal.request(path, PAGE)).text();

test("every page has the usual headers", async () => {
  const topic = await peal.topic("headers");
  const answers = {
    feed: await peal.request(topic.url, PAGE),
    "not found": await peal.request("/nope", PAGE),
    setup: await peal.request("/-/setup", PAGE),
    docs: await peal.request("/docs", PAGE),
  };
  for (const [name, { headers }] of Object.entries(answers)) {
    const images = name === "feed" ? " cam.example.org" : "";
    expect(Object.fromEntries(headers)).toMatchObject(houseHeaders(images));
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-z]{12}$/);
  }
});

test("a preview of the link names the topic and reveals none of its messages; feed readers find their feeds", async () => {
  const topic = await peal.topic("preview");
  await peal.publish(topic, { title: "Password reset", message: "the code is 4711", level: "error" });
  const page = await html(new URL(topic.url).pathname);
  const [head = "", body = ""] = page.split("</head>");
  expect(body).toContain("4711");
  expect(head).not.toMatch(/4711|reset/i);
  expect(head).toContain('<meta property="og:title" content="preview · peal">');
  expect(head).toContain('<meta property="og:description" content="Messages from a topic in home, live.">');
  for (const [file, type] of [
    ["feed.atom", "application/atom+xml"],
    ["feed.json", "application/feed+json"],
  ] as const) {
    const link = head.match(new RegExp(`<link rel="alternate" type="${type.replace("+", "[+]")}"[^>]* href="([^"]+)"`));
    expect(link?.[1]).toEndWith(`/${topic.key}/${file}`);
    expect((await peal.request(link?.[1] ?? "")).headers.get("content-type")).toStartWith(type);
  }
});

test("a feed announces its stylesheet in a header; what a script requests later does not", async () => {
  const topic = await peal.topic("styled");
  const page = await peal.request(topic.url, PAGE);
  const [, style = ""] = /<link rel="stylesheet" href="([^"]+)"/.exec(await page.text()) ?? [];
  expect(style).toMatch(/^\/-\/assets\/peal\.[0-9a-f]+\.css$/);
  expect(page.headers.get("link")).toBe(`<${style}>; rel=preload; as=style`);
  expect((await peal.request(`${topic.url}?since=0`, PAGE)).headers.get("link")).toBeNull();
});

test("a feed is compressed for clients that accept that, and is the same page", async () => {
  const topic = await peal.topic("packed");
  for (let n = 0; n < 50; n++) await peal.publish(topic, { message: `line ${n}` });
  const asked = async (encoding: string) => {
    const headers = { ...PAGE.headers, "accept-encoding": encoding };
    const response = await fetch(new URL(topic.url, peal.url), { headers, decompress: false });
    return { headers: response.headers, bytes: new Uint8Array(await response.arrayBuffer()) };
  };
  const [plain, packed, refused] = [await asked("identity"), await asked("br, gzip"), await asked("gzip;q=0")];
  expect([plain, packed, refused].map(({ headers }) => headers.get("content-encoding"))).toEqual([null, "gzip", null]);
  expect(packed.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(packed.headers.get("vary")).toContain("accept-encoding");
  const bare = (bytes: Uint8Array) => new TextDecoder().decode(bytes).replaceAll(/ data-at="\d+"/g, "");
  expect(bare(Bun.gunzipSync(packed.bytes))).toBe(bare(plain.bytes));
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
});

test("no page contains an inline script or style", async () => {
  const topic = await peal.topic("inline");
  await peal.publish(topic, { message: "x", format: "markdown", tags: ["a"] });
  for (const path of [topic.url, "/-/", "/-/setup", "/docs", "/nope"]) {
    const page = await html(path);
    expect(page.match(/<style|<script(?! type="module" src="\/-\/assets\/)|\sstyle=|\son\w+=/gi) ?? []).toEqual([]);
  }
});

test("both paths show the feed, whatever the name; a topic key alone redirects there", async () => {
  const topic = await peal.topic("paths");
  for (const path of [`/home/${topic.key}`, `/home/paths/${topic.key}`, `/home/an-old-name/${topic.key}`])
    expect(await texts(await html(path), "h1")).toEqual(["paths"]);
  const alone = await peal.request(`/${topic.key}`);
  expect([alone.status, alone.headers.get("location")]).toEqual([303, `/home/${topic.key}`]);
});

test.each([
  ["an unknown key", (key: string) => `/home/${key.slice(0, -3)}000`],
  ["another namespace's key", (key: string) => `/elsewhere/${key}`],
  ["an unknown key alone", (key: string) => `/${key.slice(0, -3)}000`],
])("%s is 404 with an explanation", async (_, path) => {
  const topic = await peal.topic(`lost-${Bun.hash(_)}`);
  const answer = await peal.request(path(topic.key), PAGE);
  expect(answer.status).toBe(404);
  expect(await texts(await answer.text(), "h1")).toEqual(["There’s no topic at this link"]);
});

test("a namespace has no page", async () => {
  const answer = await peal.request("/home", PAGE);
  expect([answer.status, await texts(await answer.text(), "h1")]).toEqual([404, ["There’s nothing at this address"]]);
});

test("a replaced link is 404, and the new one has the messages", async () => {
  const topic = await peal.topic("replaced");
  await peal.publish(topic, { message: "still here" });
  const { topic: key } = (await (await peal.api("POST", `/v1/home/${topic.key}/rotate`)).json()) as { topic: string };
  for (const end of ["", "/feed.atom", "/feed.json", "/manifest.webmanifest"])
    expect((await peal.request(`/home/${topic.key}${end}`, PAGE)).status).toBe(404);
  expect(await texts(await html(`/home/${key}`), "article h3")).toEqual(["still here"]);
});

test("the newest 50 are shown, older ones one link away, each once", async () => {
  const topic = await peal.topic("many");
  for (let i = 1; i <= 120; i++) await peal.publish(topic, { message: `no ${i}` });
  const shown: string[] = [];
  let path: string | undefined = `/home/${topic.key}`;
  let pages = 0;
  while (path !== undefined) {
    const page: string = await html(path);
    shown.push(...(await texts(page, "article h3")));
    const older: string | undefined = /href="(\?before=\d+)">Older messages/.exec(page)?.[1];
    path = older === undefined ? undefined : `/home/${topic.key}${older}`;
    pages++;
  }
  expect(pages).toBe(3);
  expect(shown).toEqual(Array.from({ length: 120 }, (_, i) => `no ${120 - i}`));
  const newest = shown.slice(0, 50);
  const { items } = (await (await peal.request(`/home/${topic.key}/feed.json`)).json()) as {
    items: { title: string }[];
  };
  expect(items.map(({ title }) => title)).toEqual(newest);
  expect(await texts(await html(`/home/${topic.key}/feed.atom`), "entry > title")).toEqual(newest);
});

test("an alert is one card with its history, at the place of its newest message", async () => {
  const topic = await peal.topic("alerts");
  const alert = { title: "disk", dedup_key: "disk" };
  await peal.publish(topic, { ...alert, message: "80 %", level: "warning", status: "firing" });
  await peal.publish(topic, { message: "between" });
  await peal.publish(topic, { ...alert, message: "90 %", level: "error", status: "firing" });
  let page = await html(`/home/${topic.key}`);
  expect(await texts(page, "article h3")).toEqual(["disk", "between"]);
  expect(page).toContain('<article class="msg error open" id="m3"');
  expect(await texts(page, ".past summary")).toEqual(["1 earlier"]);
  expect((await texts(page, ".past li"))[0]).toEndWith("Warning80 %");
  expect(page).toContain("firing since");

  await peal.publish(topic, { ...alert, message: "fine", status: "resolved" });
  page = await html(`/home/${topic.key}`);
  expect(page).toContain('<article class="msg success" id="m4"');
  expect(page).not.toContain("firing since");
  expect(await texts(page, "#m4 .meta .lv")).toEqual(["Resolved"]);
  // an older page does not show it again
  expect(await texts(await html(`/home/${topic.key}?before=4`), "article h3")).toEqual(["between"]);
});

test("a message from a tool names the tool once, shows words as words, and since when it fires", async () => {
  const topic = await peal.topic("tools");
  const post = async (name: string, alter: (payload: string) => string) => {
    const body = alter(await Bun.file(`test/rewrites/payloads/grafana/${name}.json`).text());
    expect((await peal.api("POST", "/home/tools?rewrite=alertmanager", JSON.parse(body) as object)).status).toBe(201);
  };
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await post("single-firing", (payload) => payload.replace(/("startsAt": *)"[^"]+"/g, `$1"${anHourAgo}"`));
  const page = await html(topic.url);
  expect((await texts(page, ".meta span[dir]"))[0]).toBe("Grafana");
  expect(await texts(page, "a.tag")).toEqual(["warning", "grafana_folder:Homelab"]);
  expect(page).toContain(`firing since <time datetime="${anHourAgo}"`);
  expect(page).not.toContain("happened");
  await post("single-resolved", (payload) => payload);
  expect(await html(topic.url)).toContain("happened");
});

test("filters, tags and search show what was requested, and nothing else", async () => {
  const topic = await peal.topic("filters");
  await peal.publish(topic, { message: "one", level: "error", tags: ["disk", "nas"] });
  await peal.publish(topic, { message: "two", priority: "urgent", tags: ["disk"] });
  await peal.publish(topic, { message: "three ü", level: "success" });
  const shown = async (query: string) => texts(await html(`/home/${topic.key}${query}`), "article h3");
  expect(await shown("?level=error")).toEqual(["one"]);
  expect(await shown("?priority=urgent")).toEqual(["two"]);
  expect(await shown("?tag=disk")).toEqual(["two", "one"]);
  expect(await shown("?tag=disk&level=error")).toEqual(["one"]);
  expect(await shown("?q=%C3%BC")).toEqual(["three ü"]);
  expect(await shown("?since=1")).toEqual(["three ü", "two"]);
  const none = await html(`/home/${topic.key}?q=%3Cb%3E`);
  expect(await texts(none, "h2")).toContain("No messages match “<b>”");
  expect((await peal.request(`/home/${topic.key}?level=loud`, PAGE)).status).toBe(400);
  expect((await peal.request(`/home/${topic.key}?before=0`, PAGE)).status).toBe(400);
});

test("long texts fold, columns keep their spaces, a text without a title is its own heading", async () => {
  const topic = await peal.topic("bodies");
  const lines = Array.from({ length: 27 }, (_, i) => `line ${i + 1}`).join("\n");
  await peal.publish(topic, { title: "long", message: lines });
  await peal.publish(topic, { title: "table", message: "a    b\nc    d" });
  await peal.publish(topic, { message: "first\nsecond" });
  const page = await html(`/home/${topic.key}`);
  expect(await texts(page, ".fold summary")).toEqual(["Show all 27\u00a0lines"]);
  expect(await texts(page, "#m1 pre.cut")).toEqual([lines]);
  expect(await texts(page, "#m2 pre.mono")).toEqual(["a    b\nc    d"]);
  expect([await texts(page, "#m3 h3"), await texts(page, "#m3 pre")]).toEqual([["first"], ["second"]]);
});

test("links are buttons, requests are text, an image is a link unless its host is allowed", async () => {
  const topic = await peal.topic("links");
  const image = (host: string) => `https://${host}/1.jpg`;
  await peal.publish(topic, {
    message: "x",
    url: "https://e.org/",
    image: image("other.example.org"),
    actions: [
      { label: "Look", url: "https://look.e.org/" },
      { label: "Close", url: "https://ha.e.org/close", method: "POST" },
    ],
  });
  await peal.publish(topic, { message: "y", image: image("cam.example.org"), url: "mailto:a@e.org" });
  const page = await html(`/home/${topic.key}`);
  expect(await texts(page, "#m1 .acts .btn")).toEqual(["Image from other.example.org", "Close", "Open e.org", "Look"]);
  expect(page).toContain('<button class="btn send"'); // hidden without a service worker
  expect(await texts(page, "#m1 .hint code")).toEqual(["POST https://ha.e.org/close"]);
  expect(await texts(page, "#m2 .acts .btn")).toEqual(["Email a@e.org"]);
  expect(page.match(/<img [^>]*>/g)).toEqual([
    '<img src="https://cam.example.org/1.jpg" alt="Image from cam.example.org" loading="lazy">',
  ]);
});

test.each([
  ["feed.atom", [{ name: "renamed-atom" }]],
  ["feed.json", [{ name: "renamed-json" }, { description: "now with one" }]],
])("%s has another tag when anything in it changes", async (name, patches) => {
  const changing = await peal.topic(`changing-${name}`);
  let path = `/home/${changing.key}`;
  const tags: string[] = [];
  const look = async (headers: Record<string, string> = {}) => {
    const answer = await peal.request(`${path}/${name}`, {
      headers: { "if-none-match": tags.at(-1) ?? "", ...headers },
    });
    expect(answer.status).toBe(200);
    tags.push(answer.headers.get("etag") ?? "");
  };
  await look();
  for (const message of ["one", "two"]) {
    await peal.publish(changing, { message });
    await look();
  }
  await peal.api("DELETE", `/v1${path}/messages/1`);
  await look();
  for (const patch of patches) {
    await peal.api("PATCH", `/v1${path}`, patch);
    await look();
  }
  await look({ host: "another.example.org" });
  const { topic: key } = (await (await peal.api("POST", `/v1${path}/rotate`)).json()) as { topic: string };
  path = `/home/${key}`;
  await look();
  expect(new Set(tags).size).toBe(tags.length);
});

test("an empty topic shows how to publish, without any key", async () => {
  const topic = await peal.topic("empty");
  const page = await html(`/home/${topic.key}`);
  expect(await texts(page, "h2")).toContain("Nothing here yet");
  const [curl = ""] = await texts(page, ".code code");
  expect(curl).toBe(`curl -H "Authorization: Bearer $KEY" \\\n     -d "It works" "${peal.url}/home/empty"`);
  expect(page).not.toContain("svc_");
});

test("the theme that the reader chose is in the page", async () => {
  const topic = await peal.topic("theme");
  const page = async (cookie: string) =>
    (await peal.request(topic.url, { headers: { ...PAGE.headers, cookie } })).text();
  expect(await page("a=b; theme=dark")).toContain('<html lang="en" data-theme="dark"');
  expect(await page('theme="><script>')).toContain('<html lang="en" data-base');
});

test("a topic may be read only at a limited rate from one address", async () => {
  await using limited = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_READ: "1/h:2" } });
  const topic = await limited.topic("slow");
  const answers = [];
  for (const path of ["", "/feed.atom", ""]) answers.push(await limited.request(`/home/${topic.key}${path}`, PAGE));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
  expect(answers[2]?.headers.get("retry-after")).toBe("3600");
  expect(await texts((await answers[2]?.text()) ?? "", "h1")).toEqual(["Too many requests"]);
});
