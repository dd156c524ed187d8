/**
 * Telegram's Bot API, as far as bots send text: the checks and words of tdlib/telegram-bot-api (`Client.cpp`) and of td
 * (`MessageEntity.cpp`, `parse_html`).
 *
 *   const telegram = createTelegram();
 *   await using service = await fakeService(telegram.judge);
 *   telegram.token, telegram.chat                             a bot and a chat that takes its messages
 *   telegram.messages                                         what people see, after formatting
 *   telegram.refusal = [403, "Forbidden: bot was blocked by the user"]
 *   telegram.upgrade()                                        the chat becomes a supergroup, with another id
 */
import { characters } from "../../../src/util/schema.ts";
import type { Answer } from "../push/http2.ts";
import { asciiJson, json, objectIn, type Posted } from "./json.ts";

export const TELEGRAM_TOKEN = "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc";
export const TELEGRAM_CHAT = "-1001234567890";

interface Message {
  text: string;
  isSilent: boolean;
  thread?: unknown;
}

const refused = (status: number, description: string, parameters?: object): Answer =>
  json(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) });

export function createTelegram() {
  const messages: Message[] = [];
  const telegram = {
    ...{ token: TELEGRAM_TOKEN, chat: TELEGRAM_CHAT, messages },
    /** The answer to every message, instead of taking it. */
    refusal: undefined as [number, string, object?] | undefined,
    upgrade: () => {
      telegram.formerChat = telegram.chat;
      telegram.chat = "-1001557912345";
    },
    formerChat: "",
    judge: ({ method, path, headers, body }: Posted): Answer => {
      const [, token] = /^\/bot([^/]+)\/sendMessage$/.exec(path) ?? [];
      if (token === undefined || !/^\d+:[\w-]+$/.test(token)) return refused(404, "Not Found");
      if (token !== telegram.token) return refused(401, "Unauthorized");
      if (telegram.refusal !== undefined) return refused(...telegram.refusal);
      const posted = method === "POST" && headers["content-type"] === "application/json" ? objectIn(body) : {};
      const { chat_id: chat, text, parse_mode, message_thread_id: thread } = posted;
      if (typeof chat !== "string") return refused(400, "Bad Request: chat_id is empty");
      if (chat === telegram.formerChat)
        return refused(400, "Bad Request: group chat was upgraded to a supergroup chat", {
          migrate_to_chat_id: Number(telegram.chat),
        });
      if (chat !== telegram.chat) return refused(400, "Bad Request: chat not found");
      if (thread === 1) return refused(400, "Bad Request: message thread not found");
      const shown = parse_mode === "HTML" ? parsed(String(text)) : { text: String(text) };
      if ("fault" in shown) return refused(400, `Bad Request: can't parse entities: ${shown.fault}`);
      const trimmed = shown.text.trim();
      if (trimmed === "") return refused(400, "Bad Request: message text is empty");
      if (characters(trimmed) > 4_096) return refused(400, "Bad Request: message is too long");
      messages.push({ text: trimmed, isSilent: posted["disable_notification"] === true, thread });
      // td's JsonBuilder escapes all that is not ASCII
      return asciiJson(200, { ok: true, result: { message_id: messages.length, date: 0, text: trimmed } });
    },
  };
  return telegram;
}

const TAGS = new Set(["a", "b", "strong", "i", "em", "s", "u", "code", "pre", "blockquote"]);
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

/** The text that is shown, or what td says of HTML that it does not parse. */
function parsed(html: string): { text: string } | { fault: string } {
  const open: string[] = [];
  let text = "";
  for (let i = 0; i < html.length;) {
    const rest = html.slice(i);
    if (rest.startsWith("<")) {
      const [tag = "", slash = "", name = ""] = /^<(\/?)([a-z]+)(?: [a-z]+="[^"]*")*>/.exec(rest) ?? [];
      if (!TAGS.has(name)) return { fault: `Unsupported start tag "${name}" at byte offset ${i}` };
      if (slash === "") open.push(name);
      else if (open.pop() !== name) return { fault: `Unmatched end tag at byte offset ${i}` };
      i += tag.length;
      continue;
    }
    const [entity, number, named = ""] = /^&(?:#(x?[0-9a-f]+)|(lt|gt|amp|quot));/i.exec(rest) ?? [];
    text += entity === undefined ? html.charAt(i) : number === undefined ? (ENTITIES[named] ?? "") : charOf(number);
    i += entity?.length ?? 1;
  }
  return open.length > 0 ? { fault: `Can't find end tag corresponding to start tag "${open.at(-1) ?? ""}"` } : { text };
}

const charOf = (number: string): string =>
  String.fromCodePoint(/^x/i.test(number) ? Number.parseInt(number.slice(1), 16) : Number(number));
