/** Devices and deliveries in the dashboard: over HTTP, and their live updates in Chromium. */
import { afterAll, afterEach, expect, test } from "bun:test";
import { deliveriesWhen, deviceOf, iphone, register, type TestDevice } from "../../support/devices.ts";
import { eventually } from "../../support/eventually.ts";
import { authority } from "../../support/push/ca.ts";
import { fakePushService, type TestSubscription } from "../../support/push/webpush.ts";
import { inProcess } from "../../support/server.ts";
import { textOf } from "../../support/desk.ts";
import { SAME_SITE, signedIn } from "../../support/signin.ts";
import type { TestTopic } from "../../support/client.ts";
import { closeWindows, noComplaints, open, sharedBrowser } from "../browser.ts";

const service = await fakePushService();
const peal = await inProcess({
  env: { ...service.env, PEAL_VAPID_SUBJECT: "mailto:op@peal.example" },
  ca: authority.cert,
});
const cookie = await signedIn(peal);
const browser = await sharedBrowser();
afterEach(noComplaints);
afterAll(async () => {
  await closeWindows(browser);
  await peal[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const get = async (path: string, as = cookie) =>
  peal.request(path, { headers: { cookie: as, accept: "text/html" }, redirect: "manual" });
const page = async (path: string, as = cookie) => (await get(path, as)).text();
const post = async (path: string, fields: Record<string, string> = {}, as = cookie) =>
  peal.request(path, {
    method: "POST",
    headers: { cookie: as, accept: "text/html", ...SAME_SITE },
    body: new URLSearchParams(fields),
    redirect: "manual",
  });
const web = async (name: string, topics: readonly TestTopic[], of: TestSubscription = service.subscribe()) =>
  register(peal, { platform: "web", token: of.endpoint, keys: of.keys, name }, topics);
const followed = async ({ id }: TestDevice, topic: string): Promise<object> => {
  const [found] = (await deviceOf(peal, id)).topics.filter(({ name }) => name === topic);
  if (found === undefined) throw new Error(`it does not follow ${topic}`);
  return found;
};
const at = ({ ref }: TestDevice) => `/-/devices/${ref}`;

test("without devices and pushes the pages explain what to do", async () => {
  expect(await page("/-/devices")).toContain("Connect your first phone");
  expect(await page("/-/deliveries")).toContain("No pushes yet");
});

test("a device is changed, follows one more topic and one fewer, and is removed after a confirmation", async () => {
  const [nas, power] = [await peal.topic("nas"), await peal.topic("power")];
  const device = await iphone(peal, [nas], { name: "<b>Pixel" });
  const listed = await page("/-/devices");
  expect(listed).toContain("&lt;b&gt;Pixel");
  expect(listed).not.toContain(device.id);

  const wrong = await post(at(device), {
    name: "Pixel",
    min: "high",
    from: "22:00",
    to: "22:00",
    zone: "Nowhere/There",
  });
  expect(wrong.status).toBe(422);
  expect(await wrong.text()).toContain('id="device-zone-e"');
  const right = { name: "Mara", min: "high", from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  expect((await post(at(device), right)).status).toBe(303);
  expect(await page(at(device))).toContain('value="Mara"');

  expect((await post(`${at(device)}/topics`, { topic: "nothing" })).status).toBe(422);
  expect((await post(`${at(device)}/topics`, { topic: `${peal.url}/home/power/${power.key}` })).status).toBe(303);
  expect((await post(`${at(device)}/topics/${power.key}`, { min: "urgent", mute: "8" })).status).toBe(303);
  expect(await page(at(device))).toMatch(/Urgent only[^]*Muted until/);
  const before = await followed(device, "power");
  for (const mute of ["keep", "never heard of"]) {
    expect((await post(`${at(device)}/topics/${power.key}`, { min: "normal", mute })).status).toBe(303);
    expect(await followed(device, "power")).toEqual({ ...before, min_priority: "normal" });
  }
  expect((await post(`${at(device)}/topics/${power.key}`, { min: "urgent", mute: "off" })).status).toBe(303);
  expect(await followed(device, "power")).not.toHaveProperty("muted_until");
  expect((await post(`${at(device)}/topics/${nas.key}/remove`)).status).toBe(303);
  const [subscription, ...rest] = (await deviceOf(peal, device.id)).topics;
  expect(subscription).toMatchObject({ name: "power", min_priority: "urgent" });
  expect(rest).toEqual([]);

  // a part of the path with broken escapes names nothing
  for (const path of [`${at(device)}/topics/%ff`, `${at(device)}/topics/%ff/remove`, "/-/devices/%ff/test"])
    expect([path, (await post(path)).status]).toEqual([path, 404]);
  expect((await get("/-/devices/%ff")).status).toBe(404);

  expect(await page(`${at(device)}/delete`)).toContain("Remove “Mara”?");
  expect((await post(`${at(device)}/delete`)).headers.get("location")).toBe("/-/devices");
  expect((await get(at(device))).status).toBe(404);
});

test("the heading counts the complete list, and nothing where only a part is shown", async () => {
  await iphone(peal, [await peal.topic("counted")]);
  expect(await page("/-/devices")).toMatch(/<h1>\d+ devices?<\/h1>/);
  for (const part of ["platform=android", "lost=1", "after=0123456789abcdef"])
    expect(await page(`/-/devices?${part}`)).toContain("<h1>Devices</h1>");
});

test("where a form of a device was refused, its page can be reloaded", async () => {
  const device = await iphone(peal, [await peal.topic("kept")]);
  expect((await post(`${at(device)}/topics`, { topic: "nothing" })).status).toBe(422);
  expect(await page(`${at(device)}/topics`)).toContain('id="device-topics"');
});

test("a person who sees one namespace sees what belongs to it, and changes no devices of others", async () => {
  const home = await peal.topic("seen");
  const device = await iphone(peal, [home], { name: "theirs" });
  const stranger = await signedIn(peal, { name: "jo", namespaces: [] });
  expect((await get(at(device), stranger)).status).toBe(404);
  expect(await page("/-/devices", stranger)).not.toContain("theirs");
  expect((await get(`/-/deliveries?topic=${home.key}`, stranger)).status).toBe(404);
  for (const act of ["", "/test", "/topics", "/delete"])
    expect((await post(at(device) + act, {}, stranger)).status).toBe(404);
  expect((await post("/-/deliveries/retry", { topic: home.key, message: "1" }, stranger)).status).toBe(404);
});

test("a test that has not got through yet does not count as sent, and its answer is shown once", async () => {
  const subscription = service.subscribe();
  const device = await web("Late", [await peal.topic("late")], subscription);
  const closed = { status: 503, headers: { "retry-after": "60" }, body: '{"message":"closed on Sundays"}' };
  service.script.once(subscription.endpoint, closed);
  expect((await post(`${at(device)}/test`)).status).toBe(303);
  const note = async () => / id="device-test".*?<div class="cols">/s.exec(await page(at(device)))?.[0] ?? "";
  const told = await eventually("its answer", async () => ((await note()).includes("503") ? await note() : undefined));
  expect(textOf(told)).toContain("The test hasn’t got through yet.");
  expect(textOf(told)).not.toContain("on its way");
  expect(told.match(/closed on Sundays/g)).toHaveLength(1);
  expect(textOf(told)).toContain("1 attempt. Next attempt: ");
});

test("a push that failed is shown with its answer, found by filters, and retried; the page updates itself", async () => {
  const topic = await peal.topic("live");
  const subscription = service.subscribe();
  const device = await web("Desk", [topic], subscription);
  service.script.once(subscription.endpoint, { status: 400, body: '{"message":"no pushes on Sundays"}' });
  const message = await peal.publish(topic, { title: "Disk is full", message: "m", level: "error" });
  const id = message?.id ?? 0;
  await deliveriesWhen(peal, topic, id, 1, ({ state }) => state === "failed");
  const failed = `/-/deliveries?topic=${topic.key}&message=${id}&state=failed`;
  expect(await page(failed)).toContain("no pushes on Sundays");
  expect(textOf(await page(failed))).toContain("Error Disk is full");
  for (const other of ["state=accepted", "platform=ios"])
    expect(await page(`/-/deliveries?topic=${topic.key}&${other}`)).not.toContain("Disk is full");
  expect(await page(`/-/deliveries?device=${device.ref}`)).toContain("Disk is full");

  await using opened = await open(browser, { session: { cookie, url: peal.url } });
  await opened.page.goto(`${peal.url}/-/deliveries?topic=${topic.key}`);
  await opened.page.getByRole("button", { name: "Retry: Disk is full, Desk" }).click();
  await opened.page.getByText("Retrying 1 push now.").waitFor();
  await opened.page.locator("#deliveries .st.accepted").waitFor();
  expect(service.accepted(subscription.endpoint)).toHaveLength(1);

  await opened.page.goto(peal.url + at(device));
  await opened.page.getByRole("button", { name: "Send test" }).click();
  await opened.page.getByText(/^Test push accepted by/).waitFor();
  await opened.page.locator("#device-test code").getByText("201").waitFor();
  await eventually("the test", () => service.accepted(subscription.endpoint).length === 2);
});
