/**
 * The Apprise API, which hands on to some 130 services (https://github.com/caronc/apprise-api): with the key of a configuration
 * that it keeps, or with the URLs of services, which hold their passwords.
 */
import { Type } from "@sinclair/typebox";
import type { Level } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { cut } from "../../util/text/text.ts";
import type { FieldError } from "../../http/problem.ts";
import { MOST_SHRUNK } from "../push/push.ts";
import { jsonOf, type ProviderResponse, retryAfterMs, stringOf } from "../transport/answer.ts";
import { isPage, usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind, LONG_PATIENCE_MS } from "./kind.ts";
import { isMarkdown, linkLines, linksOf } from "./reading.ts";

export const apprise = kind({
  name: "apprise",
  title: "Apprise",
  settings: Type.Object({
    server: text({ minLength: 1, maxLength: 500, description: "The address of the Apprise API." }),
    key: Type.Optional(text({ pattern: "^[A-Za-z0-9_-]{1,128}$", description: "Of a configuration that it keeps." })),
    tag: Type.Optional(
      text({ minLength: 1, maxLength: 200, description: "Only services with it: commas mean or, spaces and." }),
    ),
    urls: Type.Optional(
      text({
        minLength: 1,
        maxLength: 4_000,
        description: "Instead of a key: Apprise URLs, with commas between them.",
      }),
    ),
    user: Type.Optional(text({ pattern: "^[^:\\p{Cc}]{1,200}$", description: "For the proxy in front of it." })),
    password: Type.Optional(text({ pattern: "^\\P{Cc}{1,500}$" })),
  }),
  secrets: ["urls", "password"],
  form: {
    server: {
      label: { en: "Apprise API", de: "Apprise API" },
      example: "https://apprise.example.org",
    },
    key: {
      label: { en: "Configuration key", de: "Schlüssel der Konfiguration" },
      hint: {
        en: "The last part of the address of its configuration page. Or leave it empty and enter URLs.",
        de: "Der letzte Teil der Adresse ihrer Konfigurationsseite. Oder leer lassen und URLs eingeben.",
      },
      example: "apprise",
    },
    tag: {
      label: { en: "Tags", de: "Tags" },
      hint: { en: "Empty: every service of the configuration.", de: "Leer: alle Dienste der Konfiguration." },
      example: "family",
    },
    urls: {
      label: { en: "Apprise URLs", de: "Apprise-URLs" },
      hint: {
        en: "Only without a key. The forms for all services: appriseit.com.",
        de: "Nur ohne Schlüssel. Die Formen für alle Dienste: appriseit.com.",
      },
      example: "signal://…, tgram://…",
    },
    user: {
      label: { en: "User name", de: "Benutzername" },
      hint: { en: "Only if the server asks for one.", de: "Nur, wenn der Server danach fragt." },
      example: "peal",
    },
    password: { label: { en: "Password", de: "Passwort" }, example: "correct horse" },
  },
  wrong: ({ key, tag, urls, user, password }) => {
    const errors: FieldError[] = [];
    if ((key === undefined) === (urls === undefined))
      errors.push({ path: "/key", message: "either `key` or `urls` is needed, not both" });
    if (tag !== undefined && key === undefined) errors.push({ path: "/tag", message: "can only be used with `key`" });
    if (password !== undefined && user === undefined)
      errors.push({ path: "/user", message: "is needed with `password`" });
    return errors;
  },
  destination: ({ server }) => server.replace(/\/+$/, ""),
  account: ({ key, tag, urls, user, password }) => [key, tag, urls, user, password].join("\n"),
  repeats: "once",
  patienceMs: LONG_PATIENCE_MS,
  digests: true,
  request: (push, { server, key, tag, urls, user, password }) => ({
    url: `${server.replace(/\/+$/, "")}/notify${key === undefined ? "" : `/${key}`}`,
    headers: defined<Record<string, string>>({
      authorization: user === undefined ? undefined : basic(user, password ?? ""),
      "content-type": "application/json",
      accept: "application/json",
      "x-apprise-log-level": "INFO", // tells what was sent, when something else was not
    }),
    body: JSON.stringify(defined({ urls, tag, ...contentOf(push) })),
  }),
  verdict: (response, push) => {
    const { status } = response;
    const answer = jsonOf(response);
    const said = stringOf(answer["error"]);
    const mend = TO_MEND.get(status);
    if (mend !== undefined)
      return { kind: "pause", reason: said || `status ${status}`, tell: `${mend} Apprise answers ${status}.` };
    if (status === 424) return ofPart(response);
    if (status === 431)
      return push.shrunk < MOST_SHRUNK ? { kind: "shrink", reason: said } : { kind: "fail", reason: said };
    // older versions answer with text, which is not a page: with what they logged, or "Notification(s) sent."
    if (isPage(response))
      return { kind: "pause", reason: "not Apprise", tell: "What answers is not the Apprise API: check its address." };
    return usualVerdict(response, push, MENDS, { said });
  },
});

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

