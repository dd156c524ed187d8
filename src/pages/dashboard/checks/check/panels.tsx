/** @jsxImportSource #jsx */
/** The last runs of a check, and its ping URL with ready commands. */
import { usualMs } from "../../../../checks/days/past-runs.ts";
import { axisOf, LEAST_PLACES, longestMs, LookSample, lookOf, RunChart } from "../../../charts/runs.tsx";
import { fill } from "../../../elements/fill.ts";
import { CopyLine } from "../../../elements/copy-line.tsx";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Ago, BriefTime, momentWords } from "../../../elements/times.tsx";
import type { Millis } from "../../../../util/clock.ts";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { Command } from "./command.tsx";
import { pingSnippets } from "./pinging.ts";
import { resultWords, runsLabel } from "../run-words.ts";
import { Table } from "../phone-table.tsx";
import type { Whole, Shown } from "./gather.ts";

const STATES = { ok: "up", failed: "down", missed: "down", overrun: "down", running: "running" } as const;

export const LastRuns = ({ desk, whole: { check, runs } }: Shown): Safe => {
  const { view } = desk;
  const { checks: texts } = view.texts;
  const { runs: say, glance, lasting } = texts;
  const ended = runs.filter(({ kind }) => kind !== "running");
  const ok = ended.filter(({ kind }) => kind === "ok");
  const usual = usualMs(runs);
  const longest = longestMs(runs);
  const [first, last] = [runs.at(0), runs.at(-1)];
  const shows = new Set(runs.map((run) => lookOf(run, longest)));
  return (
    <section class="panel" aria-labelledby="runs" id="check-runs" data-live="check">
      <header>
        <h2 id="runs">{runs.length === 0 ? say.none : say.title(runs.length)}</h2>
        {ended.length > 0 && (
          <span class="dim">
            {glance.okOf(ok.length, ended.length)}
            {usual !== undefined && `, ${say.usually(lasting(usual.from), lasting(usual.to))}`}
          </span>
        )}
      </header>
      {first === undefined || last === undefined ? (
        <p class="in soft">{say.nothing}</p>
      ) : (
        <div class="in s">
          <RunChart
            runs={runs}
            label={runsLabel(check.standing.settings.name, runs, texts)}
            titles={runs.map((run) => `${momentWords(view, run.at)}: ${resultWords(run, texts)}`)}
            axis={longest === 0 ? [] : [...axisOf(longest).map(lasting).toReversed(), "0"]}
            ends={endsOf(view, first.at, last.at, runs.length)}
          />
          {(shows.size > 1 || longest > 0) && (
            <ul class="key">
              {[...shows].map((look) => (
                <li>
                  <LookSample look={look} />
                  {look === "ok" && longest === 0 ? glance.ok : say.key[look]}
                </li>
              ))}
            </ul>
          )}
          <details class="past" id="runs-list">
            <summary>{say.asList}</summary>
            <Table
              heads={[say.started, say.result, say.took]}
              rows={runs.toReversed().map((run) => [
                <Ago view={view} at={run.at} />,
                [
                  <span class={`st ${STATES[run.kind]}`}>
                    <Icon view={view} name={STATES[run.kind]} />
                    {run.exit === undefined || run.kind === "ok" ? say.kind[run.kind] : say.exit(run.exit)}
                  </span>,
                  run.isGap === true && <span class="sub">{say.gap}</span>,
                ],
                run.durationMs === undefined ? "–" : lasting(run.durationMs),
              ])}
            />
          </details>
        </div>
      )}
    </section>
  );
};

/** Words under the first bar and the last; both under the first if the last is not at the right end. */
function endsOf(view: View, first: Millis, last: Millis, count: number): Child[] {
  const [from, to] = [first, last].map((at) => <BriefTime view={view} at={at} />);
  if (count === 1) return [from];
  return count < LEAST_PLACES ? [fill(view.texts.checks.glance.span, from, to)] : [from, to];
}

export const PingUrl = ({ desk, whole: { check, pingUrl, lastPing } }: Shown): Safe => {
  const { view } = desk;
  const { ping: say } = view.texts.checks;
  const { settings } = check.standing;
  return (
    <section class="panel" aria-labelledby="ping">
      <header>
        <h2 id="ping">{say.title}</h2>
        {lastPing !== undefined && (
          <span class="dim" id="check-last-ping" data-live="check">
            {fill(view.texts.shared.used, <Ago view={view} at={lastPing.at} />)}
            {lastPing.address !== undefined && ` ${view.texts.shared.from(lastPing.address)}`}
          </span>
        )}
      </header>
      <div class="in">
        {pingUrl === undefined ? (
          <p>{say.lost}</p>
        ) : (
          <>
            <CopyLine view={desk.view} text={pingUrl} label={say.copy} />
            <p class="hint">
              {say.key}
              {settings.postOnly && ` ${say.postOnly}`}
            </p>
            <Snippets desk={desk} whole={{ pingUrl, settings }} />
            <p class="hint">
              {fill(
                say.noBinary,
                <a href={`${view.base}/-/run.sh`}>
                  <code>run.sh</code>
                </a>,
                <code>peal run</code>,
                <a href={`${view.base}/-/run.ps1`}>
                  <code>run.ps1</code>
                </a>,
              )}
            </p>
            <p class="hint">
              {say.hint.before}
              <code>/start</code>
              {say.hint.start}
              <code>/fail</code>
              {say.hint.or}
              <code>/$?</code>
              {say.hint.end}
            </p>
          </>
        )}
      </div>
    </section>
  );
};

const Snippets = ({
  desk: { view },
  whole: { pingUrl, settings },
}: {
  desk: Desk;
  whole: { pingUrl: string; settings: Whole["check"]["standing"]["settings"] };
}): Safe => {
  const { ping: say } = view.texts.checks;
  const snippets = pingSnippets(pingUrl, settings);
  return (
    <div class="langs" role="group" aria-label={say.tool}>
      {snippets.map(({ name, command }, i) => (
        <>
          <input class="sr" type="radio" name="lang" id={`lang-${i}`} checked={i === 0} autocomplete="off" />
          <label for={`lang-${i}`}>{name}</label>
          <Command view={view} name={name} command={command} />
        </>
      ))}
    </div>
  );
};
