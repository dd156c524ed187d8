/** A chat of Telegram, by a bot (https://core.telegram.org/bots/api#sendmessage). The bot's token is in the path of the URL. */
import { Type } from "@sinclair/typebox";
import { defined } from "../../util/defined.ts";
import { characters, text } from "../../util/schema.ts";
import { boxOf, linked, namedImage, rendered } from "../../util/text/markdown.ts";
import { cut } from "../../util/text/text.ts";
import { MOST_SHRUNK } from "../push/push.ts";
import { jsonOf, recordOf, stringOf } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";
import { escaped, footHtml, isMarkdown, linkLines, linksOf, markedTitle, originOf } from "./reading.ts";

const SERVER = "https://api.telegram.org";
/** The topic that every group with topics has; Telegram refuses its id (tdlib/telegram-bot-api#798). */
const GENERAL = 1;

export const telegram = kind({
  name: "telegram",
  title: "Telegram",
  settings: Type.Object({
    bot_token: text({ pattern: "^[0-9]{3,20}:[A-Za-z0-9_-]{20,100}$", description: "Of the bot, from @BotFather." }),
    chat: text({
      pattern: "^(?:-?[0-9]{1,20}|@[A-Za-z][A-Za-z0-9_]{3,31})$",
      description: "The id of a chat, negative for a group, or the `@name` of a public channel.",
    }),
    thread: Type.Optional(Type.Integer({ minimum: 1, description: "The id of a topic of a group that has topics." })),
    server: Type.Optional(
      text({ minLength: 1, maxLength: 500, description: `Your own Bot API server; default \`${SERVER}\`.` }),
    ),
  }),
  secrets: ["bot_token"],
  form: {
    bot_token: {
      label: { en: "Bot token", de: "Bot-Token" },
      hint: {
        en: "In Telegram: write /newbot to @BotFather. It answers with the token.",
        de: "In Telegram: @BotFather /newbot schreiben. Er antwortet mit dem Token.",
      },
      example: "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc",
    },
    chat: {
      label: { en: "Chat id", de: "Chat-ID" },
      hint: {
        en: "Press Start in the chat with the bot, or write in a group that it is in; then api.telegram.org/bot<token>/getUpdates shows the chat’s id. A public channel: its @name.",
        de: "Im Chat mit dem Bot auf Start tippen oder in einer Gruppe schreiben, in der er ist; dann steht die ID des Chats unter api.telegram.org/bot<Token>/getUpdates. Ein öffentlicher Kanal: sein @Name.",
      },
      example: "-1001234567890",
    },
    thread: {
      label: { en: "Topic id", de: "Themen-ID" },
      hint: {
        en: "Only in groups with topics: the last number in the link of the topic.",
        de: "Nur in Gruppen mit Themen: die letzte Zahl im Link des Themas.",
      },
      example: "42",
    },
    server: {
      label: { en: "Bot API server", de: "Bot-API-Server" },
      hint: { en: "Only for one of your own.", de: "Nur für einen eigenen." },
      example: SERVER,
    },
  },
  destination: ({ server = SERVER }) => server.replace(/\/+$/, ""),
  // a bot that one person has blocked still works for others
  account: ({ bot_token, chat, thread }) => `${bot_token} ${chat} ${thread ?? ""}`,
  repeats: "once",
  digests: true,
  request: (push, { bot_token, chat, thread, server = SERVER }) => ({
    url: `${server.replace(/\/+$/, "")}/bot${bot_token}/sendMessage`,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(
      defined({
        chat_id: chat,
        message_thread_id: thread === GENERAL ? undefined : thread,
        ...(push.shrunk === 0 ? formatted(push) : { text: plain(push) }),
        link_preview_options: { is_disabled: true },
        disable_notification: push.notification.priority === "low" || undefined,
      }),
    ),
  }),
  verdict: (response, push) => {
    const { status } = response;
    const answer = jsonOf(response);
    const said = stringOf(answer["description"]);
    const { message_id: id } = recordOf(answer["result"]);
    if (status === 200 && answer["ok"] === true)
      return defined({ kind: "accepted", id: typeof id === "number" ? String(id) : undefined });
    if (status < 300) return { kind: "pause", reason: "not Telegram", tell: "What answers is not Telegram's Bot API." };
    const { migrate_to_chat_id: movedTo, retry_after: seconds } = recordOf(answer["parameters"]);
    if (typeof movedTo === "number") {
      const warning = `The group has become a supergroup and has another id: enter ${movedTo} as its chat id.`;
      return { kind: "moved", to: { chat: String(movedTo) }, warning };
    }
    if (status === 400 && REFUSED_TEXT.test(said) && push.shrunk < MOST_SHRUNK) return { kind: "shrink", reason: said };
    const mend = status === 403 || status === 400 ? TO_MEND.find(([words]) => words.test(said)) : undefined;
    if (mend !== undefined) return pause(said, mend[1]);
    const afterMs = typeof seconds === "number" ? seconds * 1000 : undefined;
    return usualVerdict(response, push, MENDS, { said, ...(afterMs !== undefined && { afterMs }) });
  },
});

