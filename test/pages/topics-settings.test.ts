/** A topic's settings on the dashboard, over HTTP and without a script: saved, archived, muted, deleted (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { iphone } from "../support/devices.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const cookie = await signedIn(peal);
const { get, post } = deskAs(peal, cookie);
const topicNow = async (key: string) => answer<Record<string, unknown>>(200, await peal.api("GET", `/v1/home/${key}`));
const at = (topic: { key: string }, tab = "") => `/-/topics/${topic.key}${tab}`;

/** The contents of the fields in a page's form. */
const fieldsOf = (html: string): Record<string, string> =>
  Object.fromEntries(
    [...html.matchAll(/<input type="(?:text|hidden|datetime-local)"[^>]* name="(\w+)"[^>]*/g)].map(
      ([tag, name = ""]): [string, string] => [name, / value="([^"]*)"/.exec(tag)?.[1] ?? ""],
    ),
  );

describe("the settings of a topic", () => {
  test("do not overwrite someone else's change unseen, but only when they are sent once more", async () => {
    const topic = await peal.topic("shared");
    const mine = fieldsOf((await get(at(topic, "/settings"))).html);
    expect((await post(at(topic, "/settings"), { ...mine, description: "theirs" })).status).toBe(303);
    const refused = await post(at(topic, "/settings"), { ...mine, retention_days: "7 d" });
    expect([refused.status, refused.text.includes("Someone has changed this since")]).toEqual([409, true]);
    expect(await topicNow(topic.key)).toMatchObject({ description: "theirs" });
    const again = fieldsOf(refused.html);
    expect(again["retention_days"]).toBe("7 d");
    expect((await post(at(topic, "/settings"), again)).status).toBe(303);
    const now = await topicNow(topic.key);
    expect([now["retention_days"], now["description"]]).toEqual([7, undefined]);
  });

  test("are saved, and empty fields remove values", async () => {
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
    ["retention_days",     "90 dayz?", "Enter a length of time"],
    ["retention_days",     "1 year",   "Enter a length of time"],
    ["retention_days",     "6 months", "Enter a length of time"],
    ["retention_days",     "2 Jahre",  "Enter a length of time"],
    ["retention_days",     "48 h",     "Enter a length of time"],
    ["retention_messages", "many",     "Enter a number of messages"],
    ["muted_until",        "tomorrow", "Enter a date and time"],
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

  test("keep messages as long as was entered, in days or weeks", async () => {
    const topic = await peal.topic("kept");
    const daily = ["90", "90 d", "90days", "90 Tage", "90 T"].map((text) => [text, 90] as const);
    const weekly = ["2 w", "2w", "2 weeks", "2 Wochen"].map((text) => [text, 14] as const);
    for (const [value, days] of [...daily, ...weekly, ["1 day", 1], ["1 Tag", 1], ["1 week", 7]] as const) {
      await post(at(topic, "/settings"), { name: "kept", retention_days: value });
      expect([value, (await topicNow(topic.key)).retention_days]).toEqual([value, days]);
    }
  });

  test("do not change a mute that was set elsewhere since the page was opened", async () => {
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

  test("archive it, and restore it", async () => {
    const topic = await peal.topic("archived");
    await post(at(topic, "/archive"), { archived: "true" });
    expect((await get("/-/topics")).html).not.toContain(at(topic));
    expect((await get("/-/topics?archived=true")).html).toContain(at(topic));
    await post(at(topic, "/archive"), { archived: "false" });
    expect(await topicNow(topic.key)).toMatchObject({ archived: false });
  });
});

describe("a topic that is muted", () => {
  test("says until when, everywhere, and is unmuted", async () => {
    const topic = await peal.topic("muted");
    expect((await get(at(topic, "/mute"))).html).toContain("Mute “muted”?");
    expect(await post(at(topic, "/mute"), { for: "day" })).toMatchObject({ status: 303, location: at(topic) });
    const { muted_until } = await topicNow(topic.key);
    expect(Date.parse(String(muted_until)) - clock.now()).toBe(86_400_000);
    expect((await get("/-/topics?q=muted")).text).toMatch(/muted muted until \w{3} \d\d:\d\d/);
    expect((await get(at(topic))).text).toContain("Muted until");
    await post(at(topic, "/unmute"));
    expect(await topicNow(topic.key)).not.toHaveProperty("muted_until");
  });

  test.each(["until", "hour"])("is muted until a time in the visitor's zone, with “%s” chosen", async (choice) => {
    const topic = await peal.topic(`zoned-${choice}`);
    const form = { for: choice, until: "2099-07-01T08:00" };
    await deskAs(peal, `${cookie}; zone=Europe/Berlin`).post(at(topic, "/mute"), form);
    expect(await topicNow(topic.key)).toMatchObject({ muted_until: "2099-07-01T06:00:00.000Z" });
    const { html } = await deskAs(peal, `${cookie}; zone=America/New_York`).get(at(topic, "/settings"));
    expect(html).toContain('value="2099-07-01T02:00"');
  });

  test.each([{}, { for: "until" }, { for: "until", until: "2001-01-01T00:00" }])("is not muted by %j", async (form) => {
    const topic = await peal.topic(`not-muted-${JSON.stringify(form).length}`);
    const { status, html } = await post(at(topic, "/mute"), form);
    expect([status, html.includes('id="until-e"')]).toEqual([422, true]);
    expect(await topicNow(topic.key)).not.toHaveProperty("muted_until");
  });
});

describe("a topic that is deleted", () => {
  test("is deleted after a confirmation with its counts, once its name is typed", async () => {
    const topic = await peal.topic("doomed");
    await peal.publish(topic, "m");
    await peal.publish(topic, "m");
    await iphone(peal, [topic], { name: "Phone" });
    const { text: asked } = await get(at(topic, "/delete"));
    for (const words of ["Delete topic “doomed”?", "2 messages", "1 device", ": Phone", "Delete 2 messages"])
      expect(asked).toContain(words);
    const wrong = await post(at(topic, "/delete"), { confirm: "domed" });
    expect([wrong.status, wrong.text.includes("“domed” doesn’t match.")]).toEqual([422, true]);
    expect(await post(at(topic, "/delete"), { confirm: "doomed" })).toMatchObject({
      status: 303,
      location: "/-/topics",
    });
    expect((await get(at(topic))).status).toBe(404);
  });

  test("stays while checks alert to it, and they are named", async () => {
    const topic = await peal.topic("watched");
    await answer(
      201,
      await peal.api("POST", "/v1/home/checks", { name: "nas backup", topic: "watched", every: 3_600 }),
    );
    const { html, text } = await get(at(topic, "/delete"));
    expect(text).toContain("“watched” is in use");
    expect(html).toContain(">nas backup<");
    expect(await post(at(topic, "/delete"), { confirm: "watched" })).toMatchObject({ location: at(topic, "/delete") });
    expect((await get(at(topic))).status).toBe(200);
  });
});

test("what cannot be undone requires the password again after ten minutes", async () => {
  const clock = heldClock();
  await using own = await inProcess({ clock });
  const visitor = deskAs(own, await signedIn(own));
  const topic = await own.topic("careful");
  const status = async (method: "get" | "post", tab: string) => {
    const answered = await visitor[method](at(topic, tab));
    return [answered.status, answered.location?.split("?")[0]];
  };
  expect(await status("get", "/delete")).toEqual([200, undefined]);
  clock.advance(10 * 60_000);
  for (const tab of ["/delete", "/replace"])
    for (const method of ["get", "post"] as const) expect(await status(method, tab)).toEqual([303, "/-/confirm"]);
  expect(await status("get", "/settings")).toEqual([200, undefined]);
});
