/** Which mails are sent, what a real mail server makes of them, and what its replies mean, row by row. */
import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { email, mailOf } from "../../../src/delivery/forwards/email.ts";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { mailVerdict } from "../../../src/delivery/forwards/mail-verdict.ts";
import { addressesIn } from "../../../src/delivery/forwards/mailbox.ts";
import type { MailAnswer } from "../../../src/delivery/transport/mail.ts";
import { reasonOf } from "../../../src/delivery/transport/reason.ts";
import { characters } from "../../../src/util/schema.ts";
import { aForwardPush } from "../../support/forwards/asking.ts";
import { type MailServer, startMailServer } from "../../support/forwards/mailserver.ts";
import { freePort } from "../../support/proxies.ts";
import { authority, newAuthority } from "../../support/push/ca.ts";
import { listening } from "../../support/push/wire.ts";
import { CORPUS } from "../../support/hostile.ts";
import { examples } from "../../support/rounds.ts";
import { testWith } from "../../support/tools.ts";
import { later, NOW, notifications, paused } from "../pushes.ts";

const FROM = "peal <peal@example.org>";
const TO = "me@example.org";
const mail = (push: ForwardPush = aForwardPush(), to = { from: FROM, to: TO }) => mailOf(push, to, NOW);

test("a mail has the message's title, text and links, and where it is from", () => {
  const link = "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7";
  expect(mail(aForwardPush({ notification: { level: "error", body: "a < b" } }))).toMatchObject({
    ...{ from: { name: "peal", address: "peal@example.org" }, to: [{ address: "me@example.org" }] },
    subject: "🚨 Backup",
    text: `a < b\n\nDetails: ${link}\n\nhome/nas · 2026-01-15T11:59:55.000Z`,
    html: `<!doctype html><html><body><p>a &lt; b</p><p><a href="${link}">Details</a></p><p><small>home/nas · 2026-01-15T11:59:55.000Z</small></p></body></html>`,
    date: new Date(NOW),
  });
});

test("markdown is HTML there, without scripts", () => {
  const push = aForwardPush({
    notification: { body: "**full** <script>x</script> [a](javascript:b)" },
    draft: { format: "markdown" },
  });
  expect(mail(push).html).toContain("<p><strong>full</strong> &lt;script&gt;x&lt;/script&gt; a</p>");
});

test("its id is that of the push, at the domain of the sender", () => {
  expect(mail().messageId).toBe("0f0e0d0c-0b0a-8908-8706-050403020100@example.org");
});

test("the mails of an alert are one conversation", () => {
  expect(mail(aForwardPush({ isCollapsible: true })).thread).toBe(
    "thread.AAECAwQFBgcICQoLDA0ODxAREhMUFRYX@example.org",
  );
  expect(mail(aForwardPush())).not.toHaveProperty("thread");
});

