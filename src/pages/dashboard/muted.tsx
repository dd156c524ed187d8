/** @jsxImportSource #jsx */
/** What is muted, wherever a page shows it. */
import type { Millis } from "../../util/clock.ts";
import { fill } from "../elements/fill.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import { BriefTime } from "../elements/times.tsx";
import type { View } from "../view.ts";
import type { Desk } from "./signed-in.ts";
import { deskLink, shownNamespaces } from "./frame/filter.ts";
import { mutedOf } from "./settings/mutes.ts";
import { mutedUntil } from "./topics/glance.ts";
import { Submit } from "../elements/submit.tsx";

interface MarkProps {
  view: View;
  until: Millis | undefined;
  /** Only the sign, for lack of room. */
  isShort?: boolean;
}
/** Beside the name of what is muted; nothing beside other names. */
export const MutedMark = ({ view, until, isShort = false }: MarkProps): Safe => (
  <>
    {until !== undefined && (
      <span class="lv paused">
        <Icon view={view} name="mute" />
        <span class={isShort ? "sr" : undefined}>
          {fill(view.texts.open.mutedTopic, <BriefTime view={view} at={until} />)}
        </span>
      </span>
    )}
  </>
);

/** The muted namespaces of the page, and the way to unmute all. `from`: where that leads back. */
export const MutedNotes = ({ desk, from }: { desk: Desk; from?: "overview" | "messages" }): Safe => {
  const { view, now, visitor } = desk;
  const shown = shownNamespaces(desk);
  const { until } = mutedOf(desk.namespaces, now) ?? {};
  const isAll = until !== undefined && desk.chosen === undefined;
  const muted = isAll ? [] : shown.filter((one) => mutedUntil(one, now) !== undefined);
  return (
    <div class="stack" id="muted" data-live="namespace">
      {isAll && (
        <div class="note warning">
          <Icon view={view} name="mute" large />
          <span>{fill(view.texts.open.allMuted, <BriefTime view={view} at={until} />)}</span>
          {visitor.person.isAdmin && (
            <form method="post" action={deskLink(desk, "/-/settings/mute")}>
              {from !== undefined && <input type="hidden" name="from" value={from} />}
              <input type="hidden" name="for" value="off" />
              <Submit view={view} icon="bell" words={view.texts.shared.unmute} />
            </form>
          )}
        </div>
      )}
      {muted.map((one) => (
        <p class="note warning">
          <Icon view={view} name="mute" large />
          <span>
            {fill(view.texts.topics.mute.namespace(one.name), <BriefTime view={view} at={one.mutedUntil ?? now} />)}
          </span>
        </p>
      ))}
    </div>
  );
};
