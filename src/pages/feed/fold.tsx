/** @jsxImportSource #jsx */
/** Messages that say the same again and again, as one line that opens: `Somebody rang ×7, 15:12 to 15:40`. */
import { fill } from "../elements/fill.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { BriefTime } from "../elements/times.tsx";
import type { View } from "../view.ts";
import { firstWords, OneWord } from "./card.tsx";
import { anchorOf, type RenderedCard } from "./cards.ts";
import { foldKey } from "./foldkey.ts";
import { runsOf } from "./runs.ts";

/** The cards of a stretch in their order; runs of equal ones are closed. */
export const Folded = ({ view, cards }: { view: View; cards: readonly RenderedCard[] }): Safe => (
  <>
    {runsOf(cards, keyOf).map((run) => {
      const [newest] = run;
      const oldest = run.at(-1);
      if (run.length === 1 || newest === undefined || oldest === undefined) return run.map(({ html }) => html);
      return <Run view={view} newest={newest} oldest={oldest} run={run} />;
    })}
  </>
);

/** Messages of several topics fold within each topic. */
function keyOf({ card, of }: RenderedCard): string | undefined {
  const key = foldKey(card.draft);
  return key === undefined || of === undefined ? key : `${of.id} ${key}`;
}

interface RunProps {
  view: View;
  newest: RenderedCard;
  oldest: RenderedCard;
  run: readonly RenderedCard[];
}
/** As `static/runs.ts` builds it. */
const Run = ({ view, newest, oldest, run }: RunProps): Safe => {
  const { draft } = newest.card;
  const id = `r${anchorOf(oldest.card.message, oldest.of)}`;
  return (
    <article
      class={`msg run ${draft.level}${draft.level === "info" ? " calm" : ""}`}
      id={id}
      aria-labelledby={`${id}t`}
    >
      <details>
        <summary id={`${id}t`}>
          {draft.level !== "info" && <OneWord view={view} draft={draft} />}
          <span dir="auto">{firstWords({ draft })}</span>
          {newest.of !== undefined && (
            <span class="dim" dir="auto">
              {newest.of.name}
            </span>
          )}
          <span class="dim">
            {fill(
              view.texts.live.run.replace("{n}", String(run.length)),
              <BriefTime view={view} at={oldest.at} />,
              <BriefTime view={view} at={newest.at} />,
            )}
          </span>
        </summary>
        <div class="list" role="feed" aria-labelledby={`${id}t`}>
          {run.map(({ html }) => html)}
        </div>
      </details>
    </article>
  );
};
