/** @jsxImportSource #jsx */
/** All checks by name: state in words, and the last runs as bars. Rows stay in their places whatever happens. */
import type { Check } from "../../../checks/check.ts";
import { type PastRun, SHOWN_RUNS } from "../../../checks/past-runs.ts";
import type { Millis } from "../../../util/clock.ts";
import { RunBars } from "../../charts/runs.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Code, Icon } from "../../layout.tsx";
import type { Desk } from "../desk.ts";
import { deskLink } from "../filter.ts";
import { Desktop } from "../frame.tsx";
import { MutedMark, MutedNotes } from "../muted.tsx";
import { pingSnippets } from "./pinging.ts";
import { runsLabel } from "./run-words.ts";
import { LIST, pathOf } from "./seen.ts";
import { SHOWN_STATES, shownState, type ShownState } from "./state.ts";
import { sentence } from "./words.tsx";

/** What is asked for by links of the page. */
export interface Wanted {
  state?: ShownState;
  tag?: string;
  /** Rows that were shown on the pages before. */
  from: number;
}

interface Seen {
  check: Check;
  runs: readonly PastRun[];
  /** Its topic is. */
  mutedUntil: Millis | undefined;
}

export interface Listed {
  /** Those that the state and the tag leave, this page of them. */
  rows: readonly Seen[];
  wanted: Wanted;
  /** Of all that the visitor has chosen to see. */
  counts: Readonly<Record<ShownState, number>>;
  all: number;
  tags: readonly string[];
  hasMore: boolean;
}

export const ChecksPage = ({ desk, listed }: { desk: Desk; listed: Listed }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { counts, all } = listed;
  return (
    <Desktop desk={desk} title={texts.title} current="checks">
      <div class="head" id="checks-head" data-live="check">
        <div class="tight">
          <h1>{texts.heading({ down: counts.down, late: counts.late, all })}</h1>
          {all > 0 && <p class="soft">{texts.sorted(all)}</p>}
        </div>
        {all > 0 && <NewLink desk={desk} />}
      </div>
      <MutedNotes desk={desk} />
      <div class="stack" id="checks" data-live="check topic">
        {all === 0 ? <Teaching desk={desk} /> : <Rows desk={desk} listed={listed} />}
      </div>
    </Desktop>
  );
};

/** Who sees no namespace has nowhere to make one. */
const NewLink = ({ desk }: { desk: Desk }): Safe =>
  desk.namespaces.length === 0 ? (
    <p class="soft">{desk.view.texts.desk.noNamespace}</p>
  ) : (
    <a class="btn main" href={deskLink(desk, "/-/checks/new")}>
      <Icon view={desk.view} name="plus" />
      {desk.view.texts.checks.newOne}
    </a>
  );

const Teaching = ({ desk }: { desk: Desk }): Safe => {
  const { view } = desk;
  const { checks: texts } = view.texts;
  const [cron] = pingSnippets(`${view.url}/v1/ping/…`, { schedule: { kind: "manual" }, postOnly: false });
  return (
    <section class="panel">
      <div class="empty">
        <h2>{texts.empty.title}</h2>
        <p class="soft">{texts.empty.text}</p>
        <p>{texts.empty.then}</p>
        <Code view={view} label={texts.ping.command("cron")} text={cron?.command ?? ""} wrap />
        <NewLink desk={desk} />
      </div>
    </section>
  );
};

const Rows = ({ desk, listed }: { desk: Desk; listed: Listed }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { rows, wanted, counts, all, tags, hasMore } = listed;
  const chip = (words: Child, to: Partial<Wanted>, isCurrent: boolean) => (
    <a class="chip" href={linkTo(desk, to)} aria-current={isCurrent && "true"}>
      {words}
    </a>
  );
  const { tag, state } = wanted;
  const ofTag = tag !== undefined && { tag };
  const number = (n: number) => <span class="num">{n}</span>;
  return (
    <>
      <nav class="chips" aria-label={texts.show}>
        {chip([texts.all, " ", number(all)], { ...ofTag }, state === undefined)}
        {SHOWN_STATES.filter((one) => counts[one] > 0 || one === state).map((one) =>
          chip([texts.state[one], " ", number(counts[one])], { ...ofTag, state: one }, one === state),
        )}
      </nav>
      {tags.length > 0 && (
        <nav class="chips" aria-label={texts.tagged}>
          {tags.map((one) =>
            chip(
              <span dir="auto">{one}</span>,
              { ...(state !== undefined && { state }), ...(one !== tag && { tag: one }) },
              one === tag,
            ),
          )}
        </nav>
      )}
      <section class="panel" aria-label={texts.title}>
        {rows.length === 0 ? (
          <div class="empty">
            <p>{texts.noneLike}</p>
            <a href={linkTo(desk, {})}>{texts.showAll}</a>
          </div>
        ) : (
          <ul class="rows">
            {rows.map((seen) => (
              <Row desk={desk} {...seen} />
            ))}
          </ul>
        )}
      </section>
      {hasMore && (
        <p>
          <a class="btn" href={linkTo(desk, { ...wanted, from: wanted.from + rows.length })}>
            {texts.more}
          </a>
        </p>
      )}
    </>
  );
};

const Row = ({ desk, check, runs, mutedUntil }: Seen & { desk: Desk }): Safe => {
  const { view, now } = desk;
  const { checks: texts } = view.texts;
  const { name, tags } = check.standing.settings;
  const state = shownState(check.standing, now);
  const place = [check.namespace, ...tags.map((tag) => `#${tag}`)].join(" ");
  return (
    <li class={state === "down" ? "row check down" : "row check"}>
      <span class={`st ${state}`}>
        <Icon view={view} name={state} />
        {texts.state[state]}
      </span>
      <div>
        <a class="name" href={deskLink(desk, pathOf(check))} dir="auto">
          {name}
        </a>{" "}
        <span class="dim" dir="auto">
          {place}
        </span>{" "}
        <MutedMark view={view} until={mutedUntil} />
        <p class="sub">{sentence({ view, check, runs })}</p>
      </div>
      <RunBars
        runs={runs}
        label={runsLabel(name, runs, texts)}
        slots={SHOWN_RUNS}
        empty={runs.length === 0 ? SHOWN_RUNS : state === "paused" ? 3 : 0}
      />
    </li>
  );
};

const linkTo = (desk: Desk, { state, tag, from = 0 }: Partial<Wanted>): string =>
  deskLink(desk, LIST, { state, tag, from: from === 0 ? undefined : `${from}` });
