/** Forwards on the dashboard, by forms alone, as a browser without a script sends them (WEB.md §3). */
import { afterAll, expect, test } from "bun:test";
import { controlOf, fieldOf, settingsIn } from "../../src/pages/dashboard/forwards/form-body.ts";
import { KINDS } from "../../src/delivery/forwards/kinds.ts";
import { answer } from "../support/client.ts";
import { deskAs, type Shown } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";

const receiver = await fakeService();
const peal = await inProcess({ env: receiver.env });
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
const desk = deskAs(peal, await signedIn(peal));
const NEW = "/-/devices/new";
const SECRET = "a-secret-of-the-webhook";

/** Makes a webhook by its form; returns the path of its page. */
async function webhook(topic: { key: string }, more: Record<string, string> = {}): Promise<Shown & { path: string }> {
  const form = {
    kind: "webhook",
    topic: topic.key,
    "to-url": `${receiver.origin}/hook-${topic.key}`,
    "to-secret": SECRET,
    ...more,
  };
  return desk.done(NEW, form);
}

test("the services are listed with what each is, and lead to a form with their own fields for the topic", async () => {
  const topic = await peal.topic("listed");
  const { html, text } = await desk.get(`${NEW}?topic=${topic.key}`);
  for (const { name } of KINDS) expect(html).toContain(`href="/-/devices/new?kind=${name}&amp;topic=${topic.key}"`);
  expect(text).toContain("A topic on another ntfy server.");
  const tab = await desk.get(`/-/topics/${topic.key}/devices`);
  expect(tab.html).toContain(`href="/-/devices/new?topic=${topic.key}"`);

  const discord = await desk.get(`${NEW}?kind=discord&topic=${topic.key}`);
  expect(discord.text).toContain("Webhook URL");
  expect(discord.html).toMatch(new RegExp(`<option value="${topic.key}" selected>`));
  expect(discord.html).toMatch(/<input type="password" id="to-url"/);
});

test("a forward gets the topic's messages, and its secrets are on no page afterwards", async () => {
  const topic = await peal.topic("backups");
  const made = await webhook(topic, { name: "My program" });
  expect(made.text).toContain("My program is ready. Send a test to see if it arrives.");
  expect(made.text).toContain("Forward to Webhook, 127.0.0.1:");
  expect(made.text).toContain("Where it sends");
  expect(made.text).toMatch(/URL set, not shown.*Signing secret set, not shown/);
  await peal.publish(topic, { message: "it is full" });
  await eventually("the message", () => receiver.accepted().some(({ message }) => message === "it is full"));
  const pages = [made.path, `${made.path}/forward`, "/-/devices", `/-/topics/${topic.key}/devices`, "/-/deliveries"];
  for (const path of pages) {
    const { html, status } = await desk.get(path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).not.toContain(SECRET);
    expect(html).not.toContain("/hook-");
  }
  const deliveries = await eventually("its delivery", async () => {
    const { text } = await desk.get("/-/deliveries?platform=forward");
    return text.includes("Accepted by Webhook") ? text : undefined;
  });
  expect(deliveries).toContain("My program");
});

test("its test button sends at once, and the page says what the service answered", async () => {
  const { path } = await webhook(await peal.topic("tried"));
  const before = receiver.received.length;
  expect((await desk.post(`${path}/test`)).status).toBe(303);
  await eventually("the answer", async () => (await desk.get(path)).text.includes("Test push accepted by Webhook."));
  expect(receiver.accepted().slice(before)).toMatchObject([{ test: true }]);

  receiver.script.once("*", { status: 404 });
  await desk.post(`${path}/test`);
  await eventually("the refusal", async () => (await desk.get(path)).text.includes("Check the URL of the webhook."));
});

