/** @jsxImportSource #jsx */
/** The state of a check in words, with what one does about it. */
import { marginsAt } from "../../../../checks/schedule/schedule.ts";
import { fill } from "../../../elements/fill.ts";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Ago } from "../../../elements/times.tsx";
import type { Desk } from "../../signed-in.ts";
import { Act } from "./act.tsx";
import { shownState } from "../state.ts";
import type { Whole } from "./gather.ts";
import { cause, sentence, When } from "../state-words.tsx";

export const StateNote = ({ desk, whole }: { desk: Desk; whole: Whole }): Safe => {
  const { view, now } = desk;
  const { check, runs, said } = whole;
  const { standing } = check;
  const state = shownState(standing, now);
  const act = view.texts.checks.act;
  const isMuted = standing.mutedUntil !== undefined;
  const isOpen = standing.incident !== undefined && standing.incident.ackedAt === undefined;
  return (
    <div class={state === "down" || state === "late" ? `note ${state}` : "note"} id="check-state" data-live="check">
      <Icon view={view} name={state} large />
      <div>
        <p>{state === "down" ? downWords({ desk, whole }) : sentence({ view, check, runs, said })}</p>
        <p class="soft">{joined(details({ desk, whole }))}</p>
        {(isOpen || isMuted || state === "down" || state === "late") && (
          <div class="acts">
            {isOpen && <Act desk={desk} check={check} act="ack" words={act.ack} icon="check" />}
            {isMuted ? (
              <Act desk={desk} check={check} act="unsnooze" words={act.loud} icon="bell" />
            ) : (
              <Act desk={desk} check={check} act="snooze" words={act.quiet} icon="mute" />
            )}
          </div>
        )}
      </div>
    </div>
  );
};

/** `Down for 10 h 40 min. No check-in at 02:30, nor in the hour of grace after it.` */
function downWords({ desk: { view, now }, whole }: { desk: Desk; whole: Whole }): Child {
  const { standing } = whole.check;
  const { sentence: say, note, lasting } = view.texts.checks;
  const { incident, settings } = standing;
  const { openedAt = now, expectedAt, reason, gap, missed = 0 } = incident ?? {};
  const isMissed = reason === "missed" && expectedAt !== undefined && gap === undefined;
  const { graceMs } = marginsAt(settings, expectedAt ?? now);
  return [
    <strong>{say.down(lasting(now - openedAt))}</strong>,
    isMissed && missed > 0
      ? [". ", fill(note.missed(graceMs === 0 ? undefined : lasting(graceMs)), <When view={view} at={expectedAt} />)]
      : [say.because, cause({ view, ...whole }), "."],
  ];
}

/** Sentences with further details. */
function details({ desk: { view }, whole }: { desk: Desk; whole: Whole }): Child[] {
  const { checks: texts } = view.texts;
  const { standing } = whole.check;
  const { incident, lastOkAt, lastDurationMs, mutedUntil } = standing;
  const at = (time: number) => <When view={view} at={time} />;
  const took = lastDurationMs === undefined ? undefined : texts.lasting(lastDurationMs);
  const { accepted = 0, ...others } = whole.alarm ?? {};
  const all = Object.values(others).reduce((sum, n) => sum + n, accepted);
  return [
    lastOkAt === undefined ? "" : fill(texts.note.lastOk(took), <Ago view={view} at={lastOkAt} />),
    whole.alarm === undefined ? "" : all === 0 ? texts.told.toNobody : texts.told.accepted(accepted, all),
    incident?.ackedAt === undefined ? "" : texts.sentence.acked(incident.ackedBy),
    incident?.remindAt === undefined ? "" : fill(texts.told.reminder, at(incident.remindAt)),
    incident === undefined || mutedUntil === undefined ? "" : fill(texts.sentence.muted, at(mutedUntil)),
  ].filter((part) => part !== "");
}

const joined = (parts: readonly Child[]): Child => parts.map((part, i) => (i === 0 ? part : [" ", part]));
