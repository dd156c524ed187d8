/** @jsxImportSource #jsx */
/** The last 90 days of a check: a square a day, and the figures that they come to. */
import type { DayPicture, Square } from "../../../../checks/days/figures.ts";
import { DAY } from "../../../../util/clock.ts";
import { DayCalendar, DaySample, SQUARES } from "../../../charts/days.tsx";
import { fill } from "../../../elements/fill.ts";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import type { Texts } from "../../../texts/texts.ts";
import { dayWords, yearWords } from "../../../elements/times.tsx";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { Table } from "../phone-table.tsx";
import type { Whole } from "./gather.ts";
import { Terms } from "../../../elements/terms.tsx";

type Glance = Texts["checks"]["glance"];

/** `Last 30 days of nas-backup: 28 up, 2 no data`. */
export function daysLabel(name: string, days: readonly Square[], glance: Glance): string {
  const counts: Record<Square, number> = { ok: 0, part: 0, missed: 0, paused: 0, none: 0 };
  for (const kind of days) counts[kind]++;
  return glance.days(name, days.length, counts);
}

/** The meaning of the kinds that occur. */
export const DayKey = ({ view, kinds }: { view: View; kinds: readonly Square[] }): Safe => {
  const seen = new Set(kinds);
  return (
    <ul class="key">
      {SQUARES.filter((kind) => seen.has(kind)).map((kind) => (
        <li>
          <DaySample kind={kind} />
          {view.texts.checks.glance.kind[kind]}
        </li>
      ))}
    </ul>
  );
};

export const Days = ({ desk: { view }, whole: { check, days } }: { desk: Desk; whole: Whole }): Safe => {
  const { checks: texts } = view.texts;
  const { glance, runs } = texts;
  const { squares } = days;
  const kinds = squares.map(({ kind }) => kind);
  const spans = notUp(squares);
  return (
    <section class="panel" aria-labelledby="days" id="check-days" data-live="check">
      <header>
        <h2 id="days">{glance.title(squares.length)}</h2>
      </header>
      <div class="in">
        <div class="becomes">
          <div class="tight">
            <DayCalendar
              days={squares}
              titles={squares.map((one) => glance.dayIs(dated(view, one.day), squareWords(one, texts)))}
              label={daysLabel(check.standing.settings.name, kinds, glance)}
            />
            <p class="hint">{fill(glance.calendar, yearOf(view, squares[0]?.day ?? 0))}</p>
          </div>
          <Figures view={view} days={days} />
        </div>
        <DayKey view={view} kinds={kinds} />
        {spans.length > 0 && (
          <details class="past" id="days-list">
            <summary>{runs.asList}</summary>
            <Table
              heads={[glance.day, glance.was, glance.wasDown]}
              rows={spans.map(({ from, to, kind, downMs }) => [
                from === to ? dated(view, from) : fill(glance.span, dated(view, from), dated(view, to)),
                glance.kind[kind],
                downMs === 0 ? glance.unknown : texts.lasting(downMs),
              ])}
            />
          </details>
        )}
      </div>
    </section>
  );
};

/** Uptimes, and how long a run takes, with how that has changed. */
const Figures = ({ view, days: { uptime, drift } }: { view: View; days: DayPicture }): Safe => {
  const { glance, lasting } = view.texts.checks;
  const facts = ([7, 30, 90] as const).map((n): [string, Child] => {
    const part = uptime[n];
    return [glance.uptimeOf(n), <span class="num">{part === undefined ? glance.unknown : glance.percent(part)}</span>];
  });
  if (drift !== undefined) {
    const { usualMs, beforeMs } = drift;
    const before = beforeMs !== undefined && beforeMs > 0 && (
      <span class="sub">{glance.drift(lasting(beforeMs), glance.change(usualMs / beforeMs - 1))}</span>
    );
    facts.push([glance.usual, [lasting(usualMs), " ", before]]);
  }
  return (
    <div class="tight">
      <Terms facts={facts} />
      <p class="hint">{glance.without}</p>
    </div>
  );
};

type Day = DayPicture["squares"][number];

function squareWords({ kind, times }: Day, { glance, lasting }: Texts["checks"]): string {
  const { downMs = 0 } = times ?? {};
  return downMs === 0 ? glance.kind[kind] : glance.downFor(glance.kind[kind], lasting(downMs));
}

interface Span {
  /** Its first and its last day. */
  from: number;
  to: number;
  kind: Square;
  downMs: number;
}

/** The days that were not just up, the latest first: those of a kind that follow one another as one. */
function notUp(days: readonly Day[]): Span[] {
  const spans: Span[] = [];
  for (const { day, kind, times } of days.filter((one) => one.kind !== "ok")) {
    const last = spans.at(-1);
    const { downMs = 0 } = times ?? {};
    if (last?.kind === kind && last.to === day - 1) Object.assign(last, { to: day, downMs: last.downMs + downMs });
    else spans.push({ from: day, to: day, kind, downMs });
  }
  return spans.reverse();
}

/** A date has no zone. */
const dated = (view: View, day: number): string => dayWords({ ...view, zone: "UTC" }, day * DAY);
const yearOf = (view: View, day: number): string => yearWords({ ...view, zone: "UTC" }, day * DAY);
