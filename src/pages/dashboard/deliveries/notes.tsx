/** @jsxImportSource #jsx */
/** What keeps pushes from being sent, and what to do about it: at the top of the page. */
import type { Lane } from "../../../delivery/delivery.ts";
import { platformOf } from "../../../delivery/push/plan.ts";
import type { LaneStatus } from "../../../delivery/service.ts";
import type { Deps } from "../../../deps.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";
import { Foreign, unreachedOf } from "./reasons.tsx";
import { serviceOf } from "./service.ts";

export interface Blocked {
  lane: Lane;
  status: Exclude<LaneStatus, { kind: "open" }>;
}

/**
 * Lanes in which something waits and over which nothing is sent now. `among`: only these; absent: all. `isOffline`: none of them
 * answers.
 */
export async function blockedLanes({ store, delivery }: Pick<Deps, "store" | "delivery">, among?: ReadonlySet<Lane>) {
  const lanes = (await store.deliveries.lanes()).filter((lane) => among?.has(lane) ?? true);
  const blocked = lanes.flatMap((lane): Blocked[] => {
    const status = delivery.lane(lane);
    return status.kind === "open" ? [] : [{ lane, status }];
  });
  const isOffline = blocked.length > 1 && blocked.length === lanes.length && blocked.every(isAway);
  return { isOffline, blocked: isOffline ? blocked.filter((one) => !isAway(one)) : blocked };
}
export type BlockedLanes = Awaited<ReturnType<typeof blockedLanes>>;
export const NONE_BLOCKED: BlockedLanes = { isOffline: false, blocked: [] };
const isAway = ({ status }: Blocked): boolean => status.kind === "unreachable";

/** The most that are shown: anybody who makes up endpoints makes lanes. */
const MOST_NOTES = 5;
const SETTINGS = { ios: "PEAL_APNS_KEY", android: "PEAL_FCM_CREDENTIALS", web: "", forward: "" };

export const LaneNotes = ({ view, found }: { view: View; found: BlockedLanes }): Safe => {
  const { notes } = view.texts.deliveries;
  return (
    <>
      {found.isOffline && <Note view={view} tone="error" title={notes.offline} text={notes.offlineDo} />}
      {found.blocked.slice(0, MOST_NOTES).map(({ lane, status }) => {
        const service = serviceOf(view.texts, lane);
        switch (status.kind) {
          case "unreachable":
            return (
              <Note
                view={view}
                tone="warning"
                title={notes.unreachable(service)}
                text={fill(notes.unreachableDo, unreachedOf(view.texts, status.reason))}
              />
            );
          case "paused":
            return (
              <Note
                view={view}
                tone="error"
                title={notes.paused(service)}
                text={[<Foreign words={status.tell} />, "."]}
              />
            );
          case "not_configured":
            return (
              <Note
                view={view}
                tone="warning"
                title={notes.notConfigured(service)}
                text={notes.notConfiguredDo(SETTINGS[platformOf(lane)])}
              />
            );
        }
      })}
    </>
  );
};

interface NoteProps {
  view: View;
  tone: "warning" | "error";
  title: string;
  text: Child;
}

export const Note = ({ view, tone, title, text }: NoteProps): Safe => (
  <p class={`note ${tone}`}>
    <Icon view={view} name={tone} large />
    <span dir="auto">
      <strong>{title}</strong> {text}
    </span>
  </p>
);
