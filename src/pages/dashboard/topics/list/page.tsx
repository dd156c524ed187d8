/** @jsxImportSource #jsx */
/** Topics by namespace: the latest message, the day's messages, the number of subscribers. */
import type { Namespace } from "../../../../keys/namespace.ts";
import { draftOf } from "../../../../messages/message.ts";
import type { Glance, Hour } from "../../../../store/glances.ts";
import { Spark } from "../../../charts/spark.tsx";
import { firstWords, OneWord } from "../../../feed/card.tsx";
import { fill } from "../../../elements/fill.ts";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { SnippetTabs } from "../../../publishing/snippets.tsx";
import { Ago, BriefTime } from "../../../elements/times.tsx";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { deskLink, shownNamespaces } from "../../frame/filter.ts";
import { Desktop } from "../../frame/frame.tsx";
import { mutedUntil, topicPath } from "../glance.ts";
import { busiest, dayWords, sumOf } from "../day-words.ts";
import { Link } from "../../frame/link.tsx";

/** What the visitor asked to see. */
export interface Wanted {
  text?: string;
  archived?: true;
  /** The last of the page before. */
  after?: { namespace: string; name: string };
}

export interface Group {
  namespace: Namespace;
  glances: readonly Glance[];
  /** All of its topics are here. */
  isWhole: boolean;
}

export interface Listed {
  wanted: Wanted;
  groups: readonly Group[];
  next?: NonNullable<Wanted["after"]>;
}

export const TopicsPage = ({ desk, listed }: { desk: Desk; listed: Listed }): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { wanted, next } = listed;
  const groups = listed.groups.filter(({ glances }) => glances.length > 0 || isEverything(wanted));
  const isEmpty = groups.every(({ glances }) => glances.length === 0);
  return (
    <Desktop desk={desk} title={view.texts.desk.entries.topics} current="topics">
      <div class="head">
        <div>
          <h1>{view.texts.desk.entries.topics}</h1>
        </div>
        <Find desk={desk} wanted={wanted} />
        {desk.namespaces.length > 0 && (
          <Link desk={desk} to="/-/topics/new" class="btn main" icon="plus" words={texts.newOne} />
        )}
      </div>
      {wanted.archived === true && <p class="soft">{texts.archivedWhy}</p>}
      <div class="stack" id="topics" data-live="message topic namespace">
        {isEmpty ? (
          <Nothing desk={desk} wanted={wanted} />
        ) : (
          groups.map((group) => <NamespacePanel desk={desk} group={group} />)
        )}
      </div>
      <p class="line">
        {next !== undefined && (
          <a class="btn" href={linkTo(desk, { ...wanted, after: next })}>
            {texts.more}
          </a>
        )}
        {wanted.after !== undefined && (
          <a class="btn" href={linkTo(desk, { ...wanted, after: undefined })}>
            {texts.fromStart}
          </a>
        )}
        <a href={linkTo(desk, wanted.archived === true ? {} : { archived: true })}>
          {wanted.archived === true ? texts.notArchived : texts.archived}
        </a>
      </p>
    </Desktop>
  );
};

const isEverything = ({ text, archived, after }: Wanted): boolean =>
  text === undefined && archived === undefined && after === undefined;

const Find = ({ desk: { view, chosen }, wanted: { text, archived } }: { desk: Desk; wanted: Wanted }): Safe => {
  const { topics: texts } = view.texts;
  return (
    <form class="search" role="search" action={`${view.base}/-/topics`}>
      {chosen !== undefined && <input type="hidden" name="ns" value={chosen.name} />}
      {archived === true && <input type="hidden" name="archived" value="true" />}
      <label class="sr" for="q">
        {texts.find}
      </label>
      <input id="q" name="q" type="search" placeholder={texts.find} value={text} dir="auto" />
      <button type="submit" aria-label={texts.find}>
        <Icon view={view} name="search" />
      </button>
    </form>
  );
};

const Nothing = ({ desk, wanted }: { desk: Desk; wanted: Wanted }): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  if (!isEverything(wanted))
    return (
      <section class="panel">
        <div class="empty">
          <h2 dir="auto">{noneWords(desk, wanted)}</h2>
          <a class="btn" href={linkTo(desk, {})}>
            {texts.clear}
          </a>
        </div>
      </section>
    );
  const namespaces = shownNamespaces(desk);
  const [namespace] = namespaces;
  return (
    <section class="panel">
      <div class="empty">
        <h2>{texts.empty.title}</h2>
        <p class="soft">{texts.empty.text}</p>
        {namespace === undefined && <p class="soft">{view.texts.desk.noNamespace}</p>}
      </div>
      {namespaces.map((one) => (
        <MutedNote desk={desk} namespace={one} />
      ))}
      {namespace !== undefined && (
        <div class="in">
          <SnippetTabs
            view={view}
            target={{ url: `${view.url}/${namespace.name}/backups`, text: view.texts.setup.itWorks }}
          />
        </div>
      )}
    </section>
  );
};

