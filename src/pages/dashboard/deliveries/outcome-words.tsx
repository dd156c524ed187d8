/** @jsxImportSource #jsx */
/** The outcome of a push, in words. */
import { stateOf } from "../../../delivery/json.ts";
import { type Delivery, TOO_MANY } from "../../../delivery/delivery.ts";
import type { LaneStatus } from "../../../delivery/service.ts";
import type { Deps } from "../../../deps.ts";
import { IN_QUIET_HOURS } from "../../../devices/device.ts";
import { draftOf, type Message } from "../../../messages/message.ts";
import type { Millis } from "../../../util/clock.ts";
import { firstWords } from "../../feed/card.tsx";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../../layout.tsx";
import type { Texts } from "../../texts/texts.ts";
import { Ago, BriefTime } from "../../elements/times.tsx";
import type { View } from "../../view.ts";
import { reasonOf } from "./reasons.tsx";
import { serviceOf } from "./service.ts";

/** As the page tells them apart: pending ones wait, or quiet hours hold them. */
export const SHOWN_STATES = ["waiting", "held", "accepted", "failed", "expired", "cancelled"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export function shownState(delivery: Delivery): ShownState {
  const state = stateOf(delivery);
  if (state !== "pending") return state;
  return delivery.lastReason === IN_QUIET_HOURS ? "held" : "waiting";
}

const LOOKS: Record<ShownState, { look: string; icon: IconName }> = {
  waiting: { look: "pending", icon: "late" },
  held: { look: "pending", icon: "paused" },
  accepted: { look: "accepted", icon: "success" },
  failed: { look: "failed", icon: "down" },
  expired: { look: "expired", icon: "late" },
  cancelled: { look: "cancelled", icon: "x" },
};

export const StateWord = ({ view, delivery }: { view: View; delivery: Delivery }): Safe => {
  const state = shownState(delivery);
  const { look, icon } = LOOKS[state];
  return (
    <span class={`st ${look}`}>
      <Icon view={view} name={icon} />
      {view.texts.deliveries.states[state]}
    </span>
  );
};

/** The name of a message where there is no room for it. */
export function headingOf({ deliveries: words }: Texts, message: Message | undefined): string {
  if (message === undefined) return words.deletedMessage;
  const line = firstWords({ draft: draftOf(message) }).trim();
  return line === "" ? words.untitled(message.id) : line;
}

interface Told {
  view: View;
  delivery: Delivery;
  /** Absent: it was deleted. */
  message?: Message | undefined;
  lanes: Pick<Deps["delivery"], "lane" | "restsUntil">;
  /** The device. */
  isLost?: boolean;
}

/** Whether it waits for more than its turn: a try failed, or none is made for now. */
export const isHeldUp = ({ delivery, lanes }: Pick<Told, "delivery" | "lanes">): boolean => {
  const { attempts, lastReason, lane } = delivery;
  const isNoTurn = lanes.lane(lane).kind !== "open" || restOf(delivery, lanes) !== undefined;
  return shownState(delivery) === "waiting" && (attempts > 0 || lastReason !== undefined || isNoTurn);
};

const restOf = ({ device }: Delivery, lanes: Told["lanes"]): Millis | undefined =>
  device && lanes.restsUntil(device.row);

/** Two sentences: what the push service said, and what follows from it. */
export function saidOf(told: Told): { said: Child; more?: Child } {
  const { view, delivery, message } = told;
  const { texts } = view;
  const { say } = texts.deliveries;
  const { attempts, acceptedAt, shownAt, state } = delivery;
  const service = serviceOf(texts, delivery.lane);
  switch (shownState(delivery)) {
    case "accepted": {
      const since = message?.createdAt ?? delivery.createdAt;
      const more = [
        attempts > 1 && state !== "pending" ? say.tries(attempts) : "",
        shownAt === undefined ? "" : say.shown(Math.max(0, shownAt - since)),
        state === "pending" ? say.repeated : "",
      ];
      return { said: say.took(service, Math.max(0, (acceptedAt ?? since) - since)), more: sentences(more) };
    }
    case "failed": {
      return { said: reasonOf(texts, delivery), ...(told.isLost === true && { more: say.lost }) };
    }
    case "held":
      return { said: reasonOf(texts, delivery), more: fill(say.sentAt, <When {...told} at={delivery.dueAt} />) };
    case "waiting": {
      const blocked = blockedBy(texts, told.lanes.lane(delivery.lane), service);
      const rest = restOf(delivery, told.lanes);
      const nextAt = Math.max(delivery.dueAt, rest ?? 0);
      const next = nextAt > view.now ? fill(say.nextAt, <When {...told} at={nextAt} />) : "";
      const held = rest === undefined ? delivery : { ...delivery, lastReason: delivery.lastReason ?? TOO_MANY };
      const tries = attempts > 0 ? `${say.tried(attempts)} ` : "";
      return { said: reasonOf(texts, held) ?? (blocked || say.waits), more: [tries, next] };
    }
    default:
      return { said: reasonOf(texts, delivery) };
  }
}

const sentences = (parts: readonly string[]): string => parts.filter((part) => part !== "").join(" ");

/** How long ago it was, or when it will be. */
export const When = ({ view, at }: { view: View; at: Millis }): Safe =>
  at > view.now ? <BriefTime view={view} at={at} /> : <Ago view={view} at={at} />;

function blockedBy({ deliveries: { say } }: Texts, status: LaneStatus, service: string): string {
  switch (status.kind) {
    case "open":
      return "";
    case "unreachable":
      return say.asleep(service);
    case "paused":
      return say.paused(service);
    case "not_configured":
      return say.notConfigured(service);
  }
}