const pause = (reason: string, tell: string): ForwardVerdict => ({
  kind: "pause",
  reason,
  tell: `${tell} Telegram says: ${reason}`,
});

const UNKNOWN = "Check the bot token: Telegram doesn't know it, or @BotFather has revoked it.";
const MENDS = { service: "Telegram", credentials: UNKNOWN, address: UNKNOWN };

/** It is sent again as plain text, with less of it. */
const REFUSED_TEXT = /message is too long|can't parse entities|ENTITIES_TOO_LONG/i;

/** Telegram's words for what only people in the chat can mend. Source: tdlib/telegram-bot-api, `Client::fail_query_with_error`. */
const TO_MEND: readonly (readonly [RegExp, string])[] = [
  [/blocked by the user/i, "The bot is blocked: unblock it in Telegram, and press Start."],
  [/can't initiate conversation/i, "Open the chat with the bot in Telegram, and press Start."],
  [/user is deactivated/i, "The account behind the chat was deleted: enter another chat id, or remove the forward."],
  [/bot was kicked|not a member/i, "Add the bot to the group or channel again."],
  [/chat was deleted/i, "The group was deleted: enter another chat id, or remove the forward."],
  [
    /chat not found|PEER_ID_INVALID|chat_id is empty/i,
    "Check the chat id. A person has to press Start first, a group has to have the bot.",
  ],
  [/thread not found|TOPIC_(?:CLOSED|DELETED)/i, "Check the topic id: the topic was closed or deleted."],
  [
    /not enough rights|have no rights|need administrator|CHAT_(?:WRITE|SEND_[A-Z]+)_FORBIDDEN|CHAT_RESTRICTED|CHAT_ADMIN_REQUIRED|USER_BANNED_IN_CHANNEL/i,
    "The bot may not write there: let it send messages; in a channel, make it an administrator.",
  ],
  [/^Forbidden/i, "The bot may not write in this chat."],
];

/** After formatting, in characters. */
const MAX_TEXT = 4_096;
/** Between title, text and foot. */
const BREAKS = 4;
/** Of links in plain text, of which there are six at most. */
const MAX_LINE = 400;

/** Source: https://core.telegram.org/bots/api#html-style. What doesn't parse is refused, and comes again as plain text. */
function formatted(push: ForwardPush): { text: string; parse_mode: "HTML" } {
  const { notification } = push;
  const title = markedTitle(notification);
  const shown = [title, originOf(notification) ?? "", ...linksOf(notification).map(({ label }) => label)].join(" · ");
  const body = cut(notification.body, MAX_TEXT - characters(shown) - BREAKS);
  const html = (isMarkdown(push) ? rendered(body, ELEMENTS)?.trim() : undefined) ?? escaped(body);
  return { text: joined(`<b>${escaped(title)}</b>`, html, footHtml(notification)), parse_mode: "HTML" };
}

function plain({ notification, shrunk }: ForwardPush): string {
  const title = markedTitle(notification);
  // addresses may be longer than the text may be
  const links = linkLines(notification).filter((line) => line.length <= MAX_LINE);
  const foot = links.join("\n");
  const room = (MAX_TEXT - characters(title) - characters(foot) - BREAKS) >> (shrunk - 1);
  return joined(title, cut(notification.body, room), foot);
}

function joined(title: string, body: string, foot: string): string {
  const head = body.trim() === "" ? title : `${title}\n${body}`;
  return foot === "" ? head : `${head}\n\n${foot}`;
}

/** Telegram shows neither paragraphs, headings, lists nor tables, so lines stand for them. */
const ELEMENTS = {
  text: escaped,
  html: (inner) => inner,
  paragraph: (inner) => `${inner}\n\n`,
  heading: (inner) => `<b>${inner}</b>\n\n`,
  // Telegram has no quotation inside a quotation
  blockquote: (inner) => `<blockquote>${inner.replace(/<\/?blockquote>/g, "").trim()}</blockquote>\n`,
  code: (inner) => `<pre>${inner}</pre>\n`,
  codespan: (inner) => `<code>${inner}</code>`,
  strong: (inner) => `<b>${inner}</b>`,
  emphasis: (inner) => `<i>${inner}</i>`,
  strikethrough: (inner) => `<s>${inner}</s>`,
  hr: () => "———\n\n",
  list: (inner, { depth }) => (depth === 0 ? `${inner}\n` : `\n${inner}`),
  listItem: (inner, { ordered, start = 1, index, depth, checked }) => {
    const sign = ordered ? `${start + index}.` : "•";
    return `${"  ".repeat(depth)}${checked === undefined ? `${sign} ` : boxOf(checked)}${inner.trim()}\n`;
  },
  table: (inner) => `${inner}\n`,
  tr: (inner) => `${inner.replace(/ \| $/, "")}\n`,
  th: (inner) => `<b>${inner}</b> | `,
  td: (inner) => `${inner} | `,
  link: (inner, { href }) => linked(inner, href),
  image: (inner, { src }) => linked(namedImage(inner) || escaped(src), src),
} satisfies Bun.markdown.RenderCallbacks;
