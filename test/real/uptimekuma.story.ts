/** A shop goes down and up: what Uptime Kuma reports, and what people read of it (REWRITES.md §4). */
import type { TestMessage, TestTopic } from "../support/client.ts";

/**
 * The three presets of its webhook's "Request Body"; `basic` is the first, with the key in the address. The others are of its
 * type ntfy: with an access token, a topic by its key; and with user name and password, a topic by its name.
 */
export const WAYS = ["json", "form-data", "custom", "basic", "ntfy", "ntfy-basic"] as const;
export type Way = (typeof WAYS)[number];
export type NtfyWay = "ntfy" | "ntfy-basic";
export const isNtfy = (way: Way): way is NtfyWay => way.startsWith("ntfy");
/** Where it posts to. */
export const pathOf = (way: Way): string =>
  way === "ntfy" ? "/" : way === "ntfy-basic" ? "/ntfy/home" : `/home/${way}`;

export const STEPS = ["test", "down", "still-down", "up"] as const;
export type Step = (typeof STEPS)[number];

export const MONITOR = "Web shop";
/** What the shop answers while it is down. */
export const REFUSAL = "closed for cleaning";
/** The example that Uptime Kuma shows in its field "Custom Body". */
export const CUSTOM_BODY = `{
    "Title": "Uptime Kuma Alert{% if monitorJSON %} - {{ monitorJSON['name'] }}{% endif %}",
    "Body": "{{ msg }}"
}`;

/** Replaces the key in the records. */
export const PLACEHOLDER = `svc_${"0".repeat(64)}`;
/** Path of the request that was recorded at this step. */
export const recordOf = (way: Way, step: Step): string => `${import.meta.dir}/recorded/uptimekuma-${way}-${step}.http`;

/** Replaces the key of topic `ntfy`. */
export const TOPIC_PLACEHOLDER = `ntfy-${"0".repeat(26)}`;

/** The request with another key, plain in a header or as the password of Basic authentication. */
export const withKey = (request: string, key: string, other: string): string =>
  request.replaceAll(key, other).replaceAll(password(key), password(other));
const password = (key: string) => btoa(`peal:${key}`);

/** What the message of this step must be, in the form of `shown`. */
export function promised(way: Way, step: Step): object {
  if (isNtfy(way)) return ofNtfy(way, step);
  return way === "custom" ? custom(step) : told[step];
}

/** How many cards the topic has after the whole story: without a key each message has its own. */
export const cardsOf = (way: Way): number => (way === "custom" || isNtfy(way) ? STEPS.length : 2);

/** The number of cards on the feed page. */
export const cards = async ({ url }: TestTopic): Promise<number | undefined> =>
  (await (await fetch(url)).text()).match(/<article/g)?.length;

/** What people read of the message and what determines its card, because ports and durations differ from run to run. */
export const shown = ({
  title,
  message,
  level,
  priority,
  tags,
  url,
  status,
  dedup_key,
  source,
}: TestMessage): object => ({
  title: String(title).replace(/-[0-9a-z]{26}\b/, "-{key}"),
  message: message
    .replace(/127\.0\.0\.1:\d+/g, "127.0.0.1:{port}")
    .replace(/(Was down for) \d+ \w+( \d+ \w+)?/, "$1 {time}"),
  look: [level, priority, status ?? "no status"].join(", "),
  tags,
  ...(url !== undefined && { url }),
  ...(dedup_key !== undefined && { dedup_key }),
  source,
});

const source = "rewrite:uptimekuma";
const alert = {
  tags: ["uptimekuma"],
  dedup_key: `uptimekuma:1:${new Bun.CryptoHasher("sha256").update(MONITOR).digest("hex").slice(0, 8)}`,
  source,
};
const target = "http://127.0.0.1:{port}/shop";
const why = `Request failed with status code 503\nResponse: ${REFUSAL}\n${target}`;

const told: Record<Step, object> = {
  test: {
    title: "Uptime Kuma test",
    message: "peal: this notification works.",
    look: "info, normal, no status",
    tags: ["uptimekuma", "test"],
    source,
  },
  down: { title: `${MONITOR} is down`, message: why, look: "error, high, firing", ...alert },
  "still-down": { title: `${MONITOR} is still down`, message: why, look: "error, high, firing", ...alert },
  up: {
    title: `${MONITOR} is up again`,
    message: `Was down for {time}\n200 - OK\n${target}`,
    look: "success, normal, resolved",
    ...alert,
  },
};

/** A user's own text has no known shape: its fields are read by their names. */
const custom = (step: Step): object => ({
  ...customWords[step],
  look: "warning, normal, no status",
  tags: ["uptimekuma", "unrecognised"],
  source,
});
const title = `Uptime Kuma Alert - ${MONITOR}`;
const customDown = { title, message: `[${MONITOR}] [🔴 Down] Request failed with status code 503` };
const customWords: Record<Step, object> = {
  test: { title: "Uptime Kuma Alert", message: "peal Testing" },
  down: customDown,
  "still-down": customDown,
  up: { title, message: `[${MONITOR}] [✅ Up] 200 - OK` },
};

/** Its type ntfy says less: no address of an alert, so each message is a card of its own. */
const ofNtfy = (way: NtfyWay, step: Step): object => ({
  ...ntfyWords[step],
  source: "ntfy",
  ...(step === "test" && testOf(way)),
});
const testOf = (way: NtfyWay) => ({ title: `${way === "ntfy" ? "ntfy-{key}" : way} [Uptime-Kuma]` });
const ntfyDown = {
  title: `${MONITOR} Down [Uptime-Kuma]`,
  message: "Request failed with status code 503",
  look: "info, urgent, no status",
  tags: ["red_circle"],
};
const ntfyWords: Record<Step, object> = {
  test: { message: "peal Testing", look: "info, high, no status", tags: ["test_tube"] },
  down: ntfyDown,
  "still-down": ntfyDown,
  up: {
    title: `${MONITOR} Up [Uptime-Kuma]`,
    message: "200 - OK",
    look: "info, high, no status",
    tags: ["green_circle"],
  },
};
