/** @jsxImportSource #jsx */
/** What a reader of a feed asked to see, and ways to ask for something else: search, chips, older messages. */
import { LEVELS, type Level } from "../../drafts/draft.ts";
import type { Page } from "../../store/messages.ts";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import { shortDayWords } from "../elements/times.tsx";
import type { View } from "../view.ts";
import type { Card } from "./cards.ts";

/** What the reader asked to see; empty: the newest of everything. */
export interface Asked {
  level?: Level;
  /** Only urgent ones. */
  urgent?: boolean;
  /** Only what nobody has acknowledged: of all topics. */
  open?: boolean;
  tag?: string;
  q?: string;
  before?: number;
  /** A date in the server's zone, `2026-11-21`; only on the dashboard. */
  day?: string;
  /** The dashboard's filter, if the feed is on it: its links keep that. */
  ns?: string;
}

/** Nothing is left out of it. */
export const isWhole = ({ level, urgent, open, tag, q, day }: Asked): boolean =>
  ![level, tag, q, day].some((one) => one !== undefined) && urgent !== true && open !== true;

/** The query that asks for this; what is undefined is left out. */
export function query({
  level,
  urgent,
  open,
  tag,
  q,
  before,
  day,
  ns,
}: { [K in keyof Asked]: Asked[K] | undefined }): string {
  const params = new URLSearchParams();
  if (level !== undefined) params.set("level", level);
  if (urgent === true) params.set("priority", "urgent");
  if (open === true) params.set("open", "true");
  if (tag !== undefined) params.set("tag", tag);
  if (q !== undefined) params.set("q", q);
  if (before !== undefined) params.set("before", String(before));
  if (day !== undefined) params.set("day", day);
  if (ns !== undefined) params.set("ns", ns);
  return `?${params.toString()}`;
}

/** `label`: absent: of one topic. */
export const Search = ({ view, asked, label }: { view: View; asked: Asked; label?: string }): Safe => (
  <form class="search" role="search" action="?">
    {asked.ns !== undefined && <input type="hidden" name="ns" value={asked.ns} />}
    {asked.level !== undefined && <input type="hidden" name="level" value={asked.level} />}
    {asked.urgent === true && <input type="hidden" name="priority" value="urgent" />}
    {asked.tag !== undefined && <input type="hidden" name="tag" value={asked.tag} />}
    {asked.day !== undefined && <input type="hidden" name="day" value={asked.day} />}
    <label class="sr" for="q">
      {label ?? view.texts.feed.searchTopic}
    </label>
    <input id="q" name="q" type="search" placeholder={view.texts.feed.search} value={asked.q} dir="auto" />
    <button type="submit" aria-label={view.texts.feed.search}>
      <Icon view={view} name="search" />
    </button>
  </form>
);

/** How many cards of the page each chip would leave. */
export interface Counts {
  /** Keyed by level or `urgent`. */
  of: ReadonlyMap<string, number>;
  /** There are older messages, which nobody has counted. */
  hasMore: boolean;
}

export function countsOf(cards: readonly Card[], hasMore: boolean): Counts {
  const counts = new Map<string, number>();
  for (const { draft } of cards)
    for (const name of draft.priority === "urgent" ? [draft.level, "urgent"] : [draft.level])
      counts.set(name, (counts.get(name) ?? 0) + 1);
  return { of: counts, hasMore };
}

