/** How the OpenAPI document describes the routes that call hooks. */
import { Type } from "@sinclair/typebox";
import type { Documented } from "../http/endpoint.ts";
import { PublishBody } from "../messages/schema.ts";
import { text, time } from "../util/schema.ts";

const ANY = Type.Any({ description: "What a tool sends: JSON, a form, text or anything else." });
const FIELDS = {
  name: "level",
  schema: text(),
  description: "This and every other field of a publish: overrides the body.",
};

const ANYTHING = {
  required: false,
  content: { "application/json": { schema: Type.Union([PublishBody, ANY]) }, "*/*": { schema: ANY } },
};

const CREATED = {
  description: "It is on disk, or waits for its time.",
  schema: Type.Object({
    id: Type.Optional(Type.Integer({ minimum: 1 })),
    topic_name: Type.String(),
    message: Type.String(),
  }),
};
/** A refusal in the form that clients of the dialect expect: the URL's, else the hook's. */
const REFUSED = (status: string) => ({ description: status, type: "*/*", schema: Type.Any() });
const REFUSALS = {
  400: REFUSED("The body ended early."),
  404: REFUSED("Unknown hook."),
  409: REFUSED("The `Idempotency-Key` was used for another request."),
  413: REFUSED("Larger than 1 MiB, or than the limit on files."),
  422: REFUSED("A `delay` or `at` that can't be read."),
  429: REFUSED("Too many requests; `Retry-After` says when."),
  503: REFUSED("The store can't write."),
};
/** Answers if the URL names a dialect, or the hook has one. */
const TAKEN = {
  200: { description: "Slack, Gotify, Apprise, and Discord with `?wait=true`.", type: "*/*", schema: Type.Any() },
  202: { description: "GitHub.", schema: Type.Object({}) },
  204: { description: "Discord." },
};

const GotifyMessage = Type.Object({
  id: Type.Integer(),
  appid: Type.Integer(),
  message: Type.String(),
  title: Type.String(),
  priority: Type.Integer(),
  date: time,
});
const GotifyVersion = Type.Object({ version: Type.String(), commit: Type.String(), buildDate: Type.String() });

export const documented = {
  bare: {
    body: ANYTHING,
    summary: "Publish by a hook, whatever the body is",
    description: "It is read by its shape, and by the hook's map and dialect.",
    grammar: [FIELDS],
    answers: { ...TAKEN, 201: CREATED, ...REFUSALS },
  },
  named: {
    body: ANYTHING,
    summary: "The same in the dialect of a webhook service",
    description: "Answers as that service does: Slack `ok`, Discord 204, GitHub 202, the others 200.",
    grammar: [FIELDS],
    answers: { ...TAKEN, ...REFUSALS },
  },
  got: {
    summary: "Publish by GET, from the query, if the hook allows it",
    grammar: [FIELDS],
    answers: {
      ...TAKEN,
      201: CREATED,
      204: { description: "A HEAD, or the preview of a link: nothing was published. Discord: it is on disk." },
      ...REFUSALS,
      405: REFUSED("The hook doesn't allow GET; `Allow` says what it does."),
    },
  },
  webhook: {
    body: ANYTHING,
    summary: "Publish in the form of Discord's webhooks",
    grammar: [{ name: "wait", schema: text(), description: "`true`: 200 and a message as Discord shows it." }],
    answers: {
      200: { description: "With `?wait=true`.", schema: Type.Object({}) },
      204: { description: "It is on disk." },
      ...REFUSALS,
    },
  },
  webhookShown: {
    summary: "A hook as Discord shows a webhook, for tools that look",
    answers: { 200: { description: "It is there.", schema: Type.Object({}) }, 404: REFUSALS[404], 429: REFUSALS[429] },
  },
  gotify: {
    body: ANYTHING,
    summary: "Publish as Gotify's clients do",
    description: "JSON, form or multipart; priority 0 to 10, and the extras that Gotify's own apps know.",
    grammar: [
      { name: "token", schema: text(), description: "The hook's `gotify_token`; or as `X-Gotify-Key`, or as Bearer." },
      { name: "X-Gotify-Key", in: "header", schema: text() },
    ],
    answers: {
      200: { description: "It is on disk.", schema: GotifyMessage },
      ...REFUSALS,
      401: REFUSED("No token, or an unknown one."),
    },
  },
  version: {
    summary: "The version of this server, where Gotify's clients look for it",
    answers: { 200: { description: "Of peal.", schema: GotifyVersion } },
  },
  apprise: {
    body: ANYTHING,
    summary: "Publish as Apprise API's clients do",
    description: "`title`, `body`, `type`, `tag` and `format`, as JSON or form.",
    grammar: [
      { name: "X-Apprise-Config-ID", in: "header", schema: text(), description: "The token, where the path has none." },
    ],
    answers: { 200: { description: "It is on disk.", type: "*/*", schema: Type.Any() }, ...REFUSALS },
  },
} satisfies Record<string, Documented & { body?: typeof ANYTHING }>;
