/** The first page of the dashboard, over HTTP and without a script (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { newCheck } from "../../support/checks.ts";
import { heldClock } from "../../support/clock.ts";
import { deskAs } from "../../support/desk.ts";
import { deliveriesWhen, iphone, register } from "../../support/devices.ts";
import { eventually } from "../../support/eventually.ts";
import { authority } from "../../support/push/ca.ts";
import { fakePushService } from "../../support/push/webpush.ts";
import { inProcess } from "../../support/server.ts";
import { signedIn } from "../../support/signin.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const clock = heldClock(NOON);
const service = await fakePushService();
const peal = await inProcess({
  env: { ...service.env, PEAL_BASE_URL: "https://peal.example" },
  ca: authority.cert,
  clock,
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
await peal.local("/-/local/namespaces", {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ name: "lab" }),
});
const cookie = await signedIn(peal);
const admin = deskAs(peal, cookie);
const german = deskAs(peal, `${cookie}; lang=de`);
const stranger = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["lab"] }));

test("a push that failed links to what became of its message, and says why in words", async () => {
  const topic = await peal.topic("alerts");
  const [first, second] = [service.subscribe(), service.subscribe()];
  for (const [{ endpoint: token, keys }, name] of [
    [first, "Desk"],
    [second, undefined],
  ] as const)
    await register(peal, { platform: "web", token, keys, ...(name !== undefined && { name }) }, [topic]);
  service.script.once(first.endpoint, { status: 400, body: '{"message":"no pushes on Sundays"}' });
  service.script.once(second.endpoint, { status: 400, body: "" });
  const { id = 0 } = (await peal.publish(topic, { title: "Disk is full", message: "m", level: "error" })) ?? {};
  await deliveriesWhen(peal, topic, id, 2, ({ state }) => state === "failed");

  const { html, text } = await admin.get("/-/?ns=home");
  expect(text).toContain("Two pushes failed.");
  expect(text).toContain("“Disk is full” wasn’t accepted: localhost answered 400: no pushes on Sundays");
  expect(text).toContain("“Disk is full” wasn’t accepted: localhost answered 400.");
  expect(html).toContain(`href="/-/deliveries?topic=${topic.key}&amp;message=${id}&amp;ns=home"`);
  // on phones the entry is behind "More"
  expect(/<summary>.*?More<\/span>(.*?)<\/summary>/s.exec(html)?.[1]).toStartWith('<span class="count">2<');
  const other = (await german.get("/-/")).text;
  expect(other).toContain("„Disk is full“ wurde nicht angenommen: localhost antwortete 400.");
  expect((await stranger.get("/-/")).text).not.toContain("failed");
});

test("a message is called by the same name wherever a line mentions it", async () => {
  const topic = await peal.topic("words");
  await peal.publish(topic, { message: "the door", level: "error", priority: "urgent" });
  await peal.publish(await peal.topic("calm"), { message: "the window", level: "warning" });
  const over = await peal.topic("over");
  for (const status of ["firing", "resolved"])
    await peal.publish(over, { message: "it rains", level: "error", dedup_key: "rain", status });
  for (const path of ["/-/?ns=home", "/-/topics?ns=home"]) {
    const { text } = await admin.get(path);
    for (const words of ["Urgent the door", "Warning the window", "Resolved it rains"]) expect(text).toContain(words);
  }
});

describe("the remaining steps", () => {
  const done = async (of: typeof admin, path = "/-/") => / (\d of \d) done /.exec((await of.get(path)).text)?.[1];

  test("depend on what the visitor sees: other people's devices and messages do not count", async () => {
    expect(await done(stranger)).toBe("0 of 3"); // https is the admin's task
    expect([await done(admin), await done(admin, "/-/?ns=lab")]).toEqual(["3 of 4", "3 of 4"]);
  });

  test("leave their place empty for the script when all is done, and nothing when hidden", async () => {
    await newCheck(peal, { name: "backup", every: "1d" });
    expect((await admin.get("/-/")).html).toContain('<div id="start" data-live="message device check topic"></div>');
    expect((await deskAs(peal, `${cookie}; started=hidden`).get("/-/")).html).not.toContain('id="start"');
  });
});

describe("muting everything", () => {
  test("requires a confirmation that says urgent messages are silenced too; then the page says until when, and can end it", async () => {
    expect((await stranger.get("/-/")).html).not.toContain("/-/settings/mute");
    expect((await stranger.get("/-/settings/mute")).status).toBe(403);
    const { html: calm, text: offer } = await admin.get("/-/");
    expect(offer).toContain("Mute everything …");
    expect(calm).toContain('<a class="btn bare" href="/-/settings/mute">');
    const asked = (await admin.get("/-/settings/mute")).text;
    for (const words of ["Mute everything?", "Urgent messages stay silent too", "1 hour", "Until tomorrow, 08:00"])
      expect(asked).toContain(words);
    expect((await german.get("/-/settings/mute")).text).toContain("Auch Dringendes bleibt still");
    const muted = await admin.post("/-/settings/mute", { from: "overview", for: "hour" });
    expect([muted.location, muted.said]).toEqual(["/-/", '{"say":"settings.muted"}']);
    const { html, text } = await admin.get("/-/");
    expect(text).toContain("Everything is muted until");
    expect(html).toContain(`datetime="${new Date(NOON + HOUR).toISOString()}"`);
    expect([text.includes("Unmute"), text.includes("Mute everything …")]).toEqual([true, false]);
    expect((await admin.get("/-/?ns=home")).text).toContain("All of home is muted until");
    const member = (await stranger.get("/-/")).text;
    expect([member.includes("Everything is muted until"), member.includes("Unmute")]).toEqual([true, false]);
    const loud = await admin.post("/-/settings/mute", { from: "overview", for: "off" });
    expect([loud.location, loud.said]).toEqual(["/-/", '{"say":"settings.unmuted"}']);
    expect((await admin.get("/-/")).text).not.toContain("is muted until");
  });
});

test("the link to a waiting urgent message leads to it, whatever came after it", async () => {
  const topic = await peal.topic("busy");
  const { id = 0 } =
    (await peal.publish(topic, { message: "Water in the cellar", priority: "urgent", ack: true })) ?? {};
  await Promise.all(Array.from({ length: 51 }, async () => peal.publish(topic, "more")));
  const link = /href="([^"]*)"[^>]*>Water in the cellar/.exec((await admin.get("/-/")).html)?.[1] ?? "";
  expect(link).toEndWith(`#m${id}`);
  expect((await admin.get(link.replace(/#.*/, ""))).html).toContain(`id="m${id}"`);
  await peal.api("POST", `/home/${topic.key}/messages/${id}/ack`); // the other tests expect that nothing is waiting
});