test("credentials that a service refuses are those of the forward, not of this server", async () => {
  const { path } = await webhook(await peal.topic("refusing"), { "to-authorization": "Bearer wrong" });
  receiver.script.once("*", { status: 401 });
  await desk.post(`${path}/test`);
  await eventually("the refusal", async () => (await desk.get(path)).text.includes("Webhook answered 401."));
  expect((await desk.get(path)).text).toMatch(/Check the URL and the Authorization header .* answers 401 \./);
});

test("a secret that is left empty stays, an optional one goes by its box, and the others change", async () => {
  const topic = await peal.topic("changed");
  const { path } = await webhook(topic);
  const form = await desk.get(`${path}/forward`);
  expect(form.text).toContain("It’s set, and never shown again. Leave the field empty to keep it.");
  const saved = await desk.done(`${path}/forward`, { "to-url": "", "to-format": "slack", "to-secret": "" });
  expect(saved.text).toContain("Saved. Send a test");
  expect(saved.text).toMatch(/Format Slack Signing secret set, not shown/);
  const { received } = receiver;
  const latest = async (message: string) => {
    await peal.publish(topic, { message });
    return eventually("the message", () => received.find(({ body }) => body.includes(message)));
  };
  expect((await latest("kept")).headers["webhook-signature"]).toStartWith("v1,");
  const bare = await desk.done(`${path}/forward`, { "to-format": "", "to-secret-remove": "on" });
  expect(bare.text).not.toContain("Signing secret");
  const { headers } = await latest("unsigned");
  expect(headers["webhook-signature"]).toBeUndefined();
});

test("a host that is not allowed is refused with the name of the setting, at its field, in the reader's language", async () => {
  const topic = await peal.topic("refused");
  const given = { kind: "webhook", topic: topic.key, "to-url": "http://10.0.0.7/hook", name: "Inside" };
  const refused = await desk.post(NEW, given);
  expect(refused.status).toBe(422);
  expect(refused.html).toMatch(/id="to-url-e">.*PEAL_FORWARD_HOSTS=10\.0\.0\.7\./s);
  expect(refused.html).toContain('value="Inside"');
  expect(refused.html).not.toContain("10.0.0.7/hook"); // it is a secret, which is typed again
  const german = await peal.request(NEW, {
    method: "POST",
    headers: {
      cookie: await signedIn(peal, { name: "Anna" }),
      accept: "text/html",
      "accept-language": "de",
      "sec-fetch-site": "same-origin",
    },
    body: new URLSearchParams(given),
  });
  expect(await german.text()).toContain("kann sie mit PEAL_FORWARD_HOSTS=10.0.0.7 erlauben");
});

test("what is missing or wrong is said at its field, and a topic that nobody sees at its own", async () => {
  const topic = await peal.topic("faults");
  const missing = await desk.post(NEW, { kind: "ntfy", topic: topic.key });
  expect(missing.status).toBe(422);
  expect(missing.text).toContain("Fill in this field.");
  const unknown = await desk.post(NEW, { kind: "webhook", topic: "nothing", "to-url": `${receiver.origin}/hook` });
  expect(unknown.html).toMatch(/id="topic-e">.*That isn’t a topic you can see/s);
  expect((await desk.post(NEW, { kind: "fax", topic: topic.key })).status).toBe(404);
});

test("rules hold for it as for a device: quiet hours, a minimum priority, a mute; then it is removed after a question", async () => {
  const topic = await peal.topic("ruled");
  const { path } = await webhook(topic, { name: "Ruled" });
  const rules = { name: "Ruled", min: "high", from: "22:00", to: "07:00", zone: "Europe/Berlin" };
  expect((await desk.done(path, rules)).text).toContain("Saved.");
  expect((await desk.get("/-/devices")).text).toContain("high and urgent only, quiet 22:00–07:00");
  expect((await desk.done(`${path}/topics/${topic.key}`, { mute: "8" })).text).toContain("Muted until");
  const other = await peal.topic("ruled-too");
  expect((await desk.done(`${path}/topics`, { topic: other.key })).text).toContain("now follows ruled-too");
  const ask = await desk.get(`${path}/delete`);
  expect(ask.text).toContain("Remove “Ruled”?");
  expect(ask.text).toContain("To add it again, you need its credentials.");
  expect((await desk.done(`${path}/delete`)).text).toContain("Ruled removed.");
  expect((await desk.get(path)).status).toBe(404);
});