const MENDS = {
  service: "Apprise",
  credentials: "Check the user name and the password.",
  address: "The Apprise API isn't at this address: check it.",
};

/** Source: `ResponseCode` of apprise_api/api/views.py. */
const TO_MEND: ReadonlyMap<number, string> = new Map([
  [204, "Apprise has no service to send to: check the key and its configuration, or the URLs."],
  [406, "Apprise is asked by way of itself too often: a service of its configuration leads back to it."],
  [421, "Apprise doesn't take requests for this address: check it, and its ALLOWED_HOSTS."],
]);

/**
 * Some services did not take the message, and its log tells which did: "Sent … notification". Sent again, it would come twice
 * there, so it is only where nobody has got it.
 */
function ofPart(response: ProviderResponse): ForwardVerdict {
  const lines = logIn(response);
  const failure = lines.find(({ level }) => level === "WARNING" || level === "ERROR")?.words.trim() ?? "";
  const why = failure === "" ? "no service took it" : failure;
  const isSentInPart = lines.some(({ words }) => /(?:^|: )\s*sent /i.test(words));
  if (isSentInPart) return { kind: "fail", reason: `one of the services did not take it: ${why}` };
  return defined<ForwardVerdict>({ kind: "retry", scope: "device", reason: why, afterMs: retryAfterMs(response) });
}

/** Its log: a list in JSON, and the text itself from older versions. */
function logIn(response: ProviderResponse): { level: string; words: string }[] {
  const { details } = jsonOf(response);
  const lines: unknown[] = Array.isArray(details) ? details : response.body.split("\n");
  return lines.map((line) => {
    if (Array.isArray(line)) return { level: stringOf(line[0]), words: stringOf(line[2]) };
    const { level = "", words = "" } = LINE.exec(stringOf(line))?.groups ?? {};
    return { level, words };
  });
}

const LINE = /\b(?<level>INFO|WARNING|ERROR)\b[\]\s:-]*(?<words>.*)/;

const TYPES: Readonly<Record<Level, string>> = {
  ...{ info: "info", success: "success" },
  ...{ warning: "warning", error: "failure" },
};

/** What Apprise itself takes; it cuts again for each service (apprise, `NotifyBase`). */
const MAX_TITLE = 250;
const MAX_BODY = 30_000;

function contentOf(push: ForwardPush): object {
  const { title, body, level } = push.notification;
  const isMarked = isMarkdown(push);
  const links = isMarked
    ? linksOf(push.notification).map(({ label, url }) => `[${label.replace(/[[\]]/g, "")}](<${url}>)`)
    : linkLines(push.notification);
  return {
    title: cut(title, MAX_TITLE),
    body:
      [cut(body, MAX_BODY >> push.shrunk), links.join(isMarked ? " · " : "\n")]
        .filter((part) => part.trim() !== "")
        .join("\n\n") || title,
    type: TYPES[level],
    format: isMarked ? "markdown" : "text",
  };
}
