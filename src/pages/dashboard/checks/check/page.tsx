/** @jsxImportSource #jsx */
/** One check: its state, its last runs, how to ping it, when it was down, and who is notified. */
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { fill } from "../../../elements/fill.ts";
import { Icon } from "../../../layout.tsx";
import { BriefTime } from "../../../elements/times.tsx";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import { Desktop } from "../../frame/frame.tsx";
import { mutedUntil } from "../../topics/glance.ts";
import { Act } from "./act.tsx";
import { Days } from "./days.tsx";
import { Incidents, Log } from "./log.tsx";
import { LastRuns, PingUrl } from "./panels.tsx";
import { pathOf } from "../on-check.ts";
import { Plan, Told } from "./side.tsx";
import { shownState } from "../state.ts";
import { StateNote } from "./state-note.tsx";
import type { Whole } from "./gather.ts";

/** Why nobody's phone rings for it: its topic, or all of its namespace. */
const MutedHere = ({ desk, whole: { check, topicMutedUntil } }: { desk: Desk; whole: Whole }): Safe => {
  const { view, namespaces, now } = desk;
  const { mute } = view.texts.topics;
  const namespace = namespaces.find(({ id }) => id === check.namespaceId);
  const until = namespace && mutedUntil(namespace, now);
  return (
    <div id="check-muted" data-live="topic namespace">
      {topicMutedUntil !== undefined && (
        <p class="soft">
          {fill(view.texts.open.topicMuted(check.topic.name), <BriefTime view={view} at={topicMutedUntil} />)}
        </p>
      )}
      {until !== undefined && (
        <p class="soft">{fill(mute.namespace(check.namespace), <BriefTime view={view} at={until} />)}</p>
      )}
    </div>
  );
};

/** The state in a word, even if all is well. */
const StateWord = ({ desk: { view, now }, whole: { check } }: { desk: Desk; whole: Whole }): Safe => {
  const state = shownState(check.standing, now);
  return (
    <span class={`tag st ${state}`} id="check-word" data-live="check">
      <Icon view={view} name={state} />
      {view.texts.checks.state[state]}
    </span>
  );
};

export const CheckPage = ({ desk, whole }: { desk: Desk; whole: Whole }): Safe => {
  const { view } = desk;
  const { checks: texts } = view.texts;
  const { check } = whole;
  const { name, description } = check.standing.settings;
  const isPaused = check.standing.state === "paused";
  return (
    <Desktop desk={desk} title={name} current="checks">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, "/-/checks")}>{view.texts.desk.entries.checks}</a> / {check.namespace}
          </p>
          <div class="line">
            <h1 dir="auto">{name}</h1>
            <StateWord desk={desk} whole={whole} />
          </div>
          {description !== undefined && (
            <p class="soft" dir="auto">
              {description}
            </p>
          )}
          <MutedHere desk={desk} whole={whole} />
        </div>
        <div class="line">
          <Act
            desk={desk}
            check={check}
            act={isPaused ? "resume" : "pause"}
            words={texts.act[isPaused ? "resume" : "pause"]}
          />
          <Act desk={desk} check={check} act="test" words={texts.act.test} icon="bell" />
        </div>
      </div>
      <StateNote desk={desk} whole={whole} />
      <div class="cols">
        <div class="stack">
          <LastRuns desk={desk} whole={whole} />
          <Days desk={desk} whole={whole} />
          <PingUrl desk={desk} whole={whole} />
          <Incidents desk={desk} whole={whole} />
          <Log desk={desk} whole={whole} />
        </div>
        <div class="stack">
          <Plan desk={desk} whole={whole} />
          <Told desk={desk} whole={whole} />
          <section class="tight" aria-label={texts.moreActs}>
            <div>
              <a class="btn bare" href={deskLink(desk, `${pathOf(check)}/rotate`)}>
                <Icon view={view} name="rotate" />
                {texts.act.rotate}
              </a>
            </div>
            <div>
              <a class="btn risk bare" href={deskLink(desk, `${pathOf(check)}/delete`)}>
                <Icon view={view} name="trash" />
                {texts.act.remove}
              </a>
            </div>
          </section>
        </div>
      </div>
    </Desktop>
  );
};
