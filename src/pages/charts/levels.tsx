/** @jsxImportSource #jsx */
/**
 * Messages by level as columns, one an hour or a day. A level also has its own shape: what needs somebody is broad, and warnings
 * and successes are broken into pieces.
 */
import { LEVELS, type Level } from "../../drafts/draft.ts";
import type { ByLevel } from "../../store/days.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

export interface Column {
  counts: ByLevel;
  /** Shown when the column is pointed at. */
  title: string;
  /** Where a click on it leads; for readers with a pointer, because a list beside it has the same links. */
  href?: string;
  /** Whether the reader has asked for it. */
  isChosen?: boolean;
}

/** Width, and length of its pieces and of the gaps between them, in parts of the chart. */
const LOOKS: Record<Level, { width: number; dash?: string }> = {
  info: { width: 4 },
  success: { width: 4, dash: "5 3" },
  warning: { width: 8, dash: "5 3" },
  error: { width: 8 },
};
const PITCH = 10;
const TALL = 100;
/** The height of a level with few messages, so that it is still seen. */
const LEAST = 5;

export const countOf = (counts: ByLevel): number => LEVELS.reduce((sum, level) => sum + counts[level], 0);

/** An even number that an axis ends at, so that its middle is one too: 20 for 16. */
export function topOf(most: number): number {
  const tens = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, most))));
  return tens * ([...(tens > 1 ? [1] : []), 2, 4, 6, 8, 10].find((times) => times * tens >= most) ?? 10);
}

/** `top`: what is drawn at full height. `every`: columns between two lines. Without a label it is decoration. */
export const LevelColumns = ({
  columns,
  top,
  every,
  label,
}: {
  columns: readonly Column[];
  top: number;
  every: number;
  label?: string;
}): Safe => {
  const stacks = columns.map(({ counts }) => stackOf(counts, top));
  return (
    <svg
      class="vol"
      viewBox={`0 0 ${columns.length * PITCH} ${TALL}`}
      preserveAspectRatio="none"
      {...(label === undefined ? { "aria-hidden": "true" } : { role: "img", "aria-label": label })}
    >
      <Grid columns={columns.length} every={every} pitch={PITCH} tall={TALL} />
      {columns.map(
        ({ isChosen }, n) =>
          isChosen === true && <rect class="bar none" x={n * PITCH} y={0} width={PITCH} height={TALL}></rect>,
      )}
      {LEVELS.map((level) => {
        const { width, dash } = LOOKS[level];
        const lines = stacks.map(({ [level]: [from, to] }, n) =>
          from === to ? "" : `M${n * PITCH + PITCH / 2} ${TALL - from}V${TALL - to}`,
        );
        const d = lines.join("");
        return (
          d !== "" && (
            <path class={level} stroke="var(--tone)" stroke-width={width} stroke-dasharray={dash} d={d}></path>
          )
        );
      })}
      {columns.map((column, n) => (countOf(column.counts) === 0 ? null : <Pointed column={column} x={n * PITCH} />))}
    </svg>
  );
};

/** The area that is pointed at: a column in its full height. */
const Pointed = ({ column: { title, href }, x }: { column: Column; x: number }): Safe => {
  const box = (
    <rect x={x} y={0} width={PITCH} height={TALL} fill-opacity="0">
      <title>{title}</title>
    </rect>
  );
  return href === undefined ? (
    box
  ) : (
    <a href={href} tabindex={-1}>
      {box}
    </a>
  );
};

/** Lines down a chart, which show what belongs together across its rows. */
export const Grid = ({
  columns,
  every,
  pitch,
  tall,
}: {
  columns: number;
  every: number;
  pitch: number;
  tall: number;
}): Safe => {
  const lines = Array.from({ length: Math.floor(columns / every) + 1 }, (_, n) => `M${n * every * pitch} 0V${tall}`);
  return <path class="axis" d={lines.join("")}></path>;
};

/** Where the bar of each level begins and ends in a column, from below. */
function stackOf(counts: ByLevel, top: number): Record<Level, [from: number, to: number]> {
  const heights = LEVELS.map((level) => (counts[level] === 0 ? 0 : Math.max(LEAST, (counts[level] / top) * TALL)));
  const scale = Math.min(
    1,
    TALL /
      Math.max(
        1,
        heights.reduce((sum, height) => sum + height, 0),
      ),
  );
  let at = 0;
  const ends = heights.map((height): [number, number] => {
    const from = at;
    at += height * scale;
    return [round(from), round(at)];
  });
  const [info = [0, 0], success = [0, 0], warning = [0, 0], error = [0, 0]] = ends;
  return { info, success, warning, error };
}

/** The meaning of the looks of these levels, drawn as they are. `href`: where a click on a level leads. */
export const LevelKey = ({
  levels,
  words,
  href,
}: {
  levels: readonly Level[];
  words: Readonly<Record<Level, string>>;
  href?: (level: Level) => string;
}): Safe => (
  <>
    {levels.map((level) => (
      <li>
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <path
            class={level}
            stroke="var(--tone)"
            stroke-width={LOOKS[level].width}
            stroke-dasharray={LOOKS[level].dash === undefined ? undefined : "3 2"}
            d="M5 16V0"
          ></path>
        </svg>
        {href === undefined ? words[level] : <a href={href(level)}>{words[level]}</a>}
      </li>
    ))}
  </>
);

/** Levels that have messages, the most important first. */
export const levelsIn = (counts: ByLevel): Level[] => LEVELS.toReversed().filter((level) => counts[level] > 0);

const round = (n: number): number => Math.round(n * 10) / 10;
