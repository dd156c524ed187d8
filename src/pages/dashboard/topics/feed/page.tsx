/** @jsxImportSource #jsx */
/** The messages of a topic as its owner sees them: the cards of the feed, each with what an owner does. */
import { messageUrl } from "../../../../http/urls.ts";
import type { Hour } from "../../../../store/glances.ts";
import type { LeftOut } from "../../../../store/intake.ts";
import type { Page } from "../../../../store/messages.ts";
import { Spark } from "../../../charts/spark.tsx";
import {
  type Asked,
  Chips,
  Counted,
  type Counts,
  countsOf,
  isWhole,
  NoneFound,
  Older,
  query,
  Search,
  Newest,
} from "../../../feed/asked.tsx";
import { askedBy, dayAskedBy, pageQuery } from "../../../feed/asking.ts";
import { cardsOf, type RenderedCard } from "../../../feed/cards.ts";
import { Handled, HandledRow, OpenNow, OpenRow } from "../../../feed/open.tsx";
import { type OpenCard, type Opened, openedOf } from "../../../feed/opened.ts";
import { Days } from "../../../feed/page.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { BriefTime } from "../../../elements/times.tsx";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import { type CardDeps, messagePath, ownCards } from "../../messages/cards.tsx";
import { LeftOutNote } from "./left-out.tsx";
import { idsOf, type Month, monthOf, MonthPicture } from "./month.tsx";
import { topicPath } from "../glance.ts";
import { TopicFrame, type TopicProps } from "../topic.tsx";
import { dayWords } from "../day-words.ts";
import { Link } from "../../frame/link.tsx";
import { Panel } from "../../../elements/panel.tsx";
import { HOUR } from "../../../../util/clock.ts";

/** @throws Problem 400: the address asks for what there is not */
export async function feedTab(deps: CardDeps, { desk, glance }: TopicProps, request: Request): Promise<Safe> {
  const { topic } = glance;
  const { now } = desk;
  const day = dayAskedBy(request);
  const asked: Asked = {
    ...askedBy(request),
    ...(day !== undefined && { day }),
    ...(desk.chosen && { ns: desk.chosen.name }),
  };
  const page = await deps.store.messages.page(topic.id, {
    ...pageQuery(asked),
    ...(await idsOf(deps.store, topic, asked)),
  });
  const found = await cardsOf(deps.store, page.messages, {
    ...{ topicOf: () => topic.id, whole: isWhole(asked), signal: request.signal },
  });
  const cards = await ownCards(deps, desk, found, {
    topicOf: () => topic,
    tagHref: (tag) => query({ ns: asked.ns, tag }),
    back: "?from=topic",
  });
  const isTop = isWhole(asked) && asked.before === undefined;
  const opened = isTop ? { opened: await openedOf(deps.store, { topic: topic.id }, now) } : {};
  const counts = isTop ? { counts: countsOf(found, page.hasMore) } : {};
  const isFirst = asked.before === undefined;
  const leftOut = isFirst ? { leftOut: await deps.store.intake.leftOut(topic.id) } : {};
  const month = isFirst ? { month: await monthOf(deps.store, topic, now) } : {};
  return <FeedTab {...{ desk, glance, asked, page, cards, ...counts, ...opened, ...leftOut, ...month }} />;
}

interface Props extends TopicProps {
  asked: Asked;
  page: Page;
  cards: readonly RenderedCard[];
  counts?: Counts;
  opened?: Opened;
  leftOut?: LeftOut;
  month?: Month;
}

const FeedTab = ({ desk, glance, asked, page, cards, counts, opened, leftOut, month }: Props): Safe => {
  const { view, now } = desk;
  const { topics: texts } = view.texts;
  const { topic, hours } = glance;
  return (
    <TopicFrame desk={desk} glance={glance} tab="feed">
      <div class="stack" id="messages" data-live={asked.before === undefined && "message"}>
        {page.lastId === 0 ? (
          <section class="panel">
            <div class="empty">
              <h2>{view.texts.feed.nothingYet}</h2>
              <p class="soft">{view.texts.feed.sendFirst}</p>
              <Link desk={desk} to={topicPath(topic, "/publish")} class="btn main" words={texts.publishFirst} />
            </div>
          </section>
        ) : (
          <>
            <div class="head">
              <Chips view={view} asked={asked} {...(counts && { counts })} />
              <Search view={view} asked={asked} />
            </div>
            {opened && <Band desk={desk} glance={glance} opened={opened} />}
            {leftOut && <LeftOutNote desk={desk} glance={glance} leftOut={leftOut} />}
            <Counted view={view} counts={counts} />
            {month && <MonthPicture view={view} asked={asked} month={month} />}
            <section class="feed" aria-label={view.texts.messages.title}>
              {cards.length === 0 ? (
                <NoneFound view={view} asked={asked} hasMore={page.hasMore} />
              ) : (
                <Days view={view} cards={cards} now={now} />
              )}
            </section>
            {asked.before !== undefined && <Newest view={view} asked={asked} />}
            <Older view={view} asked={asked} page={page} shown={cards.length} />
            {hours !== undefined && <Day desk={desk} hours={hours} />}
          </>
        )}
      </div>
    </TopicFrame>
  );
};

/** What is open, as on the feed, with the names of people who are on it. */
const Band = ({ desk, glance: { topic }, opened }: TopicProps & { opened: Opened }): Safe => {
  const { view } = desk;
  const link = ({ message }: OpenCard) => deskLink(desk, messageUrl(topicPath(topic), message.id));
  return (
    <>
      <OpenNow
        view={view}
        rows={opened.open.map((card) => (
          <OpenRow
            view={view}
            card={card}
            link={link(card)}
            acknowledgeAt={messagePath(desk, topic, card.message.id, "acknowledge?from=topic")}
          />
        ))}
        isMore={opened.moreAsking || opened.moreFiring}
      />
      <Handled
        view={view}
        rows={opened.taken.map((card) => (
          <HandledRow view={view} card={card} link={link(card)} isNamed />
        ))}
      />
    </>
  );
};

/** The hours as bars, and as a list for readers who cannot see those. */
const Day = ({ desk: { view, now }, hours }: { desk: Desk; hours: readonly Hour[] }): Safe => {
  const { topics: texts } = view.texts;
  const words = dayWords(view, hours);
  const begin = now - hours.length * HOUR;
  return (
    <Panel heading="day" title={words} end={<Spark hours={hours} label={words} />}>
      <details class="acc">
        <summary>{texts.byHour}</summary>
        <ol class="tight">
          {hours.map(({ messages, hasError }, hour) =>
            messages === 0 ? null : (
              <li>
                <BriefTime view={view} at={begin + hour * HOUR} />
                {": "}
                {texts.hour(messages)}
                {hasError && `, ${texts.hourError}`}
              </li>
            ),
          )}
        </ol>
      </details>
    </Panel>
  );
};