test("it says that a program sent it, how important it is, and what rules of mail programs can go by", () => {
  const urgent = mail(aForwardPush({ notification: { level: "error", priority: "urgent" } }));
  expect(urgent.priority).toBe("high");
  expect(urgent.headers).toEqual({
    ...{ "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
    ...{ "X-Peal-Topic": "home/nas", "X-Peal-Level": "error", "X-Peal-Priority": "urgent" },
  });
  expect(mail(aForwardPush({ notification: { priority: "low" } })).priority).toBe("low");
  expect(mail()).not.toHaveProperty("priority");
});

// prettier-ignore
test.each<[string, ReturnType<typeof addressesIn>]>([
  ["a@b.example",                          [{ address: "a@b.example" }]],
  ["a@b.example, B <c@d.example>",         [{ address: "a@b.example" }, { name: "B", address: "c@d.example" }]],
  ['"Smith, Jo" <jo@b.example>,x@y',       [{ name: "Smith, Jo", address: "jo@b.example" }, { address: "x@y" }]],
  ["jürgen@bücher.example",                [{ address: "jürgen@bücher.example" }]],
  ["a@b.example,",                         undefined],
  ["a b@c.example",                        undefined],
  ["a@b@c.example",                        undefined],
  ["<a@b.example",                         undefined],
  ["a@b.example\r\nBcc: c@d.example",      undefined],
  ["A\n <a@b.example>",                    undefined],
  ["",                                     undefined],
])("addresses in %p", (text, found) => {
  expect(addressesIn(text)).toEqual(found);
});

// prettier-ignore
test.each<[string, Record<string, unknown>, string[]]>([
  ["all is well",             {},                                 []],
  ["two senders",             { from: "a@b.example, c@d.example" }, ["/from"]],
  ["no sender",               { from: "peal" },                   ["/from"]],
  ["no recipient",            { to: "nobody" },                   ["/to"]],
  ["too many recipients",     { to: Array(21).fill("a@b.example").join() }, ["/to"]],
  ["a password without user", { password: "p" },                  ["/user"]],
  ["a user without password", { user: "u" },                      ["/password"]],
])("%s", (_, more, paths) => {
  const settings = { host: "smtp.example.org", from: FROM, to: TO, ...more };
  expect(Value.Check(email.settings, settings)).toBe(true);
  expect(email.wrong?.(settings).map(({ path }) => path)).toEqual(paths);
});

// prettier-ignore
test.each<[Record<string, unknown>, string]>([
  [{},                               "smtps://smtp.example.org:587"],
  [{ port: 465 },                    "smtps://smtp.example.org:465"],
  [{ security: "tls" },              "smtps://smtp.example.org:465"],
  [{ security: "starttls", port: 25 }, "smtps://smtp.example.org:25"],
  [{ security: "none" },             "smtp://smtp.example.org:25"],
  [{ security: "none", port: 1025 }, "smtp://smtp.example.org:1025"],
])("with %p the server is %s", (more, url) => {
  expect(email.destination({ host: "smtp.example.org", from: FROM, to: TO, ...more })).toBe(url);
});

const reply = (step: MailAnswer["step"], words: string): MailAnswer => ({
  ...{ step, code: Number(words.slice(0, 3)), words, refused: [] },
});
const refusing = (...words: string[]): MailAnswer => ({
  ...{ step: "sent", code: 250, words: "accepted" },
  refused: words.map((one, i) => ({ address: `r${i}@b.example`, code: Number(one.slice(0, 3)), words: one })),
});

// prettier-ignore
const rows: [string, MailAnswer, unknown][] = [
  // promise                                   reply                                                          verdict
  ["taken for all is accepted",                refusing(),                                                    { kind: "accepted", id: "m@b" }],
  ["one refused is told",                      refusing("550 5.1.1 No such user"),                            { kind: "accepted", id: "m@b", warning: "not for r0@b.example: 550 5.1.1 No such user" }],
  ["one put off is tried again",               refusing("550 5.1.1 No such user", "450 4.2.0 Greylisted"),    later("not for r1@b.example: 450 4.2.0 Greylisted", "device")],
  ["a wrong password pauses",                  reply("login", "535 5.7.8 Authentication failed"),             paused("535 5.7.8 Authentication failed", undefined, "password")],
  ["a login that is not offered pauses",       { step: "login", words: "no AUTH", refused: [] },              paused("no AUTH")],
  ["a mechanism that is too weak pauses",      reply("login", "534 5.7.9 Mechanism too weak"),                paused("534 5.7.9 Mechanism too weak")],
  ["a login that fails for now is tried again", reply("login", "454 4.7.0 Temporary authentication failure"), later("454 4.7.0 Temporary authentication failure", "device")],
  ["a login that is missing pauses",           reply("sender", "530 5.7.0 Authentication required"),          paused("530 5.7.0 Authentication required", undefined, "user name")],
  ["TLS that is missing pauses",               reply("sender", "530 5.7.0 Must issue a STARTTLS command first"), paused("530 5.7.0 Must issue a STARTTLS command first", undefined, "encrypted")],
  ["… also where a password needs it",         reply("login", "538 5.7.11 Encryption required"),              paused("538 5.7.11 Encryption required", undefined, "encrypted")],
  ["STARTTLS that is not offered pauses",      reply("tls", "502 5.5.1 Unrecognized command"),                paused("502 5.5.1 Unrecognized command", undefined, "STARTTLS")],
  ["STARTTLS that fails for now is tried again", reply("tls", "454 4.7.0 TLS not available"),                 later("454 4.7.0 TLS not available", "device")],
  ["a server that refuses the machine pauses", reply("greeting", "554 5.7.1 Blocked by a list"),              paused("554 5.7.1 Blocked by a list", undefined, "this machine")],
  ["a server that closes holds the lane",      reply("greeting", "421 4.7.0 Too many connections"),           later("421 4.7.0 Too many connections", "lane")],
  ["… whenever it does",                       reply("data", "421 4.3.2 Shutting down"),                      later("421 4.3.2 Shutting down", "lane")],
  ["a full mailbox is tried again",            reply("recipients", "452 4.2.2 Mailbox full"),                 later("452 4.2.2 Mailbox full", "device")],
  ["an unknown recipient pauses",              reply("recipients", "550 5.1.1 No such user"),                 paused("550 5.1.1 No such user", undefined, "recipients")],
  ["a sender that is not allowed pauses",      reply("sender", "553 5.7.1 Sender rejected"),                  paused("553 5.7.1 Sender rejected", undefined, "sender")],
  ["a mail that is too large for it fails",    reply("sender", "552 5.3.4 Message size exceeds limit"),       { kind: "fail", reason: "552 5.3.4 Message size exceeds limit" }],
  ["a mail that is refused fails",             reply("data", "554 5.7.1 Spam"),                               { kind: "fail", reason: "554 5.7.1 Spam" }],
  ["a mail that is put off is tried again",    reply("data", "451 4.3.0 Try again"),                          later("451 4.3.0 Try again", "device")],
  ["a mail that is too large fails",           { step: "data", words: "larger than allowed", refused: [] },   { kind: "fail", reason: "larger than allowed" }],
];
test.each(rows)("%s", (_, answer, verdict) => {
  const { status, ...found } = mailVerdict(answer, "m@b");
  expect(found).toEqual(verdict as ForwardVerdict);
  expect(status).toBe(answer.code);
});

type Settings = Record<string, unknown> & { port: number };

/** The verdict of a conversation, or the words for why there was none. */
async function talked(settings: Settings, push = aPush(), ca = authority.cert): Promise<unknown> {
  if (!("talk" in email)) throw new Error("mail is a conversation");
  const to = { host: "localhost", from: FROM, to: TO, ...settings };
  const wire = { addresses: ["127.0.0.1"], signal: AbortSignal.timeout(10_000), ca, now: NOW };
  return email.talk(push, to, wire).catch((error: unknown) => reasonOf(error));
}
/** Each is another mail: a server keeps in mind who has one. */
const aPush = (fields: Parameters<typeof aForwardPush>[0] = {}) => aForwardPush({ id: randomUUID(), ...fields });
/** A server without TLS, for all that need none of their own: starting one takes a second. */
let started: Promise<MailServer> | undefined;
const house = async (): Promise<MailServer> => (started ??= startMailServer({ security: "none" }));
afterAll(async () => (await started)?.[Symbol.asyncDispose]());

const ACCEPTED = { kind: "accepted", status: 250, id: expect.stringMatching(/@example\.org$/) as unknown as string };

testWith("aiosmtpd").each(["tls", "starttls"] as const)(
  "by %s a mail comes to everybody, after a login",
  async (security) => {
    await using server = await startMailServer({ security, users: { peal: "sesame" } });
    const { port } = server;
    const push = aPush({ isCollapsible: true, notification: { priority: "urgent", body: "Größe\n.\n..\nend" } });
    const to = "me@example.org, You <you@example.org>";
    expect(await talked({ port, security, user: "peal", password: "sesame", to }, push)).toEqual(ACCEPTED);
    const [got] = server.mails;
    expect(got).toMatchObject({
      ...{ from: "peal@example.org", to: ["me@example.org", "you@example.org"], user: "peal", isEncrypted: true },
    });
    expect(got?.text?.replaceAll("\r", "")).toStartWith("Größe\n.\n..\nend\n\nDetails: ");
    expect(got?.html).toContain("Größe<br>.<br>..<br>end");
    const headers = Object.fromEntries(got?.headers ?? []);
    expect(headers).toMatchObject({
      ...{ From: "peal <peal@example.org>", To: "me@example.org, You <you@example.org>", Subject: "Backup" },
      ...{ "Message-ID": `<${push.id}@example.org>`, "Auto-Submitted": "auto-generated" },
      ...{
        References: `<thread.${push.collapseId}@example.org>`,
        "In-Reply-To": `<thread.${push.collapseId}@example.org>`,
      },
      ...{ "X-Priority": "1 (Highest)", "X-Peal-Topic": "home/nas" },
    });
  },
);

testWith("aiosmtpd")("a server of the house is asked for nothing", async () => {
  const server = await house();
  expect(await talked({ port: server.port, security: "none" })).toEqual(ACCEPTED);
  expect(server.mails.at(-1)).toMatchObject({ user: null, isEncrypted: false });
});

testWith("aiosmtpd")("a wrong password pauses, and no answer has it", async () => {
  await using server = await startMailServer({ users: { peal: "sesame" } });
  const answer = await talked({ port: server.port, user: "peal", password: "open-wide" });
  expect(answer).toMatchObject({ kind: "pause", status: 535 });
  expect(JSON.stringify(answer)).not.toContain("open-wide");
  expect(server.mails).toEqual([]);
});

testWith("aiosmtpd")("a server without STARTTLS gets neither password nor mail", async () => {
  await using server = await startMailServer({ security: "none", users: { peal: "sesame" } });
  const answer = await talked({ port: server.port, security: "starttls", user: "peal", password: "sesame" });
  expect(answer).toMatchObject({ kind: "retry", reason: "454 TLS not available" });
  expect(server.mails).toEqual([]);
});

testWith("aiosmtpd").each(["tls", "starttls"] as const)(
  "by %s a certificate of nobody's, of another name or of the past gets neither password nor mail",
  async (security) => {
    const login = { security, user: "peal", password: "sesame" };
    const certificates = [
      [newAuthority().issue(), /authority|chain|self-signed/],
      [authority.issue(["other.example"]), /another name/],
      [
        authority.issue(["localhost"], { from: Date.now() - 2 * 86_400_000, until: Date.now() - 86_400_000 }),
        /expired/,
      ],
    ] as const;
    for (const [certificate, words] of certificates) {
      await using server = await startMailServer({ security, users: { peal: "sesame" }, certificate });
      expect(await talked({ port: server.port, ...login })).toMatch(words);
      expect(server.mails).toEqual([]);
    }
  },
);

testWith("aiosmtpd").each(["tls", "starttls"] as const)(
  "by %s a server that is named by its address has to prove the address",
  async (security) => {
    const login = { host: "127.0.0.1", security, user: "peal", password: "sesame" };
    for (const [name, answer] of [
      ["localhost", expect.stringContaining("another name") as unknown],
      ["127.0.0.1", ACCEPTED],
    ] as const) {
      await using server = await startMailServer({
        ...{ security, users: { peal: "sesame" }, certificate: authority.issue([name]) },
      });
      expect(await talked({ port: server.port, ...login })).toEqual(answer);
    }
  },
);

// prettier-ignore
testWith("aiosmtpd").each<[string, Record<string, unknown>, string, object]>([
  ["an unknown recipient pauses",        { to: "gone@example.org" },    "Backup", { kind: "pause", status: 550 }],
  ["a full mailbox is tried again",      { to: "full@example.org" },    "Backup", { kind: "retry", scope: "device", status: 452 }],
  ["a server that closes holds the lane", { to: "closing@example.org" }, "Backup", { kind: "retry", scope: "lane", status: 421 }],
  ["of two, one put off decides",        { to: "gone@example.org, full@example.org" }, "Backup", { kind: "retry", status: 452 }],
  ["a sender that is not allowed pauses", { from: "spoof@example.org" }, "Backup", { kind: "pause", status: 553 }],
  ["a login that is missing pauses",     { from: "unknown@example.org" }, "Backup", { kind: "pause", status: 530 }],
  ["a mail that is refused fails",       {},                            "spam",   { kind: "fail", status: 554 }],
  ["a mail that is put off is tried again", {},                         "busy",   { kind: "retry", status: 451 }],
  ["a login where none is known pauses", { user: "peal", password: "sesame" }, "Backup", { kind: "pause" }],
])("%s", async (_, settings, title, verdict) => {
  const server = await house();
  const before = server.mails.length;
  const answer = await talked({ port: server.port, security: "none", ...settings }, aPush({ notification: { title } }));
  expect(answer).toMatchObject(verdict);
  expect(server.mails).toHaveLength(before);
});

testWith("aiosmtpd")("a recipient that is refused costs the others nothing, and is told", async () => {
  const server = await house();
  const to = "me@example.org, gone@example.org";
  expect(await talked({ port: server.port, security: "none", to })).toEqual({
    ...ACCEPTED,
    warning: "not for gone@example.org: 550 5.1.1 No such user here",
  });
  expect(server.mails.at(-1)).toMatchObject({ to: ["me@example.org"] });
});

testWith("aiosmtpd")("a recipient that is put off gets the mail later, and the others once", async () => {
  const server = await house();
  const before = server.mails.length;
  const settings = { port: server.port, security: "none", to: "me@example.org, later@example.org" };
  const push = aPush();
  expect(await talked(settings, push)).toMatchObject({
    kind: "retry",
    reason: expect.stringContaining("later@example.org") as unknown as string,
  });
  expect(await talked(settings, push)).toEqual(ACCEPTED);
  expect(server.mails.slice(before).map(({ to }) => to)).toEqual([["me@example.org"], ["later@example.org"]]);
});

testWith("aiosmtpd")("a recipient that is put off and then refused does not undo that others have the mail", async () => {
  const server = await house();
  const settings = { port: server.port, security: "none", to: "me@example.org, later-gone@example.org" };
  const push = aPush();
  expect(await talked(settings, push)).toMatchObject({ kind: "retry" });
  expect(await talked(settings, push)).toEqual({
    ...ACCEPTED,
    warning: "not for later-gone@example.org: 550 5.1.1 No such user here",
  });
});

testWith("aiosmtpd")("a recipient that was put off, and taken from the list, is no longer waited for", async () => {
  const server = await house();
  const settings = { port: server.port, security: "none" };
  const push = aPush();
  expect(await talked({ ...settings, to: "me@example.org, later2@example.org" }, push)).toMatchObject({ kind: "retry" });
  expect(await talked({ ...settings, to: "me@example.org" }, push)).toEqual(ACCEPTED);
});

test("a server that is down is unreachable", async () => {
  expect(await talked({ port: await freePort(), security: "none" })).toBe("connection refused");
});

test("a conversation that takes too long ends, whether the server is silent at once or in the middle", async () => {
  if (!("talk" in email)) throw new Error("mail is a conversation");
  for (const greeting of ["", "220 hello\r\n"]) {
    const silent = createServer((socket) => void socket.on("error", () => undefined).write(greeting));
    const to = { host: "localhost", port: await listening(silent), security: "none", from: FROM, to: TO };
    const end = new AbortController();
    const talking = email.talk(aPush(), to, { addresses: ["127.0.0.1"], signal: end.signal, now: NOW });
    await new Promise((connected) => silent.once("connection", connected));
    end.abort("no answer");
    expect(talking).rejects.toThrow();
    silent.close();
  }
});

testWith("aiosmtpd")("whatever a message says, it becomes one mail with the headers that were meant", async () => {
  const server = await house();
  const settings = { port: server.port, security: "none" };
  const known =
    /^(?:From|To|Subject|Message-ID|Date|MIME-Version|Content-Type|Content-Transfer-Encoding|Auto-Submitted|X-[\w-]+|Importance)$/;
  for (const text of [...CORPUS, "a\r\nBcc: evil@example.org\r\n\r\nbody", "x".repeat(20_000), "\r\n.\r\nQUIT\r\n"]) {
    expect(await talked(settings, aPush({ notification: { title: text, body: text } }))).toEqual(ACCEPTED);
    const got = server.mails.at(-1);
    expect(got?.to).toEqual(["me@example.org"]);
    expect(got?.headers.map(([name]) => name).filter((name) => !known.test(name))).toEqual([]);
    const flat = (words = "") => words.replaceAll("\r", "").trimEnd();
    expect(flat(got?.text ?? "")).toStartWith(flat(text));
  }
});

test("whatever a message says, a mail can be made of it", () => {
  fc.assert(
    fc.property(notifications, (notification) => {
      const { subject } = mail(aForwardPush({ notification }));
      expect(subject).not.toMatch(/[\r\n]/);
      expect(characters(subject)).toBeLessThanOrEqual(200);
    }),
    { numRuns: examples(200) },
  );
});
