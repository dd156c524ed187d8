/** What a real mail server makes of mails, and what becomes of its replies. */
import { afterAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { createServer } from "node:net";
import { email } from "../../../src/delivery/forwards/email.ts";
import { reasonOf } from "../../../src/delivery/transport/reason.ts";
import { aForwardPush } from "../../support/forwards/asking.ts";
import { type MailServer, startMailServer } from "../../support/forwards/mailserver.ts";
import { CORPUS } from "../../support/hostile.ts";
import { freePort } from "../../support/proxies.ts";
import { authority, newAuthority } from "../../support/push/ca.ts";
import { listening } from "../../support/push/wire.ts";
import { testWith } from "../../support/tools.ts";
import { NOW } from "../pushes.ts";

const FROM = "peal <peal@example.org>";
const TO = "me@example.org";

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

testWith("aiosmtpd")(
  "a recipient that is put off and then refused does not undo that others have the mail",
  async () => {
    const server = await house();
    const settings = { port: server.port, security: "none", to: "me@example.org, later-gone@example.org" };
    const push = aPush();
    expect(await talked(settings, push)).toMatchObject({ kind: "retry" });
    expect(await talked(settings, push)).toEqual({
      ...ACCEPTED,
      warning: "not for later-gone@example.org: 550 5.1.1 No such user here",
    });
  },
);

testWith("aiosmtpd")("a recipient that was put off, and taken from the list, is no longer waited for", async () => {
  const server = await house();
  const settings = { port: server.port, security: "none" };
  const push = aPush();
  expect(await talked({ ...settings, to: "me@example.org, later2@example.org" }, push)).toMatchObject({
    kind: "retry",
  });
  expect(await talked({ ...settings, to: "me@example.org" }, push)).toEqual(ACCEPTED);
});

test("a server that is down is unreachable", async () => {
  expect(await talked({ port: await freePort(), security: "none" })).toBe("connection refused");
});

test("a server that takes the connection and resets it at once is unreachable", async () => {
  const resetting = createServer((socket) => void socket.resetAndDestroy());
  const port = await listening(resetting);
  for (let n = 0; n < 20; n++) expect(await talked({ port, security: "none" })).toBe("connection closed");
  resetting.close();
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
