/** @jsxImportSource #jsx */
/** The last 24 hours as a picture: below each namespace its outages on one axis of time, and its messages by the hour. */
import { HOUR, type Millis } from "../../../util/clock.ts";
import { NO_MESSAGES, sumOf } from "../../../store/days.ts";
import { countOf, LevelColumns, LevelKey, levelsIn } from "../../charts/levels.tsx";
import { Spans } from "../../charts/spans.tsx";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { BriefTime, ClockTime, clockWords } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { type Band, HOURS, type LastDay, type Row } from "./day.ts";
import { Link } from "../frame/link.tsx";

/** Hours between two marks of the axis. */
const EVERY = 6;
/** Messages an hour that are drawn at full height at least, so that one is not a tower. */
const LEAST_TOP = 6;
/** Names of namespaces in which nothing happened. */
const MOST_NAMES = 5;

export const DayPicture = ({ desk, day }: { desk: Desk; day: LastDay }): Safe => {
  const { charts, level } = desk.view.texts;
  const { bands, elsewhere, quiet, from } = day;
  const levels = levelsIn(bands.map(({ total }) => total).reduce(sumOf, NO_MESSAGES));
  return (
    <div id="day" data-live="check message namespace">
      {bands.length > 0 && (
        <section class="panel" aria-labelledby="day-h">
          <header>
            <h2 id="day-h">{charts.day.title}</h2>
            <ul class="key">
              {bands.some(({ rows }) => rows.length > 0) && (
                <li>
                  <svg width="16" height="8" viewBox="0 0 16 8" aria-hidden="true">
                    <rect class="bar fail" x="0" y="0" width="16" height="8"></rect>
                  </svg>
                  {charts.day.down}
                </li>
              )}
              <LevelKey levels={levels} words={level} />
            </ul>
          </header>
          <div class="in">
            {bands.map((band) => (
              <BandOf desk={desk} day={day} band={band} />
            ))}
            <Lane>
              <div class="ticks dim" aria-hidden="true">
                {Array.from({ length: HOURS / EVERY }, (_, n) => (
                  <ClockTime view={desk.view} at={from + n * EVERY * HOUR} />
                ))}
              </div>
            </Lane>
            {elsewhere.namespaces > 0 && (
              <p class="hint">{charts.day.elsewhere(elsewhere.namespaces, elsewhere.down, elsewhere.messages)}</p>
            )}
            {quiet.length > 0 && (
              <p class="hint">
                {charts.day.quiet(
                  quiet
                    .slice(0, MOST_NAMES)
                    .map(({ name }) => name)
                    .join(", "),
                  Math.max(0, quiet.length - MOST_NAMES),
                )}
              </p>
            )}
          </div>
        </section>
      )}
    </div>
  );
};

interface BandProps {
  desk: Desk;
  day: LastDay;
  band: Band;
}

const BandOf = ({ desk, day, band }: BandProps): Safe => {
  const { namespace, rows, more } = band;
  return (
    <div>
      <h3 dir="auto">{namespace.name}</h3>
      {rows.length > 0 && (
        <ul>
          {rows.map((row) => (
            <li>
              <Lane text={<Outages desk={desk} row={row} />}>
                <Spans
                  from={day.from}
                  hours={HOURS}
                  every={EVERY}
                  spans={row.outages.map(({ from, to = desk.now, isGap }) => ({ from, to, isUnsure: isGap }))}
                />
              </Lane>
            </li>
          ))}
          {more > 0 && (
            <li>
              <a href={deskLink(desk, "/-/checks", { ns: namespace.name })}>
                {desk.view.texts.charts.day.more(more, day.isMore)}
              </a>
            </li>
          )}
        </ul>
      )}
      {countOf(band.total) > 0 && <Volume desk={desk} day={day} band={band} />}
    </div>
  );
};

/** Words, and beside them, or below if there is little room, the drawing: at the same place in all lanes. */
const Lane = ({ text, children }: { text?: Child; children?: Child }): Safe => (
  <div class="lane">
    <div>{text}</div>
    {children}
  </div>
);

/** `nas-backup down since 02:14, Jonas is on it` */
const Outages = ({ desk: { view, ...desk }, row: { check, outages } }: { desk: Desk; row: Row }) => {
  const { day: words } = view.texts.charts;
  const [first] = outages;
  const last = outages.at(-1) ?? first;
  const time = (at: Millis) => <BriefTime view={view} at={at} />;
  const when = (): Child => {
    if (last.to === undefined)
      return fill(outages.length === 1 ? words.since : words.timesSince(outages.length), time(last.from));
    if (outages.length === 1) return fill(words.during, time(first.from), time(last.to));
    return words.times(
      outages.length,
      outages.reduce((sum, one) => sum + (one.to ?? desk.now) - one.from, 0),
    );
  };
  return (
    <>
      <Link desk={{ view, ...desk }} to={`/-/checks/${check.id}`} dir="auto" words={check.name} />{" "}
      <span class="soft">
        {when()}
        {last.taken !== undefined && [", ", words.taken(last.taken.by)]}
        {outages.every(({ isGap }) => isGap) && [", ", words.isGap]}
      </span>
    </>
  );
};

/** Messages by the hour: drawn, in sum, and one by one for readers who cannot see it. */
const Volume = ({ desk: { view }, day: { from }, band: { namespace, hours, total } }: BandProps): Safe => {
  const { charts } = view.texts;
  const most = Math.max(...hours.map(countOf));
  const said = hours.map((counts, n) => ({
    counts,
    title: charts.at(clockWords(view, from + n * HOUR), charts.volume(counts)),
  }));
  return (
    <Lane
      text={
        <p class="soft">
          {charts.volume(total)}, {charts.mostAnHour(most)}
        </p>
      }
    >
      <LevelColumns columns={said} top={Math.max(LEAST_TOP, most)} every={EVERY} />
      <ol class="sr" aria-label={charts.day.byHour(namespace.name)}>
        {said.map(({ counts, title }) => countOf(counts) > 0 && <li>{title}</li>)}
      </ol>
    </Lane>
  );
};
