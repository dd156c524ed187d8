/** @jsxImportSource #jsx */
/** The list of deliveries, in which one device that is in trouble takes one line, and not one below each message. */
import type { Listed } from "../../../store/deliveries.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { nameOf } from "../devices/device-words.tsx";
import { briefReasonOf, reasonOf, unreachedOf } from "./reasons.tsx";
import { DeliveryTable, type TableProps } from "./table.tsx";
import { shownState } from "./outcome-words.tsx";

/** The fewest rows that are folded: two are read as fast as their number. */
const LEAST = 3;

type FoldedState = "waiting" | "failed" | "expired";
const isFolded = (state: string): state is FoldedState =>
  state === "waiting" || state === "failed" || state === "expired";

interface Fold {
  state: FoldedState;
  listed: readonly Listed[];
}

/** A page about one device or message folds nothing: the reader asked for all of it. */
export const Deliveries = (props: TableProps): Safe => {
  const { desk, listed, wanted } = props;
  const isOfMany = wanted.device === undefined && wanted.message === undefined;
  const folds = isOfMany ? foldsOf(listed) : [];
  const folded = new Set(folds.flatMap((fold) => fold.listed));
  const rest = listed.filter((one) => !folded.has(one));
  return (
    <>
      {folds.length > 0 && (
        <section class="panel" aria-label={desk.view.texts.charts.fold.title}>
          {folds.map((fold) => (
            <details class="acc">
              <summary>
                <span dir="auto">
                  <FoldWords {...props} fold={fold} />
                </span>
              </summary>
              <DeliveryTable {...props} listed={fold.listed} />
            </details>
          ))}
        </section>
      )}
      {rest.length > 0 && (
        <section class="panel" aria-label={desk.view.texts.deliveries.columns.said}>
          <DeliveryTable {...props} listed={rest} />
        </section>
      )}
    </>
  );
};

/** Pure. What waits for a device waits for the same, whatever was said of each; what failed has to say the same. */
export function foldsOf(listed: readonly Listed[]): Fold[] {
  const groups = Map.groupBy(listed, ({ delivery }) => {
    const state = shownState(delivery);
    const said = state === "waiting" ? [] : [delivery.lastStatus, delivery.lastReason];
    return JSON.stringify([delivery.device?.row, state, ...said]);
  });
  return [...groups.values()].flatMap((group): Fold[] => {
    const [first] = group;
    const state = first && shownState(first.delivery);
    const isFold = state !== undefined && isFolded(state) && first?.delivery.device !== undefined;
    return isFold && group.length >= LEAST ? [{ state, listed: group }] : [];
  });
}

/** `Work laptop: 8 waiting, certificate not trusted` */
const FoldWords = ({ desk, lanes, fold: { state, listed } }: TableProps & { fold: Fold }): Safe => {
  const { texts } = desk.view;
  const all = listed.map(({ delivery }) => delivery);
  const [first] = all;
  const brief = all.map((one) => briefReasonOf(texts, one)).find((reason) => reason !== undefined) ?? blocked();
  const own = all.map((one) => reasonOf(texts, one)).find((reason) => reason !== undefined);
  return (
    <>
      <strong>{first?.device && nameOf(texts, first.device)}</strong>: {texts.charts.fold[state](all.length)}
      {brief !== undefined ? [", ", brief] : own !== undefined && [". ", own]}
    </>
  );

  /** Why nothing is sent to its push service, if nothing was tried yet. */
  function blocked(): Child {
    const status = first && lanes.lane(first.lane);
    return status?.kind === "unreachable" ? unreachedOf(texts, status.reason) : undefined;
  }
};
