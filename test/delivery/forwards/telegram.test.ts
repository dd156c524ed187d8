/** What is sent to Telegram, and what its answers mean, row by row. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { telegram } from "../../../src/delivery/forwards/telegram.ts";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { aForwardPush, asking, heard, posted } from "../../support/forwards/asking.ts";
import { createTelegram, TELEGRAM_CHAT, TELEGRAM_TOKEN } from "../../support/forwards/telegram.ts";
import { examples } from "../../support/rounds.ts";
import { answered, later, notifications, paused } from "../pushes.ts";

const TO = { bot_token: TELEGRAM_TOKEN, chat: TELEGRAM_CHAT };
const to = asking(telegram, TO);

const bodyOf = (push: ForwardPush, settings = TO): unknown =>
  JSON.parse(String(asking(telegram, settings).request(push).body));

/** What people in the chat see; the push is sent again as the verdicts ask. */
function seen(push: ForwardPush): { text: string; isSilent: boolean } {
  const service = createTelegram();
  for (let sent = push; ; sent = { ...sent, shrunk: sent.shrunk + 1 }) {
    const verdict = to.verdict(heard(service.judge(posted(to.request(sent)))), sent);
    if (verdict.kind === "shrink") continue;
    expect(verdict).toEqual({ kind: "accepted", id: "1" });
    const [message] = service.messages;
    if (message === undefined) throw new Error("nothing was shown");
    return message;
  }
}

test("a message is its title, its text, where it is from, and its links", () => {
  const { url, headers } = to.request(aForwardPush());
  expect(url).toBe(`https://api.telegram.org/bot${TELEGRAM_TOKEN}/sendMessage`);
  expect(headers).toEqual({ "content-type": "application/json" });
  expect(bodyOf(aForwardPush({ notification: { level: "error" } }))).toEqual({
    chat_id: TELEGRAM_CHAT,
    text: '<b>🚨 Backup</b>\ndone\n\nhome/nas · <a href="https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7">Details</a>',
    parse_mode: "HTML",
    link_preview_options: { is_disabled: true },
  });
});

test("the message's own link and its buttons are links too, but not those that send a request", () => {
  const actions = [
    { label: "Open <NAS>", url: "https://nas.example/" },
    { label: "Stop", url: "https://nas.example/stop", method: "POST" },
  ];
  const { text } = bodyOf(aForwardPush({ notification: { actions, url: "https://log.example/?a&b" } })) as {
    text: string;
  };
  expect(text).toContain(
    '<a href="https://nas.example/">Open &lt;NAS&gt;</a> · <a href="https://log.example/?a&amp;b">Open</a>',
  );
  expect(text).not.toContain("/stop");
});

test("a topic of a group is named, but not General, whose id Telegram refuses", () => {
  expect(bodyOf(aForwardPush(), { ...TO, thread: 42 } as typeof TO)).toMatchObject({ message_thread_id: 42 });
  expect(bodyOf(aForwardPush(), { ...TO, thread: 1 } as typeof TO)).not.toHaveProperty("message_thread_id");
});

test("a message of low priority makes no sound", () => {
  expect(seen(aForwardPush({ notification: { priority: "low" } })).isSilent).toBe(true);
  expect(seen(aForwardPush({ notification: { priority: "urgent" } })).isSilent).toBe(false);
});

test("markdown is shown as Telegram can show it", () => {
  const body =
    "# Disks\n\n**sda** is *full*: `97 %`\n\n- one\n- two\n  1. deep\n\n> quoted\n>> twice\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[log](https://log.example/) <b>raw</b>";
  const push = aForwardPush({ notification: { body }, draft: { format: "markdown" } });
  expect((bodyOf(push) as { text: string }).text).toContain("<b>sda</b> is <i>full</i>: <code>97 %</code>");
  const { text } = seen(push);
  expect(text).toContain("• one\n• two\n");
  expect(text).toContain("1. deep");
  expect(text).toContain("a | b\n1 | 2");
  expect(text).toContain("log <b>raw</b>");
});

test("text that is not markdown is shown as it was written", () => {
  const body = "5 < 6 && **no** _markdown_ [here](https://x.example/)";
  expect(seen(aForwardPush({ notification: { body } })).text).toContain(`Backup\n${body}\n`);
});

test("whatever a message says, Telegram takes it", () => {
  const formats = fc.constantFrom("text" as const, "markdown" as const);
  fc.assert(
    fc.property(notifications, formats, (notification, format) => {
      seen(aForwardPush({ notification, draft: { format } }));
    }),
    { numRuns: examples(200) },
  );
});

