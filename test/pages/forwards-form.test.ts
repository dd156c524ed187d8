/** The forms of forwards when something is wrong in them: what was typed, what is said, what is chosen (WEB.md §3). */
import { afterAll, expect, test } from "bun:test";
import { KINDS } from "../../src/delivery/forwards/kinds.ts";
import { answer } from "../support/client.ts";
import { deskAs, textOf } from "../support/desk.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess } from "../support/server.ts";
import { SAME_SITE, signedIn } from "../support/signin.ts";

const receiver = await fakeService();
const peal = await inProcess({ env: receiver.env });
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
const cookie = await signedIn(peal);
const desk = deskAs(peal, cookie);
const NEW = "/-/devices/new";
const SECRET = "a-secret-of-the-webhook";

/** What the page says to be wrong with a field. */
const faultAt = (html: string, field: string): string =>
  textOf(new RegExp(`id="${field}-e">(.*?)</p>`, "s").exec(html)?.[1] ?? "").trim();

test("no browser enters the password of the dashboard as a secret, which would be sent to the service", async () => {
  await peal.topic("filled");
  for (const { name, secrets } of KINDS) {
    const { html } = await desk.get(`${NEW}?kind=${name}`);
    const fields = html.match(/<input type="password"[^>]*>/g) ?? [];
    expect([name, fields.length]).toEqual([name, secrets.length]);
    for (const field of fields) expect(field).toContain('autocomplete="new-password"');
  }
});

test("a secret that was typed beside a fault is asked for again, and shown nowhere", async () => {
  const given = { kind: "webhook", topic: "nothing", "to-url": `${receiver.origin}/hook-again`, "to-secret": SECRET };
  const refused = await desk.post(NEW, given);
  expect(refused.status).toBe(422);
  for (const field of ["to-url", "to-secret"]) expect(faultAt(refused.html, field)).toStartWith("Enter it again");
  expect(faultAt(refused.html, "to-authorization")).toBe("");
  expect(refused.html).not.toContain(SECRET);
  expect(refused.html).not.toContain("hook-again");
  expect(faultAt((await desk.get(`${NEW}?kind=webhook`)).html, "to-url")).toBe("");
});

test("the wish to remove a secret outlives a fault of another field", async () => {
  const topic = await peal.topic("removed");
  const made = { kind: "webhook", topic: topic.key, "to-url": `${receiver.origin}/hook`, "to-secret": SECRET };
  const { path } = await desk.done(NEW, made);
  const change = { "to-url": "http://10.0.0.7/", "to-secret-remove": "on" };
  const { html } = await desk.post(`${path}/forward`, change);
  expect(html).toMatch(/name="to-secret-remove" checked/);
  expect(html).not.toMatch(/name="to-authorization-remove"/);
});

