/** Pushover's apps (https://pushover.net/api). What has to be acknowledged is an emergency there, which rings by itself. */
import { Type } from "@sinclair/typebox";
import type { Priority } from "../../drafts/draft.ts";
import { HOUR, MINUTE, type Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { cut } from "../../util/text/text.ts";
import { jsonOf, type ProviderResponse, retryAfterMs, stringOf } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";
import { linksOf, originOf } from "./reading.ts";

const SERVER = "https://api.pushover.net";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
/** Tokens of applications and keys of users and groups. */
const KEY = "^[A-Za-z0-9]{30}$";

export const pushover = kind({
  name: "pushover",
  title: "Pushover",
  settings: Type.Object({
    app_token: text({ pattern: KEY, description: "Of an application of yours." }),
    user_key: text({ pattern: KEY, description: "Of the person or the group that gets the messages." }),
    device: Type.Optional(
      text({ pattern: "^[A-Za-z0-9_,-]{1,200}$", description: "Only these devices, with commas." }),
    ),
    sound: Type.Optional(text({ pattern: "^[a-z0-9_-]{1,20}$", description: "One of Pushover's or your own." })),
    server: Type.Optional(text({ minLength: 1, maxLength: 500, description: `Default \`${SERVER}\`.` })),
  }),
  secrets: ["app_token", "user_key"],
  form: {
    app_token: {
      label: { en: "API token", de: "API-Token" },
      hint: {
        en: "At pushover.net: Create an Application/API Token.",
        de: "Auf pushover.net: Create an Application/API Token.",
      },
      example: "azGDORePK8gMaC0QOYAMyEEuzJnyUi",
    },
    user_key: {
      label: { en: "User key", de: "User Key" },
      hint: {
        en: "At pushover.net, at the top right; or the key of a delivery group.",
        de: "Auf pushover.net oben rechts; oder der Schlüssel einer Gruppe.",
      },
      example: "uQiRzpo4DXghDmr9QzzfQu27cmVRsG",
    },
    device: {
      label: { en: "Devices", de: "Geräte" },
      hint: { en: "Empty: all of them.", de: "Leer: alle." },
      example: "pixel",
    },
    sound: {
      label: { en: "Sound", de: "Ton" },
      hint: { en: "Empty: the one set in the app.", de: "Leer: der in der App eingestellte." },
      example: "siren",
    },
    server: {
      label: { en: "Server", de: "Server" },
      hint: {
        en: "Only if Pushover is reached by another address.",
        de: "Nur, wenn Pushover unter einer anderen Adresse erreicht wird.",
      },
      example: SERVER,
    },
  },
  destination: ({ server = SERVER }) => server.replace(/\/+$/, ""),
  // a name that no device has stops nobody else's messages
  account: ({ app_token, user_key, device }) => [app_token, user_key, device].join("\n"),
  repeats: "once", // Pushover repeats an emergency itself
  digests: true,
  request: (push, to) => ({
    url: `${serverOf(to)}/1/messages.json`,
    headers: FORM,
    body: new URLSearchParams(fieldsOf(push, to)).toString(),
  }),
  verdict: (response, push) => {
    const { status } = response;
    const answer = jsonOf(response);
    const [receipt, id] = [answer["receipt"], answer["request"]].map(stringOf);
    if (status === 200 && answer["status"] === 1) return defined({ kind: "accepted", id: receipt || id || undefined });
    if (status < 300) return { kind: "pause", reason: "not Pushover", tell: "What answers is not Pushover's API." };
    const said = errorsOf(answer);
    if (status === 429)
      return defined<ForwardVerdict>({
        ...{ kind: "retry", scope: "lane", afterMs: untilReset(response) },
        reason: said || "the application has sent its messages of this month",
      });
    const mend = status < 500 ? TO_MEND.find(([field]) => answer[field] !== undefined)?.[1] : undefined;
    if (mend !== undefined) return { kind: "pause", reason: said, tell: `${mend} Pushover says: ${said}` };
    // "wait at least five seconds" (Pushover, "Being Friendly to our API")
    const afterMs = status >= 500 ? Math.max(5_000, retryAfterMs(response) ?? 0) : retryAfterMs(response);
    return usualVerdict(response, push, MENDS, { said, afterMs });
  },
  receipt: {
    isAsked: isEmergency,
    look: (receipt, to) => ({
      method: "GET",
      url: `${serverOf(to)}/1/receipts/${encodeURIComponent(receipt)}.json?token=${to.app_token}`,
      headers: {},
    }),
    read: (response) => {
      const answer = jsonOf(response);
      if (answer["receipt"] !== undefined && response.status >= 400 && response.status < 500) return "over"; // not known
      if (response.status !== 200 || answer["status"] !== 1) return undefined;
      if (answer["acknowledged"] === 1) return "acknowledged";
      return answer["expired"] === 1 ? "over" : "open";
    },
    cancel: (receipt, to) => ({
      url: `${serverOf(to)}/1/receipts/${encodeURIComponent(receipt)}/cancel.json`,
      headers: FORM,
      body: new URLSearchParams({ token: to.app_token }).toString(),
    }),
  },
});

interface To {
  app_token: string;
  user_key: string;
  device?: string;
  sound?: string;
  server?: string;
}

const serverOf = ({ server = SERVER }: To): string => server.replace(/\/+$/, "");

const MENDS = {
  service: "Pushover",
  credentials: "Check the API token and the user key.",
  address: "Pushover isn't at this address: check the server.",
};

/** The fields that Pushover's answer names as wrong, which are the owner's to mend. Others are those of the message. */
const TO_MEND: readonly (readonly [string, string])[] = [
  ["token", "Check the API token: Pushover doesn't know the application."],
  ["user", "Check the user key, and whether an active device belongs to it."],
  ["device", "Check the names of the devices."],
];

/** `errors` is a list of sentences. */
function errorsOf(answer: Readonly<Record<string, unknown>>): string {
  const { errors } = answer;
  return Array.isArray(errors) ? errors.map(stringOf).filter(Boolean).join("; ") : "";
}

/** The end of the month by Pushover's clock, told in Unix seconds; as long as `Date` says it is away. */
function untilReset(response: ProviderResponse): Millis | undefined {
  const reset = Number(response.headers["x-limit-app-reset"]) * 1000;
  const wait = reset - Date.parse(response.headers["date"] ?? "");
  return wait > 0 ? wait : retryAfterMs(response);
}

const PRIORITIES: Readonly<Record<Priority, string>> = { low: "-1", normal: "0", high: "1", urgent: "1" };

/**
 * Pushover's priority 2 rings until somebody acknowledges, and gives a receipt. Not for a message that comes so late that nobody
 * would follow its receipt: an acknowledgement here could not stop it.
 */
function isEmergency({ ringMs }: ForwardPush): boolean {
  return ringMs > LEAST_RING_MS;
}
const LEAST_RING_MS = 2 * MINUTE;

/** In characters, of 4 bytes at most (Pushover, "Limitations"). */
const MAX_TITLE = 250;
const MAX_MESSAGE = 1_024;
const MAX_URL = 512;
const MAX_URL_TITLE = 100;
/** How often an emergency rings, and for how long: as peal repeats its own pushes. Pushover wants 30 s or more, and takes 3 h. */
const RETRY_SECONDS = MINUTE / 1_000;
const EXPIRE_SECONDS = HOUR / 1_000;

function fieldsOf(push: ForwardPush, { app_token, user_key, device, sound }: To): Record<string, string> {
  const { notification, ringMs } = push;
  const { title, body, priority, at } = notification;
  const link = linksOf(notification).find(({ url }) => url.length <= MAX_URL);
  const emergency = {
    retry: String(RETRY_SECONDS),
    expire: String(Math.min(EXPIRE_SECONDS, Math.floor(ringMs / 1_000))),
  };
  return defined<Record<string, string>>({
    ...{ token: app_token, user: user_key, device, sound },
    title: cut(title, MAX_TITLE),
    // it may not be empty
    message: cut([body, title, originOf(notification)].find((words) => words?.trim()) ?? "…", MAX_MESSAGE),
    timestamp: String(Math.floor(at / 1_000)),
    url: link?.url,
    url_title: link && cut(link.label, MAX_URL_TITLE),
    priority: isEmergency(push) ? "2" : PRIORITIES[priority],
    ...(isEmergency(push) && emergency),
  });
}