test("what Telegram can't parse comes again as plain text", () => {
  const push = aForwardPush({ notification: { body: "a".repeat(5_000) } });
  expect(bodyOf({ ...push, shrunk: 1 })).not.toHaveProperty("parse_mode");
  const fault = answered(400, { ok: false, description: "Bad Request: can't parse entities: Unsupported start tag" });
  expect(to.verdict(fault, push).kind).toBe("shrink");
  expect(to.verdict(fault, { ...push, shrunk: 3 }).kind).toBe("fail");
});

const says = (status: number, description: string, parameters?: object) =>
  answered(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) });

// prettier-ignore
const rows: [string, ReturnType<typeof answered>, unknown][] = [
  // promise                                     answer                                                                      verdict
  ["a revoked token pauses",                     says(401, "Unauthorized"),                                                  paused("Unauthorized")],
  ["a token of the wrong form pauses",           says(404, "Not Found"),                                                     paused("Not Found")],
  ["a bot that is blocked pauses",               says(403, "Forbidden: bot was blocked by the user"),                        paused("Forbidden: bot was blocked by the user", undefined, "unblock it")],
  ["a chat that nobody began pauses",            says(403, "Forbidden: bot can't initiate conversation with a user"),        paused("Forbidden: bot can't initiate conversation with a user", undefined, "press Start")],
  ["a deleted account pauses",                   says(403, "Forbidden: user is deactivated"),                                paused("Forbidden: user is deactivated", undefined, "was deleted")],
  ["a bot that was put out pauses",              says(403, "Forbidden: bot was kicked from the supergroup chat"),            paused("Forbidden: bot was kicked from the supergroup chat", undefined, "Add the bot")],
  ["a bot that is not in a channel pauses",      says(403, "Forbidden: bot is not a member of the channel chat"),            paused("Forbidden: bot is not a member of the channel chat", undefined, "Add the bot")],
  ["a deleted group pauses",                     says(403, "Forbidden: the group chat was deleted"),                         paused("Forbidden: the group chat was deleted", undefined, "another chat id")],
  ["another 403 pauses",                         says(403, "Forbidden: something new"),                                      paused("Forbidden: something new")],
  ["an unknown chat pauses",                     says(400, "Bad Request: chat not found"),                                   paused("Bad Request: chat not found", undefined, "chat id")],
  ["an unknown topic pauses",                    says(400, "Bad Request: message thread not found"),                         paused("Bad Request: message thread not found", undefined, "topic id")],
  ["a closed topic pauses",                      says(400, "Bad Request: TOPIC_CLOSED"),                                     paused("Bad Request: TOPIC_CLOSED", undefined, "topic")],
  ["missing rights pause",                       says(400, "Bad Request: not enough rights to send text messages to the chat"), paused("Bad Request: not enough rights to send text messages to the chat", undefined, "may not write")],
  ["… in whatever words",                        says(400, "Bad Request: CHAT_SEND_PLAIN_FORBIDDEN"),                        paused("Bad Request: CHAT_SEND_PLAIN_FORBIDDEN", undefined, "may not write")],
  ["a group with a new id is asked by that",     says(400, "Bad Request: group chat was upgraded to a supergroup chat", { migrate_to_chat_id: -1001557912345 }), { kind: "moved", to: { chat: "-1001557912345" }, warning: expect.stringContaining("-1001557912345") as unknown as string }],
  ["another fault of the message fails",         says(400, "Bad Request: message text is empty"),                            { kind: "fail", reason: "Bad Request: message text is empty" }],
  ["too many wait as long as Telegram says",     says(429, "Too Many Requests: retry after 35", { retry_after: 35 }),        later("Too Many Requests: retry after 35", "device", 35_000)],
  ["Telegram's own faults are tried again",      says(500, "Internal Server Error"),                                         later("Internal Server Error", "lane")],
  ["a page that is not Telegram's pauses",       answered(200, "<html>Sign in</html>"),                                      paused("not Telegram", undefined, "Bot API")],
];
test.each(rows)("%s", (_, answer, verdict) => {
  expect(to.verdict(answer)).toEqual(verdict as ForwardVerdict);
});

test.each([
  ["-1001234567890", true],
  ["@channel_name", true],
  ["channel", false],
  ["12 34", false],
])("the chat %s is taken: %p", (chat, isTaken) => {
  const make = () => asking(telegram, { ...TO, chat });
  if (isTaken) make();
  else expect(make).toThrow();
});
