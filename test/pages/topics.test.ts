/** Topics on the dashboard, over HTTP and without a script: listed, made, published to, shared, muted, deleted (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { iphone, type TestDevice } from "../support/devices.ts";
import { heldClock } from "../support/clock.ts";
import { inProcess } from "../support/server.ts";
import { SAME_SITE, signedIn } from "../support/signin.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal);

interface Shown {
  status: number;
  html: string;
  location: string | null;
  /** What the form did, in words. */
  said: string;
}
const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

async function shown(response: Response): Promise<Shown> {
  const [set = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const flash = set.startsWith("flash=") ? decodeURIComponent(set.slice("flash=".length)) : "";
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get("location"),
    said: flash,
  };
}
const get = async (path: string, as = cookie) =>
  shown(await peal.request(path, { headers: { cookie: as, accept: "text/html" } }));
const post = async (path: string, form: Record<string, string> | [string, string][] = {}, as = cookie) =>
  shown(
    await peal.request(path, {
      method: "POST",
      headers: { cookie: as, accept: "text/html", ...SAME_SITE },
      body: new URLSearchParams(form),
    }),
  );
const topicNow = async (key: string) => answer<Record<string, unknown>>(200, await peal.api("GET", `/v1/home/${key}`));
const at = (topic: { key: string }, tab = "") => `/-/topics/${topic.key}${tab}`;

