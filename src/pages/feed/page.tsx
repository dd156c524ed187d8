/** @jsxImportSource #jsx */
/** The feed of a topic as a document (WEB.md §4): whole without a script, made live by `static/feed.ts`. */
import { LEVELS, type Level } from "../../messages/message.ts";
import type { Page } from "../../store/store.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { assetPath } from "../assets.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Document, Icon, ThemeButton } from "../layout.tsx";
import { SnippetTabs } from "../snippets.tsx";
import { liveTexts, texts } from "../texts.ts";
import { dayWords } from "../times.tsx";
import type { View } from "../view.ts";
import { MessageCard } from "./card.tsx";
import { byDay, type Card, DAY_MS, startOfDay } from "./cards.ts";

/** What the reader asked to see; nothing: the newest of everything. */
export interface Asked {
  level?: Level;
  /** Only urgent ones. */
  urgent?: boolean;
  tag?: string;
  q?: string;
  before?: number;
}
export interface FeedProps {
  view: View;
  topic: Topic;
  asked: Asked;
  page: Page;
  cards: readonly Card[];
  now: Millis;
  imageHosts: readonly string[];
  /** 0: no limit. */
  retention: { days: number; messages: number };
}

export const FeedPage = (props: FeedProps): Safe => {
  const { view, topic, asked, page } = props;
  const path = feedPath(view, topic);
  return (
    <Document
      view={view}
      title={`${topic.name} · peal`}
      frame="public"
      script="feed.js"
      words={liveTexts()}
      head={
        <>
          <link rel="alternate" type="application/atom+xml" title={`${topic.name} (Atom)`} href={`${path}/feed.atom`} />
          <link
            rel="alternate"
            type="application/feed+json"
            title={`${topic.name} (JSON Feed)`}
            href={`${path}/feed.json`}
          />
          <meta property="og:title" content={`${topic.name} · peal`} />
          <meta property="og:description" content={texts.feed.description(topic.namespace)} />
          <meta property="og:type" content="website" />
        </>
      }
      end={
        <div class="end">
          <p class="live js" role="status">
            <span class="dot busy"></span>
            <span data-connection>{texts.live.connecting}</span>
          </p>
          <ThemeButton view={view} />
        </div>
      }
    >
      <div class="head">
        <div>
          <p class="crumb" dir="auto">
            {topic.namespace}
          </p>
          <h1 dir="auto">{topic.name}</h1>
          {topic.description !== undefined && (
            <p class="soft" dir="auto">
              {topic.description}
            </p>
          )}
        </div>
        {page.lastId > 0 && <Search view={view} asked={asked} />}
      </div>
      <div class="cols">
        <div
          data-feed={path}
          data-last={page.lastId}
          data-follow={asked.before === undefined}
          data-icons={assetPath(view.base, "icons.svg")}
        >
          {page.lastId === 0 ? <Empty view={view} topic={topic} /> : <Messages {...props} />}
        </div>
        <About {...props} path={path} />
      </div>
    </Document>
  );
};

/** Path of the feed, below the base path. */
export const feedPath = (view: View, topic: Pick<Topic, "namespace" | "key">): string =>
  `${view.base}/${topic.namespace}/${topic.key}`;

const Search = ({ view, asked }: { view: View; asked: Asked }): Safe => (
  <form class="search" role="search" action="?">
    {asked.level !== undefined && <input type="hidden" name="level" value={asked.level} />}
    {asked.urgent === true && <input type="hidden" name="priority" value="urgent" />}
    {asked.tag !== undefined && <input type="hidden" name="tag" value={asked.tag} />}
    <label class="sr" for="q">
      {texts.feed.searchTopic}
    </label>
    <input id="q" name="q" type="search" placeholder={texts.feed.search} value={asked.q} dir="auto" />
    <button type="submit" aria-label={texts.feed.search}>
      <Icon view={view} name="search" />
    </button>
  </form>
);

const Messages = (props: FeedProps): Safe => {
  const { asked, page, cards } = props;
  return (
    <>
      <Chips asked={asked} />
      {asked.before !== undefined && (
        <p class="line older">
          <a class="btn" href={query({ ...asked, before: undefined })}>
            {texts.feed.newest}
          </a>
        </p>
      )}
      <section class="feed" aria-label={texts.feed.messages}>
        {cards.length === 0 ? <NoneFound asked={asked} hasMore={page.hasMore} /> : <Days {...props} />}
      </section>
      <Older asked={asked} page={page} shown={cards.length} />
    </>
  );
};

const Chips = ({ asked }: { asked: Asked }): Safe => {
  const { tag, q } = asked;
  const chip = (label: string, to: Asked, current: boolean) => (
    <a class="chip" href={query({ tag, q, ...to })} aria-current={current && "true"}>
      {label}
    </a>
  );
  return (
    <nav class="chips" aria-label={texts.feed.show}>
      {tag !== undefined && (
        <a
          class="chip"
          href={query({ ...asked, tag: undefined, before: undefined })}
          aria-current="true"
          title={texts.feed.clearTag}
        >
          {texts.feed.tagged} <bdi>{tag}</bdi> ×
        </a>
      )}
      {chip(texts.feed.all, {}, asked.level === undefined && asked.urgent !== true)}
      {chip(texts.priority.urgent, { urgent: true }, asked.urgent === true)}
      {LEVELS.toReversed().map((level) => chip(texts.level[level], { level }, asked.level === level))}
    </nav>
  );
};

