/** What became of a push, as the API says it: in a device's last test and in the deliveries of a message (API.md §5). */
import { type Static, Type } from "@sinclair/typebox";
import { choice, time } from "../util/schema.ts";

const STATES = ["pending", "accepted", "failed", "expired", "cancelled"] as const;

/** `accepted`: by the push service. Whether the push was shown, nobody knows. */
export type PushState = (typeof STATES)[number];

export const pushState = choice(STATES, {
  description: "`accepted`: by the push service; this doesn't say whether it was shown.",
});
export const waitsFor = Type.String({ description: "Why it is not sent now, for example `paused: not configured`." });

export const LastTest = Type.Object({
  at: time,
  state: pushState,
  waits_for: Type.Optional(waitsFor),
  status: Type.Optional(Type.Integer({ description: "Of the push service's answer." })),
  answer: Type.Optional(Type.String({ description: "What the push service said." })),
});
export type LastTest = Static<typeof LastTest>;
