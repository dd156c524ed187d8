/** @jsxImportSource #jsx */
/** Spans of time as bars on one line, below what names them: in lines below each other one sees what fell together. */
import { HOUR, type Millis } from "../../util/clock.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Grid } from "./levels.tsx";

export interface Span {
  from: Millis;
  to: Millis;
  /** Nobody knows whether it was so: an outline alone. */
  isUnsure?: boolean;
}

const PITCH = 10;
const TALL = 10;
/** The width of a span that took no time, so that it is still seen. */
const LEAST = 1;

/** `from`: where the line begins; it lasts `hours`, with a mark at each `every`. Decoration: the text beside it says the same. */
export const Spans = ({
  from,
  hours,
  every,
  spans,
}: {
  from: Millis;
  hours: number;
  every: number;
  spans: readonly Span[];
}): Safe => {
  const end = hours * PITCH;
  const place = (at: Millis) => Math.min(end, Math.max(0, ((at - from) / HOUR) * PITCH));
  return (
    <svg viewBox={`0 0 ${end} ${TALL}`} preserveAspectRatio="none" aria-hidden="true">
      <Grid columns={hours} every={every} pitch={PITCH} tall={TALL} />
      <path class="axis" d={`M0 ${TALL / 2}H${end}`}></path>
      {spans.map((span) => {
        const width = Math.max(LEAST, place(span.to) - place(span.from));
        return (
          <rect
            class={span.isUnsure === true ? "bar miss" : "bar fail"}
            x={round(Math.min(place(span.from), end - width))}
            y={1}
            width={round(width)}
            height={TALL - 2}
          ></rect>
        );
      })}
    </svg>
  );
};

const round = (n: number): number => Math.round(n * 10) / 10;
