/**
 * A channel of Slack, by an incoming webhook (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks);
 * Mattermost and Rocket.Chat take the same.
 */
import { Type } from "@sinclair/typebox";
import type { Level } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { cut } from "../../util/text/text.ts";
import type { ProviderResponse } from "../transport/answer.ts";
import { isPage, usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";

export const slack = kind({
  name: "slack",
  title: "Slack",
  settings: Type.Object({
    url: text({ minLength: 1, maxLength: 2_000, description: "Of the incoming webhook; whoever has it can post." }),
  }),
  secrets: ["url"],
  form: {
    url: {
      label: { en: "Webhook URL", de: "Webhook-URL" },
      hint: {
        en: "In Slack: an app’s settings, Incoming Webhooks, Add New Webhook. Mattermost and Rocket.Chat have such URLs too.",
        de: "In Slack: Einstellungen einer App, Incoming Webhooks, Add New Webhook. Auch Mattermost und Rocket.Chat haben solche URLs.",
      },
      example: "https://hooks.slack.com/services/T000/B000/XXXX",
    },
  },
  destination: ({ url }) => url,
  repeats: "once",
  digests: true,
  request: (push, { url }) => ({
    url,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(slackBody(push)),
  }),
  verdict: slackVerdict,
});

/** A word, such as `channel_is_archived` or `invalid_token`. */
const WORD = /^[a-z_]{1,60}$/;

/** Sources: Slack, "Sending messages using incoming webhooks: Handling errors" and "Rate limits". */
function slackVerdict(response: ProviderResponse, push: ForwardPush): ForwardVerdict {
  if (isPage(response))
    return {
      kind: "pause",
      reason: "not Slack",
      tell: "What answers is not a webhook of Slack's form: check its URL.",
    };
  const said = response.body.trim();
  if (response.status === 400 && TO_MEND.has(said))
    return { kind: "pause", reason: said, tell: `${MENDS.address} Slack says: ${said}` };
  return usualVerdict(response, push, MENDS, { said: WORD.test(said) ? said : "" });
}

/** What it answers with 400 although the message is not to blame. */
const TO_MEND: ReadonlySet<string> = new Set([
  "user_not_found",
  "no_team",
  "no_service",
  "team_disabled",
  "invalid_token",
]);

const MENDS = {
  service: "Slack",
  credentials: "The workspace doesn't allow this webhook: check it in Slack, or make another one.",
  address: "The webhook or its channel is gone: make another one and enter its URL.",
};

/** Slack cuts a text at 40,000 characters; people read less. */
const MAX_CHARACTERS = 8_000;
const COLOURS: Readonly<Record<Level, string>> = {
  ...{ info: "#3b82f6", success: "#22c55e" },
  ...{ warning: "#f59e0b", error: "#ef4444" },
};

export function slackBody({ notification, shrunk }: ForwardPush): object {
  const { title, body, url, image, level, topic, at } = notification;
  const shown = escaped(cut(body, MAX_CHARACTERS >> shrunk));
  const attachment = defined({
    fallback: `${escaped(title)}: ${shown}`,
    color: COLOURS[level],
    title: escaped(title),
    title_link: url !== undefined && /^https?:/i.test(url) ? url : undefined,
    text: shown,
    image_url: image,
    footer: topic && `${topic.namespace}/${topic.name}`,
    ts: Math.floor(at / 1000),
    // shown as it was written
    mrkdwn_in: [],
  });
  return { attachments: [attachment] };
}

/** Source: Slack, "Formatting text for app surfaces: Escaping text". So nobody is called by what a message happens to say. */
const escaped = (plain: string): string =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
