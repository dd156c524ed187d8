/** A topic of an ntfy server, published as JSON (https://docs.ntfy.sh/publish/#publish-as-json). */
import { Type } from "@sinclair/typebox";
import type { Action, Level, Priority } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { beginning } from "../push/fit.ts";
import { jsonOf, type ProviderResponse, stringOf } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";

const SERVER = "https://ntfy.sh";

export const ntfy = kind({
  name: "ntfy",
  title: "ntfy",
  settings: Type.Object({
    server: Type.Optional(
      text({ minLength: 1, maxLength: 2_000, description: `Address of the server; default \`${SERVER}\`.` }),
    ),
    topic: text({ pattern: "^[-_A-Za-z0-9]{1,64}$", description: "Name of the topic there." }),
    token: Type.Optional(text({ pattern: "^[!-~]{1,200}$", description: "Access token." })),
    user: Type.Optional(text({ minLength: 1, maxLength: 200, description: "Instead of a token, with a password." })),
    password: Type.Optional(text({ minLength: 1, maxLength: 200, description: "Of the user." })),
  }),
  secrets: ["token", "password"],
  form: {
    server: {
      label: "Server",
      hint: { en: `Empty for ${SERVER.slice(8)}.`, de: `Leer für ${SERVER.slice(8)}.` },
      example: "https://ntfy.example.com",
    },
    topic: { label: "Topic", example: "backups-4fb1" },
    token: {
      label: { en: "Access token", de: "Zugangstoken" },
      hint: {
        en: "Only if the topic is protected. In ntfy: Account, Access tokens.",
        de: "Nur für ein geschütztes Topic. In ntfy: Konto, Zugangstokens.",
      },
      example: "tk_…",
    },
    user: {
      label: { en: "User name", de: "Benutzername" },
      hint: { en: "Instead of a token.", de: "Statt eines Tokens." },
    },
    password: { label: { en: "Password", de: "Passwort" } },
  },
  wrong: ({ token, user, password }) => {
    const isHalf = (user === undefined) !== (password === undefined);
    if (isHalf)
      return [{ path: user === undefined ? "/user" : "/password", message: "is required with the other one" }];
    return token !== undefined && user !== undefined
      ? [{ path: "/token", message: "can't be used together with a user name" }]
      : [];
  },
  destination: ({ server = SERVER }) => server.replace(/\/+$/, ""),
  // who may not publish to one topic may publish to others
  account: ({ topic, token, user, password }) => [topic, token, user, password].join("\n"),
  repeats: "again",
  digests: true,
  request: (push, { server = SERVER, topic, token, user, password }) => ({
    url: `${server.replace(/\/+$/, "")}/`,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(user !== undefined && {
        authorization: `Basic ${Buffer.from(`${user}:${password ?? ""}`).toString("base64")}`,
      }),
    },
    body: JSON.stringify(bodyOf(push, topic)),
  }),
  verdict: verdictOf,
});

/** Source: ntfy's `server/errors.go`. */
function verdictOf(response: ProviderResponse, push: ForwardPush): ForwardVerdict {
  const { id, code, error } = jsonOf(response);
  // whatever else answers 200 at an address is no ntfy
  if (response.status === 200 && stringOf(id) === "")
    return { kind: "pause", reason: "not ntfy", tell: "What answers there is not an ntfy server: check its address." };
  if (response.status === 200) return { kind: "accepted", id: stringOf(id) };
  if (TOPIC_REFUSED.has(code)) {
    const reason = stringOf(error);
    return { kind: "pause", reason, tell: `Choose another topic. ntfy says: ${reason}` };
  }
  const usual = usualVerdict(response, push, MENDS, { said: stringOf(error) });
  if (usual.kind !== "retry" || response.status !== 429) return usual;
  // ntfy counts for an address or an account, not for a topic; a quota is of a day
  return { ...usual, scope: "lane", ...(code === DAILY && usual.afterMs === undefined && { afterMs: QUOTA_MS }) };
}

/** Not a name of a topic, or one that it keeps for itself, such as `docs`. */
const TOPIC_REFUSED: ReadonlySet<unknown> = new Set([40_009, 40_010]);
const DAILY = 42_908;
const QUOTA_MS = 900_000;

const MENDS = {
  service: "ntfy",
  credentials: "Check the token, or the user name and password, and that they may publish to the topic.",
  address: "Check the address of the server: without a topic in it.",
};

/** ntfy's own limit is 4,096, and what is longer becomes a file. */
const MAX_BYTES = 4_000;
const MAX_TITLE_BYTES = 250;
const PRIORITIES: Readonly<Record<Priority, number>> = { low: 2, normal: 3, high: 4, urgent: 5 };
/** Tags that ntfy shows as an emoji, for a message without tags. */
const TAGS: Readonly<Record<Level, readonly string[]>> = {
  ...{ info: [], success: ["white_check_mark"] },
  ...{ warning: ["warning"], error: ["rotating_light"] },
};
/** ntfy shows three. */
const MOST_ACTIONS = 3;

function bodyOf({ notification, message, collapseId, shrunk }: ForwardPush, topic: string): object {
  const { title, body, level, priority, url, image, actions } = notification;
  const { tags = TAGS[level], format } = message?.draft ?? {};
  return defined({
    topic,
    title: beginning(title, MAX_TITLE_BYTES),
    message: beginning(body, MAX_BYTES >> shrunk),
    priority: PRIORITIES[priority],
    tags: tags.length === 0 ? undefined : tags,
    click: url,
    attach: image,
    markdown: format === "markdown" ? true : undefined,
    // ntfy takes 8 KiB of JSON, and three buttons alone may have more
    actions: shrunk > 0 ? undefined : actions?.slice(0, MOST_ACTIONS).map(actionOf),
    // a repeat, and a newer message of the same alert, take its place
    sequence_id: collapseId,
  });
}

const actionOf = (button: Action): object => ({ action: button.method === undefined ? "view" : "http", ...button });
