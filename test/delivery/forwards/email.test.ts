/** Which mails are sent, and what the replies of mail servers mean, row by row. */
import { expect, test } from "bun:test";
import { Value } from "@sinclair/typebox/value";
import fc from "fast-check";
import { email, mailOf } from "../../../src/delivery/forwards/email.ts";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { mailVerdict } from "../../../src/delivery/forwards/mail-verdict.ts";
import { addressesIn } from "../../../src/delivery/forwards/mailbox.ts";
import type { MailAnswer } from "../../../src/delivery/transport/mail.ts";
import { characters } from "../../../src/util/schema.ts";
import { aForwardPush } from "../../support/forwards/asking.ts";
import { examples } from "../../support/rounds.ts";
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

test("an id is ASCII, whatever the domain of the sender", () => {
  expect(mail(aForwardPush(), { from: "peal@bücher.example", to: TO }).messageId).toEndWith("@xn--bcher-kva.example");
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
  ["a server that closes holds the lane",      reply("greeting", "421 4.7.0 Too many connections"),           later("421 4.7.0 Too many connections", "lane", 60_000)],
  ["… whenever it does",                       reply("data", "421 4.3.2 Shutting down"),                      later("421 4.3.2 Shutting down", "lane", 60_000)],
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
  if (found.kind !== "retry" || answer.step !== "sent") expect(status).toBe(answer.code);
});

test("one who is put off counts as a refusal, and not as a failure of the server", () => {
  expect(mailVerdict(refusing("450 4.2.0 Greylisted"), "m@b").status).toBe(450);
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
