/** Topics on the dashboard, over HTTP and without a script: listed, made, published to, shared (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { iphone, type TestDevice } from "../support/devices.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal);

const { get, post, done } = deskAs(peal, cookie);
const at = (topic: { key: string }, tab = "") => `/-/topics/${topic.key}${tab}`;

describe("the list", () => {
  test("shows by namespace the latest messages, the last day and who gets them", async () => {
    const topic = await peal.topic("listed");
    await peal.topic("silent");
    await peal.publish(topic, { title: "Disk <full>", message: "93 %", level: "error" });
    await peal.publish(topic, { message: "second" });
    await iphone(peal, [topic]);
    const { status, html, text: all } = await get("/-/topics");
    expect(status).toBe(200);
    const [, row = ""] = html.split(`href="${at(topic)}"`);
    const text = textOf(row.slice(0, row.indexOf("</li>")));
    expect(text).toContain("Info second");
    expect(text).toContain("1 device");
    expect(row).toContain('aria-label="Last 24 hours: 2\u00a0messages, errors in 1\u00a0hour; most around ');
    expect(all).toContain("No messages yet. Publish the first one");
  });

  test("can be searched, and says when nothing is found", async () => {
    await peal.topic("needle");
    const { html } = await get("/-/topics?q=NEEDLE");
    expect(html.match(/class="row topic"/g)).toHaveLength(1);
    expect(html).toContain(">needle<");
    expect((await get("/-/topics?q=%3Cb%3E")).html).toContain("No topics match “&lt;b&gt;”");
  });

  test("continues page by page over all namespaces, a hundred at a time", async () => {
    await using own = await inProcess();
    const visitor = await signedIn(own);
    const made = await own.local("/-/local/namespaces", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "media" }),
    });
    expect(made.status).toBe(201);
    const name = (n: number) => `t${String(n).padStart(3, "0")}`;
    for (let n = 0; n < 130; n++) await own.topic(name(n));
    const names: string[] = [];
    let path: string | undefined = "/-/topics";
    const sizes = [];
    while (path !== undefined) {
      const html = await (await own.request(path, { headers: { cookie: visitor } })).text();
      const rows = [...html.matchAll(/class="name" href="[^"]+" dir="auto">(\w+)</g)].map(([, found = ""]) => found);
      names.push(...rows);
      sizes.push(rows.length);
      path = /class="btn" href="(\/-\/topics\?after=[^"]+)">More topics/.exec(html)?.[1];
    }
    expect(sizes).toEqual([100, 30]);
    expect(names).toEqual(Array.from({ length: 130 }, (_, n) => name(n)));
  });

  test("says after the last topic that there are no more", async () => {
    const { text } = await get("/-/topics?after=zzz/zzz");
    expect(text).toContain("No more topics");
    expect(text).not.toContain("archived");
  });

  test("shows a visitor the topics of their own namespaces, and no others by their address", async () => {
    const topic = await peal.topic("private");
    const visitor = deskAs(peal, await signedIn(peal, { name: "guest", namespaces: [] }));
    expect((await visitor.get("/-/topics")).html).not.toContain("private");
    for (const tab of ["", "/publish", "/share", "/devices", "/settings", "/mute"])
      expect((await visitor.get(at(topic, tab))).status).toBe(404);
    expect((await visitor.post(at(topic, "/publish"), { message: "m" })).status).toBe(404);
    expect(await peal.history(topic)).toEqual([]);
  });

  test("requires a sign-in", async () => {
    expect(await deskAs(peal, "").get("/-/topics")).toMatchObject({
      status: 303,
      location: "/-/login?to=%2F-%2Ftopics",
    });
  });
});

test("a muted namespace says so, even where it has no topic", async () => {
  const noon = Date.UTC(2026, 10, 21, 12);
  await using own = await inProcess({ clock: heldClock(noon) });
  const desk = deskAs(own, `${await signedIn(own)}; zone=UTC`);
  const made = await own.local("/-/local/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "still" }),
  });
  expect(made.status).toBe(201);
  const { namespaces } = own.running.deps.store;
  const pages = ["/-/topics?ns=still", "/-/topics"];
  for (const [until, said] of [
    [noon + 3_600_000, "All of still is muted until 13:00 ."],
    [noon + 43_200_000, "All of still is muted until 00:00 ."],
    [noon + 46_800_000, "All of still is muted until Sun 01:00 ."],
  ] as const) {
    await namespaces.muteAll(until);
    for (const page of pages) expect((await desk.get(page)).text).toContain(said);
  }
  await namespaces.muteAll(null);
  for (const page of pages) expect((await desk.get(page)).text).not.toContain("is muted");
});

describe("a new topic", () => {
  test("is made in a form, and leads to how to publish to it", async () => {
    expect((await get("/-/topics/new")).html).toContain('name="name"');
    const { status, location, said } = await post("/-/topics/new", {
      name: "fresh",
      namespace: "home",
      description: "d",
    });
    expect(status).toBe(303);
    expect(location).toMatch(/^\/-\/topics\/fresh-\w+\/publish$/);
    expect(said).toContain("topics.made");
    expect((await get(location ?? "")).status).toBe(200);
  });

  test("may differ from another only in upper and lower case", async () => {
    expect((await post("/-/topics/new", { name: "cellar", namespace: "home" })).said).toContain('topics.made"');
    expect((await done("/-/topics/new", { name: "Cellar", namespace: "home" })).text).toContain(
      "Topic Cellar created. There’s also cellar:",
    );
  });

  // prettier-ignore
  test.each([
    [{ name: "a b", namespace: "home" },                          "name",      "1 to 64 letters"],
    [{ name: "", namespace: "home" },                             "name",      "1 to 64 letters"],
    [{ name: "x-0123456789abcdefghjkmnpqrs", namespace: "home" }, "name",      "looks like a topic key"],
    [{ name: "twice", namespace: "home" },                        "name",      "A topic named twice already exists"],
    [{ name: "ok", namespace: "elsewhere" },                      "namespace", "Choose a namespace"],
    [{ name: "ok", namespace: "home", description: "x".repeat(1_001) }, "description", "At most 1,000"],
  ])("is refused at its field: %j", async (form, field, words) => {
    await peal.api("POST", "/v1/home/topics", { name: "twice" });
    const { status, html } = await post("/-/topics/new", form);
    expect(status).toBe(422);
    expect(html).toMatch(new RegExp(`id="${field}"[^>]*aria-describedby="[^"]*${field}-e[^"]*" aria-invalid="true"`));
    expect(textOf(html.slice(html.indexOf(`id="${field}-e"`)))).toContain(words);
    expect(html).toContain(`value="${form.name}"`);
  });
});

describe("the feed of a topic", () => {
  test("has the cards with what an owner does, filtered, searched and page by page", async () => {
    const topic = await peal.topic("fed");
    for (let n = 1; n <= 60; n++) await peal.publish(topic, { message: `m${n}`, level: n === 60 ? "error" : "info" });
    const { html } = await get(at(topic));
    expect([html.includes('data-count="info">49<'), html.includes('data-count="warning">0<')]).toEqual([true, true]);
    expect(html).toContain(`<p class="hint" data-counted>Counts cover this page only<`); // there are older ones
    expect(html.match(/<article[^>]* data-link=/g)).toHaveLength(50);
    expect(html).toContain(`action="/-/messages/${topic.key}/60/delete?from=topic"`);
    expect((await get(at(topic, "?before=11"))).html.match(/<article[^>]* data-link=/g)).toHaveLength(10);
    expect((await get(at(topic, "?level=error"))).html.match(/<article[^>]* data-link=/g)).toHaveLength(1);
    expect((await get(at(topic, "?q=m7"))).html.match(/<article[^>]* data-link=/g)).toHaveLength(1);
    expect((await get(at(topic, "?level=loud"))).status).toBe(400);
  });

  test("has what waits for someone, and acknowledging stays on the page", async () => {
    const topic = await peal.topic("urgent");
    await peal.publish(topic, { message: "m", priority: "urgent", ack: true });
    const { html } = await get(at(topic));
    const [, action = ""] = /action="([^"]+\/acknowledge[^"]*)"/.exec(html) ?? [];
    expect(await post(action)).toMatchObject({ status: 303, location: at(topic) });
    expect((await get(at(topic))).text).toContain("acknowledged");
  });

  test("explains what to do where nothing has come yet", async () => {
    const topic = await peal.topic("unfed");
    expect((await get(at(topic))).html).toContain(`href="${at(topic, "/publish")}">Publish the first one`);
  });
});

describe("publishing", () => {
  test("sends a message, as from the dashboard", async () => {
    const topic = await peal.topic("written");
    const form = { message: "It’s <b>on</b>", title: "", level: "warning", priority: "high" };
    expect(await post(at(topic, "/publish"), form)).toMatchObject({ status: 303, location: at(topic) });
    expect(await peal.history(topic)).toMatchObject([
      { message: form.message, level: "warning", priority: "high", source: "dashboard" },
    ]);
    const { status, html } = await post(at(topic, "/publish"), { message: "", title: "kept" });
    expect([status, html.includes('id="message-e"'), html.includes('value="kept"')]).toEqual([422, true, true]);
  });

  test("shows commands with the address and the beginning of a chosen key, never with a secret", async () => {
    const topic = await peal.topic("Odd.name_1");
    const { id, key } = await peal.mint("publish");
    const { html } = await get(at(topic, "/publish"));
    expect(html).toContain(`${peal.url}/home/Odd.name_1`);
    expect(html).toContain("Bearer $KEY");
    const chosen = (await get(at(topic, `/publish?key=${id}`))).html;
    expect(chosen).toContain(`Authorization: Bearer ${key.slice(0, 12)}…`);
    expect(chosen).not.toContain("$KEY&quot; \\");
    expect(chosen).not.toContain(key.slice(0, 20));
    for (const tool of ["Home Assistant", "Node-RED", "Komodo"]) expect(chosen).toContain(`<summary>${tool}</summary>`);
  });

  test("offers no key that only reads", async () => {
    const topic = await peal.topic("offered");
    const [reads, publishes] = [await peal.mint("read"), await peal.mint("publish")];
    const { html } = await get(at(topic, `/publish?key=${reads.id}`));
    expect(html).toContain(`<option value="${publishes.id}">`);
    expect(html).not.toContain(`<option value="${reads.id}"`);
    expect(html).toContain("Bearer $KEY");
  });
});

describe("the share link", () => {
  test("is shown as text and as a QR code", async () => {
    const topic = await peal.topic("shared");
    const { html } = await get(at(topic, "/share"));
    expect(html).toContain(`<code>${topic.url}</code>`);
    expect(html).toContain('role="img" aria-label="QR code of the share link of topic shared"');
  });

  test("says when it would not work from a phone", async () => {
    const topic = await peal.topic("here");
    expect((await get(at(topic, "/share"))).html).toContain("Phones can’t reach this local address");
    await using own = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example" } });
    const visitor = await signedIn(own);
    const elsewhere = await own.topic("there");
    const html = await (await own.request(at(elsewhere, "/share"), { headers: { cookie: visitor } })).text();
    expect(html).toContain("<code>https://peal.example/home/there/");
    expect(html).not.toContain("Phones can’t reach this local address");
  });

  test("is replaced, keeping the devices that are chosen", async () => {
    const topic = await peal.topic("replaced");
    const [kept, dropped]: TestDevice[] = [
      await iphone(peal, [topic], { name: "kept" }),
      await iphone(peal, [topic], { name: "dropped" }),
    ];
    const { html } = await get(at(topic, "/replace"));
    expect(html).toContain(`value="${dropped?.ref}"`);
    const { status, location, said } = await post(at(topic, "/replace"), [["keep", kept?.ref ?? ""]]);
    expect(status).toBe(303);
    expect(said).toContain('"values":[1,1]');
    expect((await get(at(topic))).status).toBe(404);
    const key = location?.split("/")[3] ?? "";
    const { devices } = await answer<{ devices: { ref: string }[] }>(
      200,
      await peal.api("GET", `/v1/home/${key}/devices`),
    );
    expect(devices.map(({ ref }) => ref)).toEqual([kept?.ref ?? ""]);
  });
});

describe("the devices of a topic", () => {
  test("are muted for it, unmuted and removed", async () => {
    const topic = await peal.topic("devices");
    const device = await iphone(peal, [topic], { name: "Jonas’ <iPhone>" });
    const act = async (what: string) => post(at(topic, "/devices"), { device: device.ref, do: what });
    const subscription = async () => {
      const { topics } = await answer<TestDevice>(200, await peal.request(`/v1/devices/${device.id}`));
      return topics[0];
    };
    expect((await get(at(topic, "/devices"))).html).toContain("Jonas’ &lt;iPhone&gt;");
    expect(await act("mute")).toMatchObject({ status: 303, location: at(topic, "/devices") });
    expect(await subscription()).toHaveProperty("muted_until");
    expect((await get(at(topic, "/devices"))).html).toContain("Unmute");
    await act("unmute");
    expect(await subscription()).not.toHaveProperty("muted_until");
    expect((await act("dance")).status).toBe(400);
    await act("remove");
    expect(await subscription()).toBeUndefined();
    expect((await get(at(topic, "/devices"))).html).toContain("No device follows this topic");
    expect((await post(at(topic, "/devices"), { device: "0000000000000000", do: "mute" })).status).toBe(404);
  });
});
