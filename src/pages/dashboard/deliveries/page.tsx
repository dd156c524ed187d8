/** @jsxImportSource #jsx */
/** Every message on every device: the outcome in words, what is in the way, and each delivery. */
import type { DeliveryState } from "../../../delivery/delivery.ts";
import { PLATFORMS } from "../../../devices/device.ts";
import type { Endings } from "../../../store/deliveries.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import type { Millis } from "../../../util/clock.ts";
import { nameOf } from "../devices/device-words.tsx";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { PATH } from "./links.ts";
import type { Desk } from "../signed-in.ts";
import { type BlockedLanes, LaneNotes } from "./notes.tsx";
import { Deliveries } from "./folds.tsx";
import { isFiltered, linkOf } from "./wanted.ts";
import type { TableProps } from "./table.tsx";
import { WeekPicture } from "./picture.tsx";
import type { Week } from "./week.ts";
import { headingOf, SHOWN_STATES, type ShownState, When } from "./outcome-words.tsx";
import { Link } from "../frame/link.tsx";

export interface Whole extends TableProps {
  /** The message that was asked for. */
  told?: Told;
  next?: Child;
  waiting: { waiting: number; held: number; isMore: boolean };
  /** As long as deliveries are kept one by one. */
  ended: Endings;
  /** Absent: the page is about a topic or a message. */
  week?: Week;
  blocked: BlockedLanes;
}

/** The outcomes of one message, including deliveries that are no longer kept one by one. */
export interface Told {
  counts: Readonly<Record<DeliveryState, number>>;
  acknowledgedAt?: Millis;
}

export const DeliveriesPage = (whole: Whole): Safe => {
  const { desk, wanted, listed, next, week, blocked } = whole;
  const { view } = desk;
  const counts = countsOf(whole);
  const all = sum(counts);
  const isSome = isFiltered(wanted);
  return (
    <Desktop desk={desk} title={view.texts.desk.entries.deliveries} current="deliveries">
      <div class="head" id="deliveries-head" data-live="delivery">
        <Head {...whole} counts={counts} all={all} />
      </div>
      <div class="stack" id="deliveries-lanes" data-live="delivery">
        <LaneNotes view={view} found={blocked} />
      </div>
      <div id="deliveries-days" data-live="delivery">
        {week !== undefined && week.devices.length > 0 && <WeekPicture desk={desk} week={week} />}
      </div>
      <div class="stack" id="deliveries-filters" data-live="delivery">
        {(all > 0 || isSome) && <Filters {...whole} counts={counts} all={all} />}
      </div>
      <section class="stack" id="deliveries" data-live="delivery" aria-label={view.texts.desk.entries.deliveries}>
        {listed.length > 0 ? (
          <Deliveries {...whole} />
        ) : (
          <Nothing desk={desk} isFiltered={isSome} hasMore={next !== undefined} />
        )}
        {next}
      </section>
    </Desktop>
  );
};

const sum = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((all, n) => all + n, 0);

const Head = (props: Whole & { counts: Record<ShownState, number>; all: number }): Safe => {
  const { desk, wanted, waiting, told, counts, all } = props;
  const { view } = desk;
  const { deliveries: words } = view.texts;
  const { message, topic } = wanted;
  if (message === undefined || topic === undefined || told === undefined)
    return (
      <div class="tight">
        <h1>
          {words.heading({
            ...{ failed: counts.failed, waiting: waiting.waiting + waiting.held },
            ...{ all, isMore: waiting.isMore },
          })}
        </h1>
        <p class="soft">{words.lede}</p>
      </div>
    );
  const { acknowledgedAt: at } = told;
  return (
    <div>
      <p class="crumb">
        <a href={deskLink(desk, PATH)}>{view.texts.desk.entries.deliveries}</a> / <bdi>{topic.namespace}</bdi> /{" "}
        <bdi>{topic.name}</bdi>
      </p>
      <h1 dir="auto">{headingOf(view.texts, message)}</h1>
      <p class="soft">
        {words.told({ ...told.counts, all: sum(told.counts) })}
        {at !== undefined && <> {fill(words.acknowledged, <When view={view} at={at} />)}</>}
      </p>
    </div>
  );
};

const countsOf = ({ waiting, ended }: Whole): Record<ShownState, number> => ({
  ...ended,
  ...{ waiting: waiting.waiting, held: waiting.held },
});

const Filters = ({
  desk,
  wanted,
  waiting,
  counts,
  all,
}: Whole & { counts: Record<ShownState, number>; all: number }): Safe => {
  const { view } = desk;
  const { deliveries: words } = view.texts;
  const isMore = (state?: ShownState) =>
    waiting.isMore && (state === undefined || state === "waiting" || state === "held");
  const chip = (text: string, href: string, isCurrent: boolean, count?: string) => (
    <a class="chip" href={href} aria-current={isCurrent && "true"}>
      {text} {count !== undefined && <span class="num">{count}</span>}
    </a>
  );
  const to = (change: Record<string, string | undefined>) => linkOf(desk, wanted, change);
  // numbers are of everything that is kept: where more is asked for than a state they would say nothing
  const isNarrow = [wanted.platform, wanted.device, wanted.topic].some((one) => one !== undefined);
  const counted = (n: number, state?: ShownState) => (isNarrow ? undefined : words.counted(n, isMore(state)));
  return (
    <>
      <nav class="chips" aria-label={view.texts.shared.show}>
        {chip(view.texts.shared.all, to({ state: undefined }), wanted.state === undefined, counted(all))}
        {SHOWN_STATES.map((state) =>
          chip(words.states[state], to({ state }), wanted.state === state, counted(counts[state], state)),
        )}
      </nav>
      <nav class="chips" aria-label={words.platform}>
        {chip(words.anyPlatform, to({ platform: undefined }), wanted.platform === undefined)}
        {PLATFORMS.map((platform) => chip(words.platforms[platform], to({ platform }), wanted.platform === platform))}
      </nav>
      <Narrowed desk={desk} wanted={wanted} />
    </>
  );
};

/** The filter of the list, and the way out of it. */
const Narrowed = ({ desk, wanted: { device, topic, message } }: Pick<Whole, "desk" | "wanted">): Safe => {
  const { deliveries: words } = desk.view.texts;
  const topicName = topic && <strong dir="auto">{`${topic.namespace} / ${topic.name}`}</strong>;
  return (
    <>
      {(device !== undefined || (topic !== undefined && message === undefined)) && (
        <p class="soft">
          {device !== undefined &&
            fill(words.onlyDevice, <strong dir="auto">{nameOf(desk.view.texts, device)}</strong>)}{" "}
          {topic !== undefined && message === undefined && fill(words.onlyTopic, topicName)}{" "}
          <a href={deskLink(desk, PATH)}>{words.showAll}</a>
        </p>
      )}
    </>
  );
};

const Nothing = ({ desk, isFiltered, hasMore }: { desk: Desk; isFiltered: boolean; hasMore: boolean }): Safe => {
  const { view } = desk;
  const { deliveries: words } = view.texts;
  if (hasMore) return <p class="soft">{words.lookedFar}</p>;
  return (
    <div class="panel">
      <div class="empty">
        <h2>{isFiltered ? words.none.title : words.noneYet.title}</h2>
        <p class="soft">{isFiltered ? words.none.text : words.noneYet.text}</p>
        {isFiltered ? (
          <Link desk={desk} to={PATH} class="btn" words={words.showAll} />
        ) : (
          <Link desk={desk} to="/-/topics" class="btn main" words={words.noneYet.topics} />
        )}
      </div>
    </div>
  );
};