test("it follows topics of its own namespace only, and people who see another one do not learn of it", async () => {
  const asked = async (path: string, body: object) =>
    peal.local(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  await answer(201, await asked("/-/local/namespaces", { name: "lab" }));
  const { path } = await webhook(await peal.topic("ours"));
  await desk.done("/-/topics/new", { name: "theirs", namespace: "lab" });
  const [, key = ""] = /value="(theirs-[0-9a-z]{26})"/.exec((await desk.get(`${NEW}?kind=webhook`)).html) ?? [];
  const refused = await desk.post(`${path}/topics`, { topic: key });
  expect(refused.text).toContain("That isn’t a topic you can see");
  const cookie = await signedIn(peal, { name: "Lars", namespaces: ["lab"] });
  for (const page of [path, `${path}/forward`]) expect((await deskAs(peal, cookie).get(page)).status).toBe(404);
  // the form of a device is none of a forward
  expect((await desk.get("/-/devices/0000000000000000/forward")).status).toBe(404);
});

test("the forward that the server makes to wake ntfy's app on iPhones is shown, tested, and nobody's to change", async () => {
  const env = { ...receiver.env, PEAL_NTFY_UPSTREAM: receiver.origin, PEAL_BASE_URL: "http://nas.example:7325" };
  await using waking = await inProcess({ env });
  const topic = await waking.topic("nas");
  await waking.request(`/${topic.key}/json?poll=1`);
  const admin = deskAs(waking, await signedIn(waking));
  const [, path = ""] = await eventually(
    "it in the list",
    async () => /href="(\/-\/devices\/[0-9a-z]{16})"/.exec((await admin.get("/-/devices")).html) ?? undefined,
  );
  const shown = await admin.get(path);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain("because PEAL_NTFY_UPSTREAM is set");
  expect((await admin.get(`/-/topics/${topic.key}/devices`)).html).toContain(`href="${path}"`);
  expect((await admin.post(`${path}/test`)).status).toBe(303);
  await eventually("the answer", async () => (await admin.get(path)).text.includes("Test push accepted"));
  for (const form of ["", "/delete", "/forward"]) {
    if (form !== "") expect(shown.html).not.toContain(`${path}${form}"`);
    expect([form, (await admin.post(path + form)).status]).toEqual([form, 404]);
  }
  expect((await admin.get(`${NEW}?kind=upstream`)).text).toContain("Forward to another service");
  expect((await admin.post(NEW, { kind: "upstream", topic: topic.key })).status).toBe(404);
  const lars = deskAs(waking, await signedIn(waking, { name: "Lars", namespaces: [] }));
  expect((await lars.get(path)).status).toBe(404);
});

test("the form of each kind has a field for every setting, and gives back what was filled in", () => {
  for (const kind of KINDS) {
    expect(Object.keys(kind.form).toSorted()).toEqual(Object.keys(kind.settings.properties).toSorted());
    const form = new URLSearchParams(
      Object.keys(kind.form).map((setting): [string, string] => [fieldOf(setting), " 7 "]),
    );
    const filled = { number: 7, text: "7" };
    for (const [setting, value] of Object.entries(settingsIn(form, kind, false))) {
      const control = controlOf(kind, setting);
      expect([kind.name, setting, value]).toEqual([
        kind.name,
        setting,
        typeof control === "string" ? filled[control] : "7",
      ]);
    }
    const emptied = settingsIn(new URLSearchParams(), kind, true);
    for (const secret of kind.secrets) expect([secret, emptied[secret]]).toEqual([secret, undefined]);
  }
});