const Days = (props: FeedProps): Safe => (
  <>
    {byDay(props.cards).map(({ day, cards }) => (
      <>
        <h2 class="day">{dayTitle(day, props.now)}</h2>
        <div class="list" role="feed" aria-label={dayWords(day)}>
          <Cards {...props} cards={cards} />
        </div>
      </>
    ))}
  </>
);

/** Cards without anything around them: also what the script asks for when there are new ones. */
export const Cards = ({
  view,
  topic,
  cards,
  imageHosts,
}: Pick<FeedProps, "view" | "topic" | "cards" | "imageHosts">): Safe => (
  <>
    {cards.map((card) => (
      <MessageCard
        view={view}
        card={card}
        imageHosts={imageHosts}
        tagHref={(tag) => query({ tag })}
        link={`${feedPath(view, topic)}?before=${card.message.id + 1}#m${card.message.id}`}
      />
    ))}
  </>
);

function dayTitle(day: Millis, now: Millis): Safe {
  const words = dayWords(day);
  const ago = (startOfDay(now) - day) / DAY_MS;
  if (ago > 1) return <>{words}</>;
  return (
    <>
      {ago === 1 ? texts.feed.yesterday : texts.feed.today} <span>{words}</span>
    </>
  );
}

const NoneFound = ({ asked, hasMore }: { asked: Asked; hasMore: boolean }): Safe => {
  const { q, before } = asked;
  const isFiltered = q !== undefined || asked.tag !== undefined || asked.level !== undefined || asked.urgent === true;
  return (
    <div class="panel">
      <div class="empty">
        <h2 dir="auto">
          {q !== undefined ? texts.feed.noneFound(q) : isFiltered ? texts.feed.noneHere : texts.feed.noneOlder}
        </h2>
        {q !== undefined && !hasMore && before === undefined && <p class="soft">{texts.feed.searched}</p>}
        {isFiltered && (
          <a class="btn" href="?">
            {q !== undefined ? texts.feed.clearSearch : texts.feed.showAll}
          </a>
        )}
      </div>
    </div>
  );
};

/** The way on; after a search that ran out of time, in words. */
const Older = ({ asked, page, shown }: { asked: Asked; page: Page; shown: number }): Safe => {
  const last = page.nextBefore;
  if (!page.hasMore || last === undefined) return <></>;
  const isSearch = asked.q !== undefined || asked.tag !== undefined;
  const ranOut = isSearch && shown < PAGE_SIZE && page.messages.length < PAGE_SIZE;
  return (
    <p class="line older">
      {ranOut && <span class="dim">{texts.feed.searchedTo(last)}</span>}
      <a class="btn" href={query({ ...asked, before: last })}>
        {ranOut ? texts.feed.goOn : texts.feed.older}
      </a>
    </p>
  );
};

/** Messages on a page. */
export const PAGE_SIZE = 50;

const Empty = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const hint = texts.feed.keyHint(topic.namespace);
  return (
    <section class="panel">
      <div class="empty">
        <h2>{texts.feed.nothingYet}</h2>
        <p class="soft">{texts.feed.sendFirst}</p>
      </div>
      <div class="in">
        <SnippetTabs view={view} target={{ url: `${view.url}/${topic.namespace}/${topic.name}`, text: "It works" }} />
        <p class="hint">
          <code>$KEY</code>
          {hint.before}
          <strong>{hint.namespace}</strong>
          {hint.after}
        </p>
      </div>
    </section>
  );
};

const About = ({ view, topic, path, retention }: FeedProps & { path: string }): Safe => (
  <aside class="stack" aria-label={texts.feed.about}>
    <section class="tight">
      <h2>{texts.feed.elsewhere}</h2>
      <p class="line">
        <button class="btn js" type="button" data-copy-url={path} data-done={texts.copy.done}>
          <Icon view={view} name="link" />
          <span>{texts.feed.copyLink}</span>
        </button>
        <a class="btn" href={`${path}/feed.atom`}>
          <Icon view={view} name="feed" />
          Atom
        </a>
        <a class="btn" href={`${path}/feed.json`}>
          JSON
        </a>
      </p>
      <p class="hint">
        {texts.feed.whoReads}{" "}
        {texts.feed.staysFor(topic.retentionDays ?? retention.days, topic.retentionMessages ?? retention.messages)}
      </p>
      <noscript>
        <p class="hint">{texts.feed.withoutScript}</p>
      </noscript>
    </section>
  </aside>
);

/** The query that asks for this; what is undefined is left out. */
function query({ level, urgent, tag, q, before }: { [K in keyof Asked]: Asked[K] | undefined }): string {
  const params = new URLSearchParams();
  if (level !== undefined) params.set("level", level);
  if (urgent === true) params.set("priority", "urgent");
  if (tag !== undefined) params.set("tag", tag);
  if (q !== undefined) params.set("q", q);
  if (before !== undefined) params.set("before", String(before));
  return `?${params.toString()}`;
}
