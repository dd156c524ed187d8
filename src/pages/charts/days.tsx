/** @jsxImportSource #jsx */
/**
 * Days of a check as a strip, one slot a day, and as a calendar, one square a day. Up is a whole bar, a part of a day down two
 * halves, missed a dashed outline (in a square with a cross), paused a low bar, and what nobody knows of a line.
 */
import type { Square } from "../../checks/days/figures.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

/** In the order of their key. */
export const SQUARES = ["ok", "part", "missed", "paused", "none"] as const satisfies readonly Square[];

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

const PITCH = 5;
const WIDE = 4;
const HEIGHT = 22;

/** A row of a list, the oldest day at the left end. All days of a kind are one path: a list has thousands of them. */
export const DayStrip = ({ days, label }: { days: readonly Square[]; label: string }): Safe => {
  const boxes = days.map((kind, i) => ({ kind, box: { x: i * PITCH, y: 0, width: WIDE, height: HEIGHT } }));
  const width = days.length * PITCH;
  return (
    <svg class="bars" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
      {SQUARES.map((kind) =>
        shapes(
          kind,
          boxes.filter((one) => one.kind === kind).map(({ box }) => box),
        ),
      )}
    </svg>
  );
};

const STEP = 18;
const SIDE = 15;
const WEEK = 7;
/** The first day since 1970 was a Thursday: days before it in its week, which begins on Monday. */
const FIRST_WEEKDAY = 3;
const weekOf = (day: number): number => Math.floor((day + FIRST_WEEKDAY) / WEEK);

/** `days`: in order, one after the other; a column has a week, Monday on top. `titles`: a line for each. */
export const DayCalendar = ({
  days,
  titles,
  label,
}: {
  days: readonly { day: number; kind: Square }[];
  titles: readonly string[];
  label: string;
}): Safe => {
  const first = weekOf(days[0]?.day ?? 0);
  const weeks = weekOf(days.at(-1)?.day ?? 0) - first + 1;
  const [width, height] = [weeks * STEP, WEEK * STEP];
  return (
    <svg class="bars" width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      {days.map(({ day, kind }, i) => {
        const row = day + FIRST_WEEKDAY - weekOf(day) * WEEK;
        const box = { x: (weekOf(day) - first) * STEP, y: row * STEP, width: SIDE, height: SIDE };
        return (
          <g>
            <title>{titles[i]}</title>
            {shapes(kind, [box])}
          </g>
        );
      })}
    </svg>
  );
};

/** What each kind means, drawn as in a calendar. */
export const DaySample = ({ kind }: { kind: Square }): Safe => (
  <svg width={SIDE} height={SIDE} viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
    {shapes(kind, [{ x: 0, y: 0, width: SIDE, height: SIDE }])}
  </svg>
);

function shapes(kind: Square, boxes: readonly Box[]): Safe | false {
  if (boxes.length === 0) return false;
  const path = (look: string, part: (box: Box) => Box) => (
    <path class={look} d={boxes.map((box) => outline(part(box))).join("")}></path>
  );
  switch (kind) {
    case "ok":
      return path("bar", (box) => box);
    case "part":
      return (
        <>
          {path("bar", (box) => ({ ...box, height: half(box) }))}
          {path("bar fail", (box) => ({ ...box, y: box.y + box.height - half(box), height: half(box) }))}
        </>
      );
    case "missed":
      return (
        <>
          {path("bar miss", (box) => inset(box, 0.75)) /* the outline lies half outside */}
          {boxes.some(({ width }) => width === SIDE) && <path class="x" d={boxes.map(cross).join("")}></path>}
        </>
      );
    case "paused":
      return path("bar rest", (box) => low(box, 0.35));
    case "none":
      return path("bar none", (box) => low(box, 0.12));
  }
}

/** The height of each half, with a gap between them. */
const half = ({ height }: Box): number => height / 2 - 1;
const low = (box: Box, part: number): Box => ({
  ...box,
  y: round(box.y + box.height * (1 - part)),
  height: round(box.height * part),
});
const inset = ({ x, y, width, height }: Box, by: number): Box => ({
  ...{ x: x + by, y: y + by },
  ...{ width: width - 2 * by, height: height - 2 * by },
});
const outline = ({ x, y, width, height }: Box): string => `M${x} ${y}h${width}v${height}h-${width}z`;
function cross(box: Box): string {
  const { x, y, width: side } = inset(box, 4);
  return `M${x} ${y}l${side} ${side}m0-${side}l-${side} ${side}`;
}

const round = (n: number): number => Math.round(n * 10) / 10;
