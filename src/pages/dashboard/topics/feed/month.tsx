/** @jsxImportSource #jsx */
/** The last 30 days of a topic: messages a day by level; a click on either narrows the list below. */
import type { Deps } from "../../../../deps.ts";
import { type ByLevel, NO_MESSAGES, sumOf } from "../../../../store/days.ts";
import type { PageQuery } from "../../../../store/messages.ts";
import type { Topic } from "../../../../topics/topic.ts";
import { dayHere, numberedHere, serverZone } from "../../../../util/calendar.ts";
import { DAY, type Millis, rfc3339 } from "../../../../util/clock.ts";
import { countOf, LevelColumns, LevelKey, levelsIn, topOf } from "../../../charts/levels.tsx";
import { type Asked, query } from "../../../feed/asked.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { dayWords, shortDayWords } from "../../../elements/times.tsx";
import type { View } from "../../../view.ts";

/** Its days, the oldest first, by their numbers since 1970. */
export type Month = readonly { day: number; counts: ByLevel }[];

const DAYS = 30;
/** Days between two lines of the picture. */
const EVERY = 10;

export async function monthOf({ days }: Pick<Deps["store"], "days">, { id }: Topic, now: Millis): Promise<Month> {
  const first = dayHere(now).day - DAYS + 1;
  const found = await days.ofTopic(id, first);
  return Array.from({ length: DAYS }, (_, n) => ({ day: first + n, counts: found.get(first + n) ?? NO_MESSAGES }));
}

/** The ids that stand for a day: the messages that were stored between its first instant and its last. */
export async function idsOf(
  { messages }: Pick<Deps["store"], "messages">,
  { id }: Topic,
  { day, before = Infinity }: Asked,
): Promise<Pick<PageQuery, "after" | "before">> {
  if (day === undefined) return {};
  const { from, to } = numberedHere(Date.parse(day) / DAY);
  const [first, end] = await Promise.all([messages.firstAt(id, from), messages.firstAt(id, to)]);
  return { after: first - 1, before: Math.min(before, end) };
}

export const MonthPicture = ({ view, asked, month }: { view: View; asked: Asked; month: Month }): Safe | null => {
  const { charts, level } = view.texts;
  const total = month.map(({ counts }) => counts).reduce(sumOf);
  if (countOf(total) === 0) return null;
  const reader = { ...view, zone: "UTC" }; // there, a date begins at its number
  const top = topOf(Math.max(...month.map(({ counts }) => countOf(counts))));
  const filter = { ...asked, before: undefined };
  const columns = month.map(({ day, counts }) => {
    const date = rfc3339(day * DAY).slice(0, "2026-11-21".length);
    const name = dayWords(reader, day * DAY);
    return {
      ...{ counts, name, title: charts.at(name, charts.volume(counts)), href: query({ ...filter, day: date }) },
      isChosen: asked.day === date,
    };
  });
  const zone = serverZone();
  return (
    <section class="panel" aria-labelledby="month">
      <header>
        <h2 id="month">{charts.month.title}</h2>
        <ul class="key">
          <LevelKey levels={levelsIn(total)} words={level} href={(one) => query({ ...filter, level: one })} />
        </ul>
      </header>
      <div class="in s">
        <div class="runs">
          <div class="y" aria-hidden="true">
            {[top, top / 2, 0].map((n) => (
              <span>{n}</span>
            ))}
          </div>
          <LevelColumns columns={columns} top={top} every={EVERY} />
          <div class="t" aria-hidden="true">
            {[month[0], month.at(-1)].map((one) => (
              <span>{one && shortDayWords(reader, one.day * DAY)}</span>
            ))}
          </div>
        </div>
        <p class="hint">
          {charts.volume(total)}. {zone !== view.zone && charts.month.zone(zone)}
        </p>
      </div>
      <details class="acc">
        <summary>{charts.month.byDay}</summary>
        <ol class="tight">
          {columns.toReversed().map(
            ({ counts, name, href }) =>
              countOf(counts) > 0 && (
                <li>
                  <a href={href}>{name}</a>: {charts.volume(counts)}
                </li>
              ),
          )}
        </ol>
      </details>
    </section>
  );
};