interface ChipsProps {
  view: View;
  asked: Asked;
  /** Present on a page that shows everything, where they are shown and kept up to date (static/filter.ts). */
  counts?: Counts | undefined;
  /** With the chip for what nobody has acknowledged. */
  hasOpen?: boolean;
}
export const Chips = ({ view, asked, counts, hasOpen = false }: ChipsProps): Safe => {
  const { texts } = view;
  const { tag, q, day, ns } = asked;
  const chip = (label: string, to: Asked, current: boolean, name?: string) => (
    <a class="chip" href={query({ tag, q, day, ns, ...to })} aria-current={current && "true"}>
      {label}
      {counts !== undefined && name !== undefined && (
        <span class="num" data-count={name}>
          {counts.of.get(name) ?? 0}
        </span>
      )}
    </a>
  );
  return (
    <nav class="chips" aria-label={texts.shared.show}>
      {tag !== undefined && (
        <a
          class="chip"
          href={query({ ...asked, tag: undefined, before: undefined })}
          aria-current="true"
          title={texts.feed.clearTag}
        >
          {texts.shared.tagged} <bdi>{tag}</bdi> ×
        </a>
      )}
      {day !== undefined && (
        <a
          class="chip"
          href={query({ ...asked, day: undefined, before: undefined })}
          aria-current="true"
          title={texts.charts.month.clear}
        >
          {shortDayWords({ ...view, zone: "UTC" }, Date.parse(day))} ×
        </a>
      )}
      {chip(texts.shared.all, {}, asked.level === undefined && asked.urgent !== true && asked.open !== true)}
      {hasOpen && (
        <a class="chip" href={query({ ns, open: true })} aria-current={asked.open === true && "true"}>
          {texts.messages.open}
        </a>
      )}
      {chip(texts.priority.urgent, { urgent: true }, asked.urgent === true, "urgent")}
      {LEVELS.toReversed().map((level) => chip(texts.level[level], { level }, asked.level === level, level))}
    </nav>
  );
};

/** Below the chips: what their numbers leave out; empty if they have none. */
export const Counted = ({ view, counts }: { view: View; counts: Counts | undefined }): Safe => (
  <>
    {counts !== undefined && (
      <p class="hint" data-counted hidden={!counts.hasMore}>
        {view.texts.feed.counted}
      </p>
    )}
  </>
);

export const NoneFound = ({ view, asked, hasMore }: { view: View; asked: Asked; hasMore: boolean }): Safe => {
  const { feed } = view.texts;
  const { q, before, ns } = asked;
  const isFiltered = !isWhole(asked);
  return (
    <div class="panel">
      <div class="empty">
        <h2 dir="auto">
          {q !== undefined
            ? feed.noneFound(q)
            : isFiltered
              ? asked.open === true
                ? view.texts.messages.noneOpen
                : feed.noneHere
              : before === undefined
                ? feed.noneKept
                : feed.noneOlder}
        </h2>
        {q !== undefined && !hasMore && before === undefined && <p class="soft">{feed.searched}</p>}
        {isFiltered && (
          <a class="btn" href={query({ ns })}>
            {q !== undefined ? feed.clearSearch : feed.showAll}
          </a>
        )}
      </div>
    </div>
  );
};

/** The way to older messages, even if there are none yet (static/feed.ts); after a search that ran out of time, in words. */
export const Older = ({ view, asked, page, shown }: { view: View; asked: Asked; page: Page; shown: number }): Safe => {
  const last = page.hasMore ? page.nextBefore : undefined;
  const isSearch = asked.q !== undefined || asked.tag !== undefined;
  const ranOut = isSearch && shown < PAGE_SIZE && page.messages.length < PAGE_SIZE;
  const lookedTo = ranOut && last !== undefined && view.texts.feed.searchedTo(last);
  return <OlderThan view={view} asked={asked} before={last} lookedTo={lookedTo} />;
};

interface OlderProps {
  view: View;
  asked: Asked;
  /** Absent: there are none. */
  before: number | undefined;
  /** How far a search came that ran out of time. */
  lookedTo: Child;
}
export const OlderThan = ({ view, asked, before, lookedTo }: OlderProps): Safe => {
  const ranOut = lookedTo !== false && lookedTo !== undefined;
  return (
    <p class="line older" data-older hidden={before === undefined}>
      {ranOut && <span class="dim">{lookedTo}</span>}
      <a class="btn" href={query({ ...asked, before })}>
        {ranOut ? view.texts.feed.goOn : view.texts.feed.older}
      </a>
    </p>
  );
};

/** The way back from older messages. */
export const Newest = ({ view, asked }: { view: View; asked: Asked }): Safe => (
  <p class="line older">
    <a class="btn" href={query({ ...asked, before: undefined })}>
      {view.texts.feed.newest}
    </a>
  </p>
);

/** The most messages on a page; fewer if they are long: 32 KiB of Markdown take up to 20 ms, and become five times as much. */
export const PAGE_SIZE = 50;
/** The most bytes of messages on a page, as they are stored. */
export const PAGE_BYTES = 262_144;
