/** @jsxImportSource #jsx */
/**
 * Runs as bars: the height is the duration, and an outline means that it is unknown; a cross marks a failed run, a dashed outline
 * a missed one.
 */
import type { PastRun } from "../../checks/days/past-runs.ts";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";

export type Look = "ok" | "untimed" | "fail" | "miss" | "run";

/** How a run is drawn, in parts of the chart's height; measured from below. */
export interface Bar {
  look: Look;
  height: number;
}

/** The height of a run of unknown length, and of one that took no time: visible, and lower than most. */
const UNTIMED = 0.6;
const LEAST = 0.06;
const LOOKS = { ok: "ok", failed: "fail", overrun: "fail", missed: "miss", running: "run" } as const;

/** `topMs`: 0 if no run was timed, so that heights mean nothing. */
export const lookOf = ({ kind, durationMs }: PastRun, topMs: number): Look =>
  kind === "ok" && durationMs === undefined && topMs > 0 ? "untimed" : LOOKS[kind];

/** `topMs`: the length that is drawn at full height. Failed ones leave room for their cross. */
export function barsOf(runs: readonly PastRun[], topMs: number): Bar[] {
  return runs.map((run): Bar => {
    const { durationMs } = run;
    const look = lookOf(run, topMs);
    if (look === "miss") return { look, height: 1 };
    const room = look === "fail" ? 0.7 : 1;
    if (topMs === 0) return { look, height: room };
    const part = durationMs === undefined ? UNTIMED : durationMs / topMs;
    return { look, height: Math.min(Math.max(part, LEAST), room) };
  });
}

/** The longest of them, in ms; 0 if none was timed. The length of a run that took too long is unknown: it only counts alone. */
export function longestMs(runs: readonly PastRun[]): number {
  const longest = (some: readonly PastRun[]) => Math.max(0, ...some.map(({ durationMs }) => durationMs ?? 0));
  return longest(runs.filter(({ kind }) => kind !== "overrun")) || longest(runs);
}

const STEPS_S = [
  1, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
];

/** Three steps of an axis that begins at 0, in ms: for example 10, 20 and 30 min for runs of up to 21 min. */
export function axisOf(longest: number): readonly [number, number, number] {
  const step = STEPS_S.find((seconds) => seconds * 3_000 >= longest) ?? Math.ceil(longest / 3_000);
  return [step * 1_000, step * 2_000, step * 3_000];
}

const PITCH = 10;
const BAR = 6;
const HEIGHT = 100;
const FLAT_HEIGHT = 22;
/** Fewer runs leave the right end free, so that their bars are not towers. */
export const LEAST_PLACES = 12;

/**
 * The runs of one check, the oldest at the left end. `titles`: a line for each run; `axis`: words for 0 and the three steps, from
 * above; none if no run was timed, and then all have one height, in a strip.
 */
export const RunChart = ({
  runs,
  titles,
  label,
  axis,
  ends,
}: {
  runs: readonly PastRun[];
  titles: readonly string[];
  label: string;
  axis: readonly string[];
  /** Below its first bar, and below its last if that is at the right end. */
  ends: readonly Child[];
}): Safe => {
  const longest = longestMs(runs);
  const isFlat = longest === 0;
  const bars = barsOf(runs, isFlat ? 0 : axisOf(longest)[2]);
  const width = Math.max(runs.length, LEAST_PLACES) * PITCH;
  const tall = isFlat ? FLAT_HEIGHT : HEIGHT;
  return (
    <div class="runs">
      <div class="y" aria-hidden="true">
        {axis.map((word) => (
          <span>{word}</span>
        ))}
      </div>
      <svg
        class={isFlat && "flat"}
        viewBox={`0 0 ${width} ${tall}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {!isFlat && [100, 66.7, 33.3, 0].map((y) => <path class="axis" d={`M0 ${y}H${width}`}></path>)}
        {bars.map((bar, i) =>
          drawn(bar, { x: i * PITCH + (PITCH - BAR) / 2, width: BAR, tall, title: titles[i] ?? "" }),
        )}
      </svg>
      <div class="t" aria-hidden="true">
        {ends.map((end) => (
          <span>{end}</span>
        ))}
      </div>
    </div>
  );
};

interface Place {
  x: number;
  width: number;
  tall: number;
  title?: string;
}

/** The meaning of each look, drawn as it is. */
export const LookSample = ({ look }: { look: Look }): Safe => (
  <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
    {drawn({ look, height: look === "fail" ? 0.6 : 1 }, { x: 1.5, width: 7, tall: 16 })}
  </svg>
);

function drawn({ look, height }: Bar, { x, width, tall, title }: Place): Safe {
  const inset = look === "miss" || look === "untimed" ? 0.75 : 0; // half of the outline is outside
  const top = round(tall * (1 - height) + inset);
  // half of a cross and the gap below it: the big chart is stretched to its width
  const [cross, gap] = tall === HEIGHT ? [3.5, 4] : [1.9, 1.2];
  const middle = top - gap - cross;
  return (
    <>
      <rect
        class={look === "ok" ? "bar" : `bar ${look}`}
        x={round(x + inset)}
        y={top}
        width={round(width - 2 * inset)}
        height={round(tall * height - 2 * inset)}
        rx={tall === HEIGHT ? undefined : 1}
      >
        {title !== undefined && <title>{title}</title>}
      </rect>
      {look === "fail" && (
        <path
          class="x"
          d={`M${round(x + 0.6)} ${round(middle - cross)}L${round(x + width - 0.6)} ${round(middle + cross)}M${round(x + width - 0.6)} ${round(middle - cross)}L${round(x + 0.6)} ${round(middle + cross)}`}
        ></path>
      )}
    </>
  );
}

const round = (n: number): number => Math.round(n * 10) / 10;