const wrong = await peal.topic("wrong");
const TOKEN = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc";
const MAIL = { "to-host": "smtp.example.org", "to-from": "peal@example.org", "to-to": "me@example.org" };
// prettier-ignore
test.each([
  ["ntfy", { "to-topic": "a", "to-token": "tk", "to-user": "me", "to-password": "x" }, "to-token", "Use a token or a user name, not both.", "Entweder ein Token"],
  ["ntfy", { "to-topic": "a", "to-user": "me" }, "to-password", "Fill in this field.", "Dieses Feld ausfüllen."],
  ["ntfy", { "to-topic": "a b" }, "to-topic", "That isn’t in the form this field needs, for example backups-4fb1.", "Das hat nicht die Form"],
  ["ntfy", { "to-topic": "a", "to-server": "https://me:x@ntfy.example" }, "to-server", "Enter the address without a user name and password.", "ohne Benutzername"],
  ["webhook", { "to-url": "https://hook.example/", "to-secret": "short" }, "to-secret", "Enter 16 to 200 characters.", "16 bis 200 Zeichen eingeben."],
  ["webhook", {}, "to-url", "Fill in this field.", "Dieses Feld ausfüllen."],
  ["telegram", { "to-bot_token": TOKEN, "to-chat": "1", "to-thread": "0" }, "to-thread", "Enter a whole number, 1 or more.", "Eine ganze Zahl ab 1 eingeben."],
  ["email", { ...MAIL, "to-port": "70000" }, "to-port", "Enter a whole number from 1 to 65535.", "Eine ganze Zahl von 1 bis 65535 eingeben."],
  ["email", { ...MAIL, "to-from": "nobody" }, "to-from", "Enter one address, with or without a name.", "Eine einzige Adresse"],
  ["email", { ...MAIL, "to-to": "nobody" }, "to-to", "Enter email addresses, separated by commas.", "E-Mail-Adressen eingeben"],
  ["email", { ...MAIL, "to-to": Array(21).fill("me@example.org").join() }, "to-to", "Enter at most 20 addresses.", "Höchstens 20 Adressen"],
  ["email", { ...MAIL, "to-security": "none" }, "to-host", "the connection isn’t encrypted. The server’s operator can allow it with PEAL_FORWARD_HOSTS=smtp.example.org.", "PEAL_FORWARD_HOSTS=smtp.example.org erlauben"],
  ["apprise", { "to-server": "https://apprise.example" }, "to-key", "Enter a configuration key or Apprise URLs, not both.", "Entweder den Schlüssel"],
  ["apprise", { "to-server": "https://apprise.example", "to-urls": "json://a.example", "to-tag": "family" }, "to-tag", "Tags only work with a configuration key.", "Tags gibt es nur"],
] as const)("%s with %j says at %s: %s", async (kind, given, field, english, german) => {
  const form = { kind, topic: wrong.key, ...given };
  const refused = await desk.post(NEW, form);
  expect(refused.status).toBe(422);
  expect(faultAt(refused.html, field)).toContain(english);
  expect(refused.html).toMatch(new RegExp(`id="${field}"[^>]* autofocus`));
  const headers = { cookie, accept: "text/html", "accept-language": "de", ...SAME_SITE };
  const answered = await peal.request(NEW, { method: "POST", headers, body: new URLSearchParams(form) });
  expect(faultAt(await answered.text(), field)).toContain(german);
});

test("a forward to this server itself is refused in the words of the page", async () => {
  await using looping = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example" } });
  const topic = await looping.topic("looped");
  const form = { kind: "webhook", topic: topic.key, "to-url": "https://peal.example/home/looped" };
  const refused = await deskAs(looping, await signedIn(looping)).post(NEW, form);
  expect(faultAt(refused.html, "to-url")).toContain("each message would come back and be forwarded again");
});

test("an archived topic, and one that the filter of the header leaves out, stay chosen", async () => {
  const made = await peal.local("/-/local/namespaces", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ name: "lab" }),
  });
  await answer(201, made);
  const topic = await peal.topic("archived");
  expect((await desk.post(`/-/topics/${topic.key}/archive`)).status).toBe(303);
  const chosen = new RegExp(`<option value="${topic.key}" selected>`);
  expect((await desk.get(`${NEW}?kind=ntfy&topic=${topic.key}`)).html).toMatch(chosen);
  expect((await desk.get(`${NEW}?kind=ntfy&ns=lab&topic=${topic.key}`)).html).toMatch(chosen);
});

test("a forward without a name is called as its service is in the reader's language", async () => {
  const topic = await peal.topic("unnamed");
  const given = { kind: "email", topic: topic.key, ...MAIL, name: " " };
  const { path, text } = await desk.done(NEW, given);
  expect(text).toContain("Email is ready. Send a test to see if it arrives.");
  const german = await peal.request(path, { headers: { cookie, accept: "text/html", "accept-language": "de" } });
  expect(await german.text()).toContain('<h1 dir="auto">E-Mail</h1>');
});

test("without a topic there is nothing to fill in, but a way to one", async () => {
  await using empty = await inProcess();
  const { html, text } = await deskAs(empty, await signedIn(empty)).get(`${NEW}?kind=ntfy`);
  expect(text).toContain("There’s no topic to forward yet");
  expect(html).toContain('href="/-/topics/new"');
  expect(html).not.toContain('name="to-topic"');
});
