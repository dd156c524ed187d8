/** @jsxImportSource #jsx */
/** All checks, those that need somebody first: state in words, the last days as a strip on one axis for all, and uptime. */
import type { Check } from "../../../../checks/check.ts";
import type { Square } from "../../../../checks/days/figures.ts";
import type { PastRun } from "../../../../checks/days/past-runs.ts";
import { DAY, type Millis } from "../../../../util/clock.ts";
import { DayStrip } from "../../../charts/days.tsx";
import { fill } from "../../../elements/fill.ts";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { shortDayWords } from "../../../elements/times.tsx";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import { Desktop } from "../../frame/frame.tsx";
import { MutedMark, MutedNotes } from "../../muted.tsx";
import { Command } from "../check/command.tsx";
import { DayKey, daysLabel } from "../check/days.tsx";
import { pingSnippets } from "../check/pinging.ts";
import { LIST, pathOf } from "../on-check.ts";
import { type Sort, SORTS } from "./sort.ts";
import { SHOWN_STATES, shownState, type ShownState } from "../state.ts";
import { reason } from "../state-words.tsx";
import { Link } from "../../frame/link.tsx";
import { SearchForm } from "../../../elements/search.tsx";

/** What the page's links ask for. */
export interface Wanted {
  state?: ShownState;
  tag?: string;
  /** Words to be found in names, slugs, namespaces and tags. */
  q?: string;
  /** Rows that were shown on the pages before. */
  from: number;
}

interface Seen {
  check: Check;
  runs: readonly PastRun[];
  /** The last line that its job printed before it failed. */
  said: string | undefined;
  /** Its topic is. */
  mutedUntil: Millis | undefined;
  /** The last ones, today at the end: as many in each row. */
  days: readonly Square[];
  /** Uptime in these days, a part of 1; undefined if it was not watched. */
  uptime: number | undefined;
}

/** Characters of a search. */
export const MOST_SOUGHT = 100;

export interface Listed {
  /** The checks that match the search, the state and the tag: this page of them. */
  rows: readonly Seen[];
  wanted: Wanted;
  sort: Sort;
  /** Over everything that the visitor has chosen to see. */
  counts: Readonly<Record<ShownState, number>>;
  all: number;
  /** The checks that match the search and the tag. */
  found: { counts: Readonly<Record<ShownState, number>>; all: number };
  tags: readonly string[];
  hasMore: boolean;
}

export const ChecksPage = ({ desk, listed }: { desk: Desk; listed: Listed }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { counts, all } = listed;
  return (
    <Desktop desk={desk} title={desk.view.texts.desk.entries.checks} current="checks">
      <div class="head" id="checks-head" data-live="check">
        <div class="tight">
          <h1>{texts.heading({ down: counts.down, late: counts.late, all })}</h1>
        </div>
        {all > 0 && <Find desk={desk} wanted={listed.wanted} />}
        {all > 0 && <NewLink desk={desk} />}
      </div>
      <MutedNotes desk={desk} />
      <div class="stack" id="checks" data-live="check topic">
        {all === 0 ? <Teaching desk={desk} /> : <Rows desk={desk} listed={listed} />}
      </div>
    </Desktop>
  );
};

const Find = ({ desk: { view, chosen }, wanted: { state, tag, q } }: { desk: Desk; wanted: Wanted }): Safe => (
  <SearchForm
    {...{ view, action: view.base + LIST, kept: { ns: chosen?.name, state, tag }, q }}
    label={view.texts.checks.glance.find}
    maxlength={MOST_SOUGHT}
    shortcut="/"
  />
);

/** People who see no namespace have nowhere to make one. */
const NewLink = ({ desk }: { desk: Desk }): Safe =>
  desk.namespaces.length === 0 ? (
    <p class="soft">{desk.view.texts.desk.noNamespace}</p>
  ) : (
    <Link desk={desk} to="/-/checks/new" class="btn main" icon="plus" words={desk.view.texts.checks.newOne} />
  );

const Teaching = ({ desk }: { desk: Desk }): Safe => {
  const { view } = desk;
  const { checks: texts } = view.texts;
  const example = { name: "nas-backup", schedule: { kind: "manual" }, postOnly: false } as const;
  const [cron] = pingSnippets(`${view.url}/v1/ping/…`, example);
  return (
    <section class="panel">
      <div class="empty">
        <h2>{texts.empty.title}</h2>
        <p class="soft">{texts.empty.text}</p>
        <p>{texts.empty.then}</p>
        <Command view={view} name="cron" command={cron?.command ?? ""} />
        <NewLink desk={desk} />
      </div>
    </section>
  );
};