test("problems that hold back pushes are shown to admins, where all namespaces are shown", async () => {
  const topic = await peal.topic("phones");
  await iphone(peal, [topic]);
  await peal.publish(topic, { message: "the bell" });
  const text = await eventually("the push to wait", async () => {
    const { text } = await admin.get("/-/");
    return text.includes("some pushes aren’t getting through.") ? text : undefined;
  });
  expect(text).toContain("Pushes to Apple are waiting: there are no credentials.");
  for (const other of [await admin.get("/-/?ns=home"), await stranger.get("/-/")])
    expect(other.text).not.toMatch(/get through|Pushes to Apple/);
});

test("a server that refuses publishes is not called calm; admins read why, whichever namespace they look at", async () => {
  await using own = await inProcess();
  const signed = await signedIn(own);
  const member = deskAs(own, await signedIn(own, { name: "jonas", namespaces: ["home"] }));
  rmSync(join(own.dataDir, "peal.lock"));
  expect((await own.api("POST", "/home/kept", { message: "refused" })).status).toBe(503);
  const why = "peal.lock was deleted while peal runs";
  for (const path of ["/-/", "/-/?ns=home"]) {
    const { text } = await deskAs(own, signed).get(path);
    expect(text).toContain("Publishing is refused.");
    expect(text).toContain(`Why publishing is refused: ${why}`);
  }
  const { html } = await deskAs(own, `${signed}; lang=de`).get("/-/");
  expect(html).toContain("Veröffentlichen wird abgelehnt.");
  expect(html).toContain(`<span lang="en" dir="auto">${why}`);
  const { text } = await member.get("/-/");
  expect([text.includes("Publishing is refused."), text.includes(why)]).toEqual([true, false]);
});
