/** A channel of Discord, by the URL of a webhook (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
import { Type } from "@sinclair/typebox";
import type { Level } from "../../drafts/draft.ts";
import { rfc3339 } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { cut } from "../../util/text/text.ts";
import { MOST_SHRUNK } from "../push/push.ts";
import { jsonOf, type ProviderResponse, recordOf, retryAfterMs, stringOf } from "../transport/answer.ts";
import { isPage, usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";

export const discord = kind({
  name: "discord",
  title: "Discord",
  settings: Type.Object({
    url: text({ minLength: 1, maxLength: 2_000, description: "Of the webhook; whoever has it can post." }),
  }),
  secrets: ["url"],
  form: {
    url: {
      label: { en: "Webhook URL", de: "Webhook-URL" },
      hint: {
        en: "In Discord: the channel's settings, Integrations, Webhooks, New Webhook, Copy Webhook URL.",
        de: "In Discord: Einstellungen des Kanals, Integrationen, Webhooks, Neuer Webhook, Webhook-URL kopieren.",
      },
      example: "https://discord.com/api/webhooks/1234/abcd",
    },
  },
  destination: ({ url }) => url,
  repeats: "once",
  digests: true,
  request: (push, { url }) => ({
    url: waiting(url),
    headers: { "content-type": "application/json" },
    body: JSON.stringify(discordBody(push)),
  }),
  verdict: (response, push) => {
    const { status } = response;
    const answer = jsonOf(response);
    const { id, code, errors = answer } = answer;
    const said = stringOf(answer["message"]);
    if (isPage(response))
      return {
        kind: "pause",
        reason: "not Discord",
        tell: "What answers is not a webhook of Discord's: check its URL.",
      };
    if (status === 200) return defined<ForwardVerdict>({ kind: "accepted", id: stringOf(id) || undefined });
    if (status === 400 && "embeds" in recordOf(errors) && push.shrunk < MOST_SHRUNK)
      return { kind: "shrink", reason: said || "Discord refuses the embed" };
    if (code === IN_FORUM) return { kind: "pause", reason: said, tell: `${FORUM} Discord says: ${said}` };
    return usualVerdict(response, push, MENDS, { said, afterMs: waitOf(response) });
  },
});

/** Source: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json. */
const IN_FORUM = 220_001;
const FORUM = "The channel is a forum: add `?thread_id=` and the id of one of its posts to the URL.";

const MENDS = {
  service: "Discord",
  credentials: "Check the URL of the webhook.",
  address: "The webhook was deleted, or its URL is incomplete: make another one and enter its URL.",
};

/** With `wait` Discord answers what became of the post, instead of 204 before it is made. */
function waiting(url: string): string {
  const asked = new URL(url);
  asked.searchParams.set("wait", "true");
  return asked.href;
}

/** Seconds with a fraction, in the body; the header is rounded up, or Cloudflare's (Discord, "Rate Limits"). */
function waitOf(response: ProviderResponse): number | undefined {
  const seconds = jsonOf(response)["retry_after"];
  return typeof seconds === "number" && seconds >= 0 ? Math.ceil(seconds * 1000) : retryAfterMs(response);
}

/** The limits of an embed: Discord, "Embed Limits". */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4_096;
const MAX_ADDRESS = 2_048;
const COLOURS: Readonly<Record<Level, number>> = {
  ...{ info: 0x3b82f6, success: 0x22c55e },
  ...{ warning: 0xf59e0b, error: 0xef4444 },
};

/** `shrunk`: Discord refused an address too, so none is left but in the text. */
export function discordBody({ notification, message, shrunk }: ForwardPush): object {
  const { title, body, url, image, level, topic, at } = notification;
  const shown = message?.draft.format === "markdown" ? body : escaped(body);
  const [link, picture] = [url, image].map((address) => (shrunk === 0 && isTaken(address) ? address : undefined));
  const foot = link === undefined && url !== undefined && /^https?:/i.test(url) ? `\n\n${url}` : "";
  const embed = defined({
    title: cut(escaped(title), MAX_TITLE),
    description: `${cut(shown, (MAX_DESCRIPTION - foot.length) >> shrunk)}${foot}`,
    url: link,
    color: COLOURS[level],
    timestamp: rfc3339(at),
    footer: topic && { text: `${topic.namespace}/${topic.name}` },
    image: picture === undefined ? undefined : { url: picture },
  });
  // nobody is pinged by what a message happens to say
  return { embeds: [embed], allowed_mentions: { parse: [] } };
}

/** Discord refuses all of a post with an address whose host has no dot, such as `nas` (go-gitea/gitea#11124). */
const isTaken = (address = ""): boolean =>
  address.length <= MAX_ADDRESS && /^https?:/i.test(address) && URL.parse(address)?.hostname.includes(".") === true;

/** Text that is not markdown is shown as it was written; addresses stay links. */
const escaped = (plain: string): string =>
  plain.replace(/https?:\/\/\S+|[\\`*_~|<>#[\]()-]/g, (found) => (found.length > 1 ? found : `\\${found}`));