const Rows = ({ desk, listed }: { desk: Desk; listed: Listed }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { rows, wanted, hasMore } = listed;
  return (
    <>
      <Filters desk={desk} listed={listed} />
      <section class="panel" aria-label={desk.view.texts.desk.entries.checks}>
        {rows.length === 0 ? (
          <div class="empty">
            <p dir="auto">{wanted.q === undefined ? texts.noneLike : texts.glance.noneFound(wanted.q)}</p>
            <a href={linkTo(desk, {})}>{texts.showAll}</a>
          </div>
        ) : (
          <>
            <Head desk={desk} listed={listed} />
            <ul class="rows">
              {rows.map((seen) => (
                <Row desk={desk} {...seen} />
              ))}
            </ul>
            <div class="in">
              <DayKey view={desk.view} kinds={rows.flatMap(({ days }) => days)} />
            </div>
          </>
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

const Filters = ({ desk, listed: { wanted, found, tags } }: { desk: Desk; listed: Listed }): Safe => {
  const { checks: texts } = desk.view.texts;
  const { tag, state, q } = wanted;
  const chip = (words: Child, to: Partial<Wanted>, isCurrent: boolean) => (
    <a class="chip" href={linkTo(desk, { ...(q !== undefined && { q }), ...to })} aria-current={isCurrent && "true"}>
      {words}
    </a>
  );
  const ofTag = tag !== undefined && { tag };
  const number = (n: number) => <span class="num">{n}</span>;
  return (
    <>
      <nav class="chips" aria-label={desk.view.texts.shared.show}>
        {chip([desk.view.texts.shared.all, " ", number(found.all)], { ...ofTag }, state === undefined)}
        {SHOWN_STATES.filter((one) => found.counts[one] > 0 || one === state).map((one) =>
          chip([texts.state[one], " ", number(found.counts[one])], { ...ofTag, state: one }, one === state),
        )}
      </nav>
      {tags.length > 0 && (
        <nav class="chips" aria-label={desk.view.texts.shared.tagged}>
          {tags.map((one) =>
            chip(
              <span dir="auto">{one}</span>,
              { ...(state !== undefined && { state }), ...(one !== tag && { tag: one }) },
              one === tag,
            ),
          )}
        </nav>
      )}
    </>
  );
};

/** How the rows are sorted, and what their columns are: the axis of all strips is said once. */
const Head = ({ desk, listed: { rows, wanted, sort, found } }: { desk: Desk; listed: Listed }): Safe => {
  const { view, now } = desk;
  const { glance } = view.texts.checks;
  const first = now - ((rows[0]?.days.length ?? 1) - 1) * DAY;
  const { state, tag, q } = wanted;
  const shown = state === undefined ? found.all : found.counts[state];
  return (
    <header>
      <form class="line soft" method="post" action={deskLink(desk, `${LIST}/sort`, { state, tag, q })}>
        {glance.checks(shown)}{" "}
        {SORTS.map((one) => (
          <button class="chip" type="submit" name="sort" value={one} aria-current={one === sort && "true"}>
            {glance.sorts[one]}
          </button>
        ))}
      </form>
      <span class="dim">
        {fill(glance.axis, shortDayWords(view, first))} · {glance.uptime}
      </span>
    </header>
  );
};

const Row = ({ desk, days, uptime, ...seen }: Seen & { desk: Desk }): Safe => {
  const { view, now } = desk;
  const { check, mutedUntil } = seen;
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
        <Link desk={desk} to={pathOf(check)} class="name" dir="auto" words={name} />{" "}
        <span class="dim" dir="auto">
          {place}
        </span>{" "}
        <MutedMark view={view} until={mutedUntil} />
      </div>
      <p class="sub">{reason({ view, ...seen })}</p>
      <DayStrip days={days} label={daysLabel(name, days, texts.glance)} />
      <span class="num end-t">
        <span class="sr">{texts.glance.uptime} </span>
        {uptime === undefined ? texts.glance.unknown : texts.glance.percent(uptime)}
      </span>
    </li>
  );
};

const linkTo = (desk: Desk, { state, tag, q, from = 0 }: Partial<Wanted>): string =>
  deskLink(desk, LIST, { state, tag, q, from: from === 0 ? undefined : `${from}` });
