/** @jsxImportSource #jsx */
/** Outcomes of deliveries as bars, one a day: what was accepted, and on top of it what was not. */
import type { Endings } from "../../store/deliveries.ts";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";

type Outcomes = Pick<Endings, "accepted" | "failed" | "expired">;

/** What its colours mean, drawn as they are. */
export const OutcomeKey = ({ good, bad }: { good: string; bad: string }): Safe => (
  <ul class="key">
    {[
      { look: "bar", words: good },
      { look: "bar fail", words: bad },
    ].map(({ look, words }) => (
      <li>
        <svg width="10" height="16" viewBox="0 0 10 16" aria-hidden="true">
          <rect class={look} x="1.5" y="0" width="7" height="16"></rect>
        </svg>
        {words}
      </li>
    ))}
  </ul>
);

const PITCH = 10;
const WIDTH = 6;
/** Of a day on which little happened: seen all the same. */
const LEAST = 2;

/** `titles`: a line for each day; `ends`: below the first and the last bar. At full height is the day with the most. */
export const OutcomeChart = ({
  days,
  titles,
  label,
  ends,
}: {
  days: readonly Outcomes[];
  titles: readonly string[];
  label: string;
  ends: readonly [Child, Child];
}): Safe => {
  const top = Math.max(1, ...days.map(({ accepted, failed, expired }) => accepted + failed + expired));
  const tall = (n: number) => (n === 0 ? 0 : Math.max(LEAST, (n / top) * 100));
  return (
    <div class="runs">
      <div class="y" aria-hidden="true">
        <span>{top}</span>
        <span>0</span>
      </div>
      <svg viewBox={`0 0 ${days.length * PITCH} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[100, 50, 0].map((y) => (
          <path class="axis" d={`M0 ${y}H${days.length * PITCH}`}></path>
        ))}
        {days.map(({ accepted, failed, expired }, i) => {
          const [good, bad] = [tall(accepted), tall(failed + expired)];
          const x = i * PITCH + (PITCH - WIDTH) / 2;
          const low = Math.min(100, good + bad) - bad;
          return (
            <g>
              <title>{titles[i]}</title>
              {good > 0 && <rect class="bar" x={x} y={100 - low} width={WIDTH} height={low}></rect>}
              {bad > 0 && <rect class="bar fail" x={x} y={100 - low - bad} width={WIDTH} height={bad}></rect>}
            </g>
          );
        })}
      </svg>
      <div class="t" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </div>
  );
};
