/**
 * Any program that takes an HTTP request: the message as JSON, signed as Standard Webhooks says
 * (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md), or in Slack's or Discord's form.
 */
import { createHmac } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { messageUrl, feedUrl } from "../../http/urls.ts";
import { type Millis, rfc3339 } from "../../util/clock.ts";
import { choice, text } from "../../util/schema.ts";
import type { ProviderResponse } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { discordBody } from "./discord.ts";
import { type ForwardPush, kind } from "./kind.ts";
import { slackBody } from "./slack.ts";

const FORMATS = ["json", "slack", "discord"] as const;
type Format = (typeof FORMATS)[number];

export const webhook = kind({
  name: "webhook",
  title: { en: "Webhook", de: "Webhook" },
  settings: Type.Object({
    url: text({ minLength: 1, maxLength: 2_000, description: "Where messages are posted." }),
    format: Type.Optional(
      choice(FORMATS, { description: "`json` (default): the message; or the form of a webhook of Slack or Discord." }),
    ),
    secret: Type.Optional(
      text({
        minLength: 16,
        maxLength: 200,
        description:
          "Signs each request: `whsec_` and base64 (Standard Webhooks), or any text of 16 characters or more.",
      }),
    ),
    authorization: Type.Optional(
      text({ pattern: "^[\\x21-\\x7e][\\x20-\\x7e]{0,999}$", description: "The header of this name: `Bearer abc`." }),
    ),
  }),
  secrets: ["url", "secret", "authorization"],
  form: {
    url: { label: "URL", example: "https://example.com/hook" },
    format: {
      label: "Format",
      hint: { en: "JSON for programs of your own.", de: "JSON für eigene Programme." },
      choices: { json: "JSON", slack: "Slack", discord: "Discord" },
    },
    secret: {
      label: { en: "Signing secret", de: "Signaturgeheimnis" },
      hint: {
        en: "The receiver checks by it that a request comes from here. At least 16 characters.",
        de: "Damit prüft der Empfänger, dass eine Anfrage von hier kommt. Mindestens 16 Zeichen.",
      },
      example: "whsec_…",
    },
    authorization: {
      label: { en: "Authorization header", de: "Kopfzeile Authorization" },
      example: "Bearer abc",
    },
  },
  // decoders pass over what is no base64: of a mistyped key little or nothing would be left
  wrong: ({ secret }) =>
    secret?.startsWith(PREFIX) === true && (!BASE64.test(secret) || keyOf(secret).length < LEAST_KEY)
      ? [{ path: "/secret", message: `must be ${PREFIX} and the base64 of ${LEAST_KEY} bytes or more` }]
      : [],
  destination: ({ url }) => url,
  repeats: "once",
  // a program reads every message, and updates of an alert too
  digests: ({ format = "json" }) => format !== "json",
  request: (push, { url, format = "json", secret, authorization }, now) => {
    const body = JSON_BODIES[format](push);
    return {
      url,
      headers: {
        "content-type": "application/json",
        ...(authorization !== undefined && { authorization }),
        ...signed({ id: push.id, body, secret }, now),
      },
      body,
    };
  },
  // what answers may be in a private network, and is not repeated
  verdict: (response: ProviderResponse, push) => usualVerdict(response, push, MENDS),
});

const MENDS = {
  service: "The receiver",
  credentials: "Check the URL and the Authorization header of the webhook.",
  address: "Check the URL of the webhook.",
};

const JSON_BODIES: Readonly<Record<Format, (push: ForwardPush) => string>> = {
  json: jsonBody,
  slack: (push) => JSON.stringify(slackBody(push)),
  discord: (push) => JSON.stringify(discordBody(push)),
};

/** The message of API.md §4 and its link; for a test `{"test": true, …}`. */
function jsonBody({ message, notification, base }: ForwardPush): string {
  if (message === undefined) {
    const { title, body, level, priority, at } = notification;
    return JSON.stringify({ test: true, title, message: body, level, priority, created_at: rfc3339(at) });
  }
  const link = base === "" ? undefined : messageUrl(feedUrl(base, message.topic), message.id);
  return link === undefined ? message.json : `${message.json.slice(0, -1)},"link":${JSON.stringify(link)}}`;
}

/** The id is the same at each try, so that the receiver notices a repeat. */
function signed({ id, body, secret }: { id: string; body: string; secret: string | undefined }, now: Millis) {
  const seconds = String(Math.floor(now / 1000));
  const headers = { "webhook-id": id, "webhook-timestamp": seconds };
  if (secret === undefined) return headers;
  const signature = createHmac("sha256", keyOf(secret)).update(`${id}.${seconds}.${body}`).digest("base64");
  return { ...headers, "webhook-signature": `v1,${signature}` };
}

const PREFIX = "whsec_";
/** RFC 4648 §4, with its padding, which Python insists on. */
const BASE64 = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** In bytes. */
const LEAST_KEY = 16;

/** `whsec_` says that the key is in base64; any other text is the key. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), "base64") : Buffer.from(secret);
