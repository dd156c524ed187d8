/** @jsxImportSource #jsx */
/** The messages of 24 hours, as 24 bars. */
import type { Hour } from "../../store/glances.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";

const STEP = 4;
const WIDTH = 2.8;
const HEIGHT = 20;
const EMPTY = 1.5;
/** A lower peak is drawn less high, so that one message is not a tower. */
const LEAST_PEAK = 6;

/** `label`: the same in words, which are seen as well when it is pointed at. */
export const Spark = ({ hours, label }: { hours: readonly Hour[]; label: string }): Safe => {
  const peak = Math.max(LEAST_PEAK, ...hours.map(({ messages }) => messages));
  const width = hours.length * STEP;
  return (
    <svg class="spark" width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} role="img" aria-label={label}>
      <title>{label}</title>
      {hours.map(({ messages, hasError }, hour) => {
        const height = messages === 0 ? EMPTY : round(EMPTY + 1.5 + ((HEIGHT - EMPTY - 1.5) * messages) / peak);
        const tone = hasError ? "e" : messages === 0 ? "z" : undefined;
        return <rect class={tone} x={hour * STEP} y={round(HEIGHT - height)} width={WIDTH} height={height} rx=".8" />;
      })}
    </svg>
  );
};

const round = (n: number): number => Math.round(n * 10) / 10;
