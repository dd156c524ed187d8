/** Pushes and answers as the providers get and give them. */
import { expect } from "bun:test";
import fc from "fast-check";
import type { ForwardPush } from "../../src/delivery/forwards/kind.ts";
import type { Notification, Push, Verdict } from "../../src/delivery/push/push.ts";
import type { ProviderResponse } from "../../src/delivery/transport/answer.ts";
import { LEVELS, PRIORITIES } from "../../src/drafts/draft.ts";
import { CORPUS } from "../support/hostile.ts";

export const NOW = Date.UTC(2026, 0, 15, 12);
const FEED = "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs";

export const aNotification: Notification = {
  ...{ title: "Backup", body: "done", level: "info", priority: "normal", ack: false, at: NOW - 5_000 },
  topic: { namespace: "home", key: "nas-0123456789abcdefghjkmnpqrs", name: "nas" },
  messageId: 7,
  url: `${FEED}?before=8#m7`,
  feedUrl: `${FEED}?before=8#m7`,
};

export const APNS_TOKEN = "0a1b2c3d4e5f60718293a4b5c6d7e8f9".repeat(2);
export const FCM_TOKEN = `fGh1_-kLmNoPqRsTuVwXyZ:APA91b${"aBcDeFgH-_".repeat(13)}`;
export const ENDPOINT = "https://push.example/wpush/v2/gAAAAABnTokenTokenTokenTokenToken-_x";

export interface Fields extends Partial<Omit<Push, "device" | "notification">> {
  device?: Partial<Push["device"]>;
  notification?: Partial<Notification>;
}

export const aPush = ({ device, notification, ...rest }: Fields = {}): Push => ({
  ...{ id: "0f0e0d0c-0b0a-8908-8706-050403020100", collapseId: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX" },
  ...{ isUrgent: false, expiresAt: NOW + 3_600_000, shrunk: 0, ...rest },
  device: { platform: "ios", token: APNS_TOKEN, registeredAt: NOW - 60_000, wasMoved: false, ...device },
  notification: { ...aNotification, ...notification },
});

/** The same as a forward gets it: a test, as it has no message. */
export const aForward = (fields?: Fields): ForwardPush => forwarded(aPush(fields));
const forwarded = ({ device: _device, ...push }: Push): ForwardPush => ({
  ...push,
  base: "https://peal.example",
  ringMs: 0,
});

export const answered = (
  status: number,
  body: object | string = "",
  headers: Record<string, string> = {},
): ProviderResponse => ({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) });

/** The verdict on a lane that waits for the operator, who gets a message containing `words`. */
export const paused = (reason: string, ifOthersAccepted?: "prune" | "retry", words = reason): Verdict => ({
  ...{ kind: "pause", reason, tell: expect.stringContaining(words) as unknown as string },
  ...(ifOthersAccepted !== undefined && { ifOthersAccepted }),
});

export const later = (reason: string, scope: "device" | "lane", afterMs?: number): Verdict => ({
  ...{ kind: "retry", scope, reason },
  ...(afterMs !== undefined && { afterMs }),
});

const text = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1, maxLength }),
    fc.constantFrom(...CORPUS),
    fc
      .constantFrom("👨‍👩‍👧‍👦", '"', "\\", "\u2028", "é", "🇩🇪 ", "x")
      .map((unit) => unit.repeat(maxLength).slice(0, maxLength)),
  );
const url = fc
  .tuple(fc.constantFrom("https://h.example/?", "mailto:a@h.example?subject=", "tel:"), fc.nat(2_000))
  .map(([start, n]) => `${start}${'"'.repeat(n)}`.slice(0, 2_048));
const action = fc.record(
  { label: text(40), url, method: fc.constantFrom("POST", "GET") },
  { requiredKeys: ["label", "url"] },
);

/** Any notification that a valid draft could become, and texts beyond what a draft allows. */
export const notifications: fc.Arbitrary<Notification> = fc.record(
  {
    title: text(256),
    body: fc.oneof(text(300), text(16_000)),
    level: fc.constantFrom(...LEVELS),
    priority: fc.constantFrom(...PRIORITIES),
    topic: fc.constant({ namespace: "n".repeat(32), key: "k".repeat(59), name: "t".repeat(64) }),
    messageId: fc.nat(),
    url,
    feedUrl: fc.nat(1_500).map((n) => `https://${"h".repeat(n)}.example/feed`),
    image: url,
    actions: fc.array(action, { maxLength: 3 }),
    ack: fc.boolean(),
    at: fc.constant(NOW),
    count: fc.nat(),
  },
  { requiredKeys: ["title", "body", "level", "priority", "ack", "at"] },
);

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Whether the text is shown whole or was cut between two graphemes. */
export function isWhole(shown: string, text: string): boolean {
  if (shown === text || shown === "") return true;
  const kept = shown.slice(0, -1);
  if (!shown.endsWith("…") || !text.startsWith(kept)) return false;
  return graphemes.segment(text).containing(kept.length)?.index === kept.length;
}

/** Whether any eight consecutive characters of a secret appear in a text that others may read. */
export const leaks = (shown: string, secret: string): boolean =>
  Array.from({ length: Math.max(0, secret.length - 7) }, (_, i) => secret.slice(i, i + 8)).some((part) =>
    shown.includes(part),
  );
