/** @jsxImportSource #jsx */
/** Outcomes of deliveries as bars, one a day or an hour: what was accepted, and on top of it, and broader, what was not. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Grid, topOf } from "./levels.tsx";

export interface Outcomes {
  accepted: number;
  /** Failed or expired. */
  failed: number;
}

/** The meaning of the colours, drawn as they are. */
export const OutcomeKey = ({ good, bad }: { good: string; bad: string }): Safe => (
  <ul class="key">
    {[
      { look: "bar", width: GOOD_WIDTH, words: good },
      { look: "bar fail", width: BAD_WIDTH, words: bad },
    ].map(({ look, width, words }) => (
      <li>
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <rect class={look} x={(10 - width) / 2} y="0" width={width} height="16"></rect>
        </svg>
        {words}
      </li>
    ))}
  </ul>
);

const PITCH = 10;
const TALL = 100;
const GOOD_WIDTH = 6;
const BAD_WIDTH = 9;
/** The height of a day with few pushes, so that it is still seen. */
const LEAST = 4;

interface Drawn {
  outcomes: readonly (Outcomes & { title: string })[];
  /** Parts of the height. */
  parts: (outcomes: Outcomes) => { good: number; bad: number };
  /** How many columns there are between two lines. */
  every: number;
}

const Bars = ({ outcomes, parts, every }: Drawn): Safe => {
  const stacks = outcomes.map((one) => {
    const { good, bad } = parts(one);
    const tall = (part: number) => (part === 0 ? 0 : Math.max(LEAST, part * TALL));
    return { good: Math.min(tall(good), TALL - tall(bad)), bad: tall(bad) };
  });
  const box = (n: number, width: number, from: number, height: number) =>
    height === 0
      ? ""
      : `M${n * PITCH + (PITCH - width) / 2} ${round(TALL - from)}v${-round(height)}h${width}v${round(height)}z`;
  return (
    <>
      <Grid columns={outcomes.length} every={every} pitch={PITCH} tall={TALL} />
      <path class="bar" d={stacks.map(({ good }, n) => box(n, GOOD_WIDTH, 0, good)).join("")}></path>
      <path class="bar fail" d={stacks.map(({ good, bad }, n) => box(n, BAD_WIDTH, good, bad)).join("")}></path>
      {outcomes.map(
        ({ accepted, failed, title }, n) =>
          accepted + failed > 0 && (
            <rect x={n * PITCH} y={0} width={PITCH} height={TALL} fill-opacity="0">
              <title>{title}</title>
            </rect>
          ),
      )}
    </>
  );
};

/** How many there were each day, with its name below it. */
export const OutcomeChart = ({
  days,
  label,
}: {
  days: readonly (Outcomes & { title: string; name: string })[];
  label: string;
}): Safe => {
  const top = topOf(Math.max(...days.map(({ accepted, failed }) => accepted + failed)));
  return (
    <div class="runs">
      <div class="y" aria-hidden="true">
        {[top, top / 2, 0].map((n) => (
          <span>{n}</span>
        ))}
      </div>
      <svg
        class="vol"
        viewBox={`0 0 ${days.length * PITCH} ${TALL}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[TALL, TALL / 2, 0].map((y) => (
          <path class="axis" d={`M0 ${y}H${days.length * PITCH}`}></path>
        ))}
        <Bars
          outcomes={days}
          parts={({ accepted, failed }) => ({ good: accepted / top, bad: failed / top })}
          every={days.length}
        />
      </svg>
      <div class="t ticks" aria-hidden="true">
        {days.map(({ name }) => (
          <span>{name}</span>
        ))}
      </div>
    </div>
  );
};

/** The share that was accepted each hour; at full height, all were. Decoration: the text beside it says the same. */
export const ShareChart = ({ hours }: { hours: readonly (Outcomes & { title: string })[] }): Safe => (
  <svg viewBox={`0 0 ${hours.length * PITCH} ${TALL}`} preserveAspectRatio="none" aria-hidden="true">
    <Bars
      outcomes={hours}
      parts={({ accepted, failed }) => ({
        good: accepted / Math.max(1, accepted + failed),
        bad: failed / Math.max(1, accepted + failed),
      })}
      every={24}
    />
  </svg>
);

const round = (n: number): number => Math.round(n * 10) / 10;