describe("the list", () => {
  test("shows by namespace what came last, what the day brought and who gets it", async () => {
    const topic = await peal.topic("listed");
    await peal.topic("silent");
    await peal.publish(topic, { title: "Disk <full>", message: "93 %", level: "error" });
    await peal.publish(topic, { message: "second" });
    await iphone(peal, [topic]);
    const { status, html } = await get("/-/topics");
    expect(status).toBe(200);
    const [, row = ""] = html.split(`href="${at(topic)}"`);
    const text = textOf(row.slice(0, row.indexOf("</li>")));
    expect(text).toContain("Info second");
    expect(text).toContain("1 device");
    expect(row).toContain('aria-label="Last 24 hours: 2\u00a0messages, errors in 1\u00a0hour"');
    expect(textOf(html)).toContain("No message yet. Publish the first");
  });

  test("is found in by name, and says so where nothing is found", async () => {
    await peal.topic("needle");
    const { html } = await get("/-/topics?q=NEEDLE");
    expect(html.match(/class="row topic"/g)).toHaveLength(1);
    expect(html).toContain(">needle<");
    expect((await get("/-/topics?q=%3Cb%3E")).html).toContain("No topic is called “&lt;b&gt;”");
  });

  test("goes on page by page over all namespaces, a hundred at a time", async () => {
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

  test("shows a visitor the namespaces that are theirs, and no other topic by its address", async () => {
    const topic = await peal.topic("private");
    const visitor = await signedIn(peal, { name: "guest", namespaces: [] });
    expect((await get("/-/topics", visitor)).html).not.toContain("private");
    for (const tab of ["", "/publish", "/share", "/devices", "/settings", "/mute"])
      expect((await get(at(topic, tab), visitor)).status).toBe(404);
    expect((await post(at(topic, "/publish"), { message: "m" }, visitor)).status).toBe(404);
    expect(await peal.history(topic)).toEqual([]);
  });

  test("is for those who are signed in", async () => {
    expect(await get("/-/topics", "")).toMatchObject({ status: 303, location: "/-/login?to=%2F-%2Ftopics" });
  });
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

  // prettier-ignore
  test.each([
    [{ name: "a b", namespace: "home" },                          "name",      "1 to 64 letters"],
    [{ name: "", namespace: "home" },                             "name",      "1 to 64 letters"],
    [{ name: "x-0123456789abcdefghjkmnpqrs", namespace: "home" }, "name",      "looks like the key"],
    [{ name: "twice", namespace: "home" },                        "name",      "There is a topic twice already"],
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
    expect(html.match(/<article/g)).toHaveLength(50);
    expect(html).toContain(`action="/-/messages/${topic.key}/60/delete"`);
    expect((await get(at(topic, "?before=11"))).html.match(/<article/g)).toHaveLength(10);
    expect((await get(at(topic, "?level=error"))).html.match(/<article/g)).toHaveLength(1);
    expect((await get(at(topic, "?q=m7"))).html.match(/<article/g)).toHaveLength(1);
    expect((await get(at(topic, "?level=loud"))).status).toBe(400);
  });

  test("has what waits for someone, who stays there after acknowledging", async () => {
    const topic = await peal.topic("urgent");
    await peal.publish(topic, { message: "m", priority: "urgent", ack: true });
    const { html } = await get(at(topic));
    const [, action = ""] = /action="([^"]+\/acknowledge[^"]*)"/.exec(html) ?? [];
    expect(await post(action)).toMatchObject({ status: 303, location: at(topic) });
    expect(textOf((await get(at(topic))).html)).toContain("acknowledged");
  });

  test("teaches where nothing has come yet", async () => {
    const topic = await peal.topic("unfed");
    expect((await get(at(topic))).html).toContain(`href="${at(topic, "/publish")}">Publish the first`);
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

  test("shows commands with the address and the beginning of a key that is chosen, never with a secret", async () => {
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
});

describe("the share link", () => {
  test("is there in words and as a QR code", async () => {
    const topic = await peal.topic("shared");
    const { html } = await get(at(topic, "/share"));
    expect(html).toContain(`<code>${topic.url}</code>`);
    expect(html).toContain('role="img" aria-label="QR code of the share link of topic shared"');
  });

  test("that leads nowhere from a phone is told to be so", async () => {
    const topic = await peal.topic("here");
    expect((await get(at(topic, "/share"))).html).toContain("no phone gets to this address");
    await using own = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example" } });
    const visitor = await signedIn(own);
    const elsewhere = await own.topic("there");
    const html = await (await own.request(at(elsewhere, "/share"), { headers: { cookie: visitor } })).text();
    expect(html).toContain("<code>https://peal.example/home/there/");
    expect(html).not.toContain("no phone gets to this address");
  });

  test("is replaced, with the devices that are chosen", async () => {
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
  test("are muted for it, ring again and are removed", async () => {
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
    expect((await get(at(topic, "/devices"))).html).toContain("Ring again");
    await act("unmute");
    expect(await subscription()).not.toHaveProperty("muted_until");
    expect((await act("dance")).status).toBe(400);
    await act("remove");
    expect(await subscription()).toBeUndefined();
    expect((await get(at(topic, "/devices"))).html).toContain("No device gets this topic");
    expect((await post(at(topic, "/devices"), { device: "0000000000000000", do: "mute" })).status).toBe(404);
  });
});

/** What the fields of a page's form hold. */
const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="(?:text|hidden|datetime-local)"[^>]* name="(\w+)"[^>]*/g)].map(
      ([tag, name = ""]): [string, string] => [name, / value="([^"]*)"/.exec(tag)?.[1] ?? ""],
    ),
  );

describe("the settings of a topic", () => {
  test("are saved, and empty fields take values away", async () => {
    const topic = await peal.topic("set");
    const form = {
      name: "set2",
      description: "d",
      retention_days: "2 w",
      retention_messages: "10,000",
      muted_until: "",
    };
    expect(await post(at(topic, "/settings"), form)).toMatchObject({ status: 303, location: at(topic, "/settings") });
    expect(await topicNow(topic.key)).toMatchObject({
      name: "set2",
      description: "d",
      retention_days: 14,
      retention_messages: 10_000,
    });
    expect((await get(at(topic, "/settings"))).html).toContain('value="14 d"');
    await post(at(topic, "/settings"), { ...form, description: "", retention_days: "", retention_messages: "" });
    const after = await topicNow(topic.key);
    for (const field of ["description", "retention_days", "retention_messages"])
      expect(after).not.toHaveProperty(field);
  });

  // prettier-ignore
  test.each([
    ["retention_days",     "90 dayz?", "Not a length of time"],
    ["retention_days",     "1 year",   "Not a length of time"],
    ["retention_days",     "6 months", "Not a length of time"],
    ["retention_days",     "2 Jahre",  "Not a length of time"],
    ["retention_days",     "48 h",     "Not a length of time"],
    ["retention_messages", "many",     "Not a number of messages"],
    ["muted_until",        "tomorrow", "Not a time"],
    ["name",               "a b",      "1 to 64 letters"],
  ])("are refused at the field %s: %s", async (field, value, words) => {
    const topic = await peal.topic(`wrong-${value.replaceAll(/\W/g, "-")}`);
    const form = { name: "fine", description: "", retention_days: "", retention_messages: "", muted_until: "" };
    const { status, html } = await post(at(topic, "/settings"), { ...form, [field]: value });
    expect(status).toBe(422);
    expect(textOf(html.slice(html.indexOf(`id="${field}-e"`)))).toContain(words);
    expect(html).toContain(`value="${value}"`);
    expect(await topicNow(topic.key)).toMatchObject({ name: topic.name });
  });

  test("keep messages as long as was written, in days or weeks", async () => {
    const topic = await peal.topic("kept");
    const daily = ["90", "90 d", "90days", "90 Tage", "90 T"].map((text) => [text, 90] as const);
    const weekly = ["2 w", "2w", "2 weeks", "2 Wochen"].map((text) => [text, 14] as const);
    for (const [value, days] of [...daily, ...weekly, ["1 day", 1], ["1 Tag", 1], ["1 week", 7]] as const) {
      await post(at(topic, "/settings"), { name: "kept", retention_days: value });
      expect([value, (await topicNow(topic.key)).retention_days]).toEqual([value, days]);
    }
  });

  test("leave a mute as it is that was changed elsewhere since the page was opened", async () => {
    const topic = await peal.topic("elsewhere");
    const shown = fieldsOf((await get(at(topic, "/settings"))).html);
    await post(at(topic, "/mute"), { for: "day" });
    const { muted_until } = await topicNow(topic.key);
    expect(muted_until).toBeDefined();
    await post(at(topic, "/settings"), { ...shown, description: "new" });
    expect(await topicNow(topic.key)).toMatchObject({ description: "new", muted_until });
    const muted = fieldsOf((await get(at(topic, "/settings"))).html);
    await post(at(topic, "/settings"), muted);
    expect(await topicNow(topic.key)).toMatchObject({ muted_until }); // to the second
    await post(at(topic, "/settings"), { ...muted, muted_until: "" });
    expect(await topicNow(topic.key)).not.toHaveProperty("muted_until");
  });

  test("archive it, and take it out again", async () => {
    const topic = await peal.topic("archived");
    await post(at(topic, "/archive"), { archived: "true" });
    expect((await get("/-/topics")).html).not.toContain(at(topic));
    expect((await get("/-/topics?archived=true")).html).toContain(at(topic));
    await post(at(topic, "/archive"), { archived: "false" });
    expect(await topicNow(topic.key)).toMatchObject({ archived: false });
  });
});

describe("a topic that is muted", () => {
  test("says until when, everywhere, and rings again", async () => {
    const topic = await peal.topic("muted");
    expect((await get(at(topic, "/mute"))).html).toContain("Mute “muted”?");
    expect(await post(at(topic, "/mute"), { for: "day" })).toMatchObject({ status: 303, location: at(topic) });
    const { muted_until } = await topicNow(topic.key);
    expect(Date.parse(String(muted_until)) - Date.now()).toBeWithin(86_000_000, 86_400_001);
    expect(textOf((await get("/-/topics?q=muted")).html)).toMatch(/muted muted until \w{3} \d\d:\d\d/);
    expect(textOf((await get(at(topic))).html)).toContain("Muted until");
    await post(at(topic, "/unmute"));
    expect(await topicNow(topic.key)).not.toHaveProperty("muted_until");
  });

  test.each(["until", "hour"])("is muted until a time of the visitor's zone, with “%s” chosen", async (choice) => {
    const topic = await peal.topic(`zoned-${choice}`);
    const form = { for: choice, until: "2099-07-01T08:00" };
    await post(at(topic, "/mute"), form, `${cookie}; zone=Europe/Berlin`);
    expect(await topicNow(topic.key)).toMatchObject({ muted_until: "2099-07-01T06:00:00.000Z" });
    const { html } = await get(at(topic, "/settings"), `${cookie}; zone=America/New_York`);
    expect(html).toContain('value="2099-07-01T02:00"');
  });

  test.each([{}, { for: "until" }, { for: "until", until: "2001-01-01T00:00" }])("not by %j", async (form) => {
    const topic = await peal.topic(`not-muted-${JSON.stringify(form).length}`);
    const { status, html } = await post(at(topic, "/mute"), form);
    expect([status, html.includes('id="until-e"')]).toEqual([422, true]);
    expect(await topicNow(topic.key)).not.toHaveProperty("muted_until");
  });
});

describe("a topic that is deleted", () => {
  test("is asked for with its counts, and goes once its name is typed", async () => {
    const topic = await peal.topic("doomed");
    await peal.publish(topic, "m");
    await peal.publish(topic, "m");
    await iphone(peal, [topic], { name: "Phone" });
    const asked = textOf((await get(at(topic, "/delete"))).html);
    for (const words of ["Delete topic “doomed”?", "2 messages", "1 device", ": Phone", "Delete 2 messages"])
      expect(asked).toContain(words);
    const wrong = await post(at(topic, "/delete"), { confirm: "domed" });
    expect([wrong.status, textOf(wrong.html).includes("That says “domed”")]).toEqual([422, true]);
    expect(await post(at(topic, "/delete"), { confirm: "doomed" })).toMatchObject({
      status: 303,
      location: "/-/topics",
    });
    expect((await get(at(topic))).status).toBe(404);
  });

  test("stays while checks tell it, and their names are said", async () => {
    const topic = await peal.topic("watched");
    await answer(
      201,
      await peal.api("POST", "/v1/home/checks", { name: "nas backup", topic: "watched", every: 3_600 }),
    );
    const { html } = await get(at(topic, "/delete"));
    expect(textOf(html)).toContain("“watched” is in use");
    expect(html).toContain(">nas backup<");
    expect(await post(at(topic, "/delete"), { confirm: "watched" })).toMatchObject({ location: at(topic, "/delete") });
    expect((await get(at(topic))).status).toBe(200);
  });
});

test("what cannot be undone wants the password again after ten minutes", async () => {
  const clock = heldClock(Date.now());
  await using own = await inProcess({ clock });
  const visitor = await signedIn(own);
  const topic = await own.topic("careful");
  const status = async (method: string, tab: string) => {
    const headers = { cookie: visitor, accept: "text/html", ...SAME_SITE };
    const answered = await own.request(at(topic, tab), { method, headers });
    return [answered.status, answered.headers.get("location")?.split("?")[0]];
  };
  expect(await status("GET", "/delete")).toEqual([200, undefined]);
  clock.advance(10 * 60_000);
  for (const tab of ["/delete", "/replace"])
    for (const method of ["GET", "POST"]) expect(await status(method, tab)).toEqual([303, "/-/confirm"]);
  expect(await status("GET", "/settings")).toEqual([200, undefined]);
});