function noneWords({ view }: Desk, { text, after }: Wanted): string {
  const { topics: texts } = view.texts;
  if (after !== undefined) return texts.noneMore;
  return text === undefined ? texts.noneArchived : texts.noneFound(text);
}

const MutedNote = ({ desk: { view, now }, namespace }: { desk: Desk; namespace: Namespace }): Safe => {
  const until = mutedUntil(namespace, now);
  return (
    <>
      {until !== undefined && (
        <div class="in">
          <p class="hint">
            {fill(view.texts.topics.mute.namespace(namespace.name), <BriefTime view={view} at={until} />)}
          </p>
        </div>
      )}
    </>
  );
};

const NamespacePanel = ({ desk, group }: { desk: Desk; group: Group }): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { namespace, glances, isWhole } = group;
  const id = `ns-${namespace.name}`;
  return (
    <section class="panel" aria-labelledby={id}>
      <header>
        <h2 id={id} dir="auto">
          {namespace.name}
        </h2>
        {isWhole && glances.length > 0 && <span class="dim">{texts.topics(glances.length)}</span>}
      </header>
      <MutedNote desk={desk} namespace={namespace} />
      {glances.length === 0 ? (
        <p class="in soft">{texts.empty.inNamespace}</p>
      ) : (
        <ul class="rows">
          {glances.map((glance) => (
            <TopicRow desk={desk} glance={glance} />
          ))}
        </ul>
      )}
    </section>
  );
};

const TopicRow = ({ desk, glance }: { desk: Desk; glance: Glance }): Safe => {
  const { view, now } = desk;
  const { topics: texts } = view.texts;
  const { topic, subscribers, last, hours } = glance;
  const link = (tab = "") => deskLink(desk, topicPath(topic, tab));
  const until = mutedUntil(topic, now);
  return (
    <li class="row topic">
      <div>
        <a class="name" href={link()} dir="auto">
          {topic.name}
        </a>
        {until !== undefined && (
          <span class="dim"> {fill(texts.mutedUntil, <BriefTime view={view} at={until} />)}</span>
        )}
        {last === undefined ? (
          <p class="sub">
            {texts.noMessage} <a href={link("/publish")}>{texts.publishFirst}</a>
          </p>
        ) : (
          <LastMessage desk={desk} last={last} />
        )}
      </div>
      {hours === undefined ? <span></span> : <DayOf view={view} hours={hours} />}
      <span class="sub end-t">
        {topic.lastAt !== undefined && (
          <>
            <Ago view={view} at={topic.lastAt} />
            <br />
          </>
        )}
        {texts.devices(subscribers)}
      </span>
      <span class="line">
        {until === undefined ? (
          <a class="btn bare only" href={link("/mute")} aria-label={texts.mute.name(topic.name)}>
            <Icon view={view} name="bell" />
          </a>
        ) : (
          <form method="post" action={deskLink(desk, topicPath(topic, "/unmute"))}>
            <button class="btn bare only" type="submit" aria-label={texts.mute.unmuteName(topic.name)}>
              <Icon view={view} name="mute" />
            </button>
          </form>
        )}
        <a class="btn bare only" href={link("/share")} aria-label={texts.share.name(topic.name)}>
          <Icon view={view} name="share" />
        </a>
      </span>
    </li>
  );
};

/** The day's messages: drawn, their number, and when most of them came. */
const DayOf = ({ view, hours }: { view: View; hours: readonly Hour[] }): Safe => {
  const { spark } = view.texts.charts;
  const { messages, at, time } = busiest(view, hours);
  return (
    <div class="line thin dim">
      <Spark hours={hours} label={`${dayWords(view, hours)}; ${spark.most(messages, time)}`} />
      <span>
        {spark.sum(sumOf(hours))}, {fill(spark.mostAt, <BriefTime view={view} at={at} />)}
      </span>
    </div>
  );
};

const LastMessage = ({ desk: { view }, last }: { desk: Desk; last: NonNullable<Glance["last"]> }): Safe => {
  const draft = draftOf(last);
  return (
    <p class="sub line">
      <OneWord view={view} draft={draft} />
      <span class="clip" dir="auto">
        {firstWords({ draft })}
      </span>
    </p>
  );
};

const linkTo = (desk: Desk, { text, archived, after }: { [K in keyof Wanted]: Wanted[K] | undefined }): string =>
  deskLink(desk, "/-/topics", {
    q: text,
    archived: archived === true ? "true" : undefined,
    after: after && `${after.namespace}/${after.name}`,
  });
