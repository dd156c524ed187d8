/** @jsxImportSource #jsx */
/** The first page of the dashboard: what is wrong first, then what came last (WEB.md §3). */
import { messageUrl } from "../../../http/urls.ts";
import { firstWords, OneWord } from "../../feed/card.tsx";
import { fill } from "../../fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { BriefTime } from "../../times.tsx";
import { sentence } from "../checks/words.tsx";
import type { Desk } from "../desk.ts";
import { deliveriesOf } from "../deliveries/links.ts";
import { type BlockedLanes, LaneNotes, Note } from "../deliveries/notes.tsx";
import { Foreign, reasonOf } from "../deliveries/reasons.tsx";
import { nameOf } from "../devices/words.tsx";
import { deskLink } from "../filter.ts";
import { Desktop } from "../frame.tsx";
import { mutedOf } from "../settings/mutes.ts";
import { topicPath } from "../topics/seen.ts";
import type { Overview, Peek } from "./gather.ts";
import { GetStarted } from "./start.tsx";

interface Props {
  desk: Desk;
  overview: Overview;
}

export const OverviewPage = ({ desk, overview }: Props): Safe => (
  <Desktop desk={desk} title={desk.view.texts.overview.title} current="overview">
    <State desk={desk} overview={overview} />
    <div class="stack" id="lanes" data-live="delivery">
      <Refusing desk={desk} overview={overview} />
      <LaneNotes view={desk.view} found={overview.blocked} />
    </div>
    <NeedsYou desk={desk} overview={overview} />
    <Latest desk={desk} latest={overview.latest} />
    {overview.started !== undefined && <GetStarted desk={desk} started={overview.started} />}
  </Desktop>
);

/** The state in words, and in numbers behind it. */
const State = ({ desk, overview }: Props): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  const { trouble, checks, waiting, moreWaiting, latest } = overview;
  const [last] = latest;
  return (
    <div class="head" id="state" data-live="check delivery message topic namespace">
      <div class="tight">
        <h1 class="big">
          {words.heading({
            ...{ ...trouble, waiting: waiting.length, moreWaiting, checks },
            ...{ isRefusing: overview.refusing !== undefined, pushes: pushesOf(overview.blocked) },
            namespace: desk.chosen?.name,
          })}
        </h1>
        <p class="soft">
          {words.others({ ...checks, down: trouble.down })}{" "}
          {last === undefined
            ? words.noMessage
            : fill(words.lastMessage, <BriefTime view={view} at={last.message.createdAt} />)}
        </p>
      </div>
      {desk.visitor.person.isAdmin && <MuteAll desk={desk} />}
    </div>
  );
};

const Refusing = ({ desk: { view, visitor }, overview: { refusing } }: Props): Safe | null =>
  refusing === undefined || !visitor.person.isAdmin ? null : (
    <Note view={view} tone="error" title={view.texts.overview.refusing} text={[<Foreign words={refusing} />, "."]} />
  );

const pushesOf = ({ isOffline, blocked }: BlockedLanes) =>
  isOffline ? "none" : blocked.length > 0 ? "some" : undefined;

/** Of all namespaces, also where the filter has chosen one. Where all are muted, the way to let them ring again. */
const MuteAll = ({ desk }: { desk: Desk }): Safe => {
  const { view, namespaces, now } = desk;
  const { overview: words } = view.texts;
  const { until } = mutedOf(namespaces, now) ?? {};
  const isMuted = until !== undefined;
  return (
    <form class="line" method="post" action={deskLink(desk, "/-/settings/mute")}>
      <input type="hidden" name="from" value="overview" />
      <input type="hidden" name="for" value={isMuted ? "off" : "hour"} />
      {isMuted && (
        <p>
          <a href={deskLink(desk, "/-/settings#mute")}>
            {fill(words.mutedUntil, <BriefTime view={view} at={until} />)}
          </a>
        </p>
      )}
      <button class="btn" type="submit">
        <Icon view={view} name={isMuted ? "bell" : "mute"} />
        {isMuted ? view.texts.settings.mute.unmute : words.muteAll}
      </button>
    </form>
  );
};

const NeedsYou = ({ desk, overview }: Props): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  const { trouble, down, failures, waiting } = overview;
  const moreDown = trouble.down - down.length;
  const moreFailed = trouble.failed - failures.length;
  if (trouble.down + trouble.failed + waiting.length === 0)
    return <div id="needs" data-live="check delivery message" />;
  return (
    <section class="panel" aria-labelledby="needs-h" id="needs" data-live="check delivery message">
      <header>
        <h2 id="needs-h">{words.needsYou}</h2>
      </header>
      <ul class="rows">
        {down.map(({ check, runs }) => (
          <Row
            desk={desk}
            tone="down"
            name={check.standing.settings.name}
            to={`/-/checks/${check.id}`}
            place={check.namespace}
          >
            {sentence({ view, check, runs })}
          </Row>
        ))}
        {moreDown > 0 && <More text={words.moreDown(moreDown)} to={deskLink(desk, "/-/checks")} />}
        {failures.map(({ topic, message, draft, delivery }) => (
          <Row
            desk={desk}
            tone="failed"
            name={
              delivery.device === undefined ? view.texts.deliveries.removedDevice : nameOf(view.texts, delivery.device)
            }
            to={deliveriesOf(topic, message)}
          >
            {words.notAccepted(firstWords({ draft }))}: {reasonOf(view.texts, delivery)}
          </Row>
        ))}
        {moreFailed > 0 && (
          <More text={words.moreFailed(moreFailed, trouble.isMore)} to={deskLink(desk, "/-/deliveries?state=failed")} />
        )}
        {waiting.map((peek) => (
          <Waiting desk={desk} peek={peek} />
        ))}
      </ul>
    </section>
  );
};

interface RowProps {
  desk: Desk;
  tone: "down" | "failed";
  name: string;
  to: string;
  place?: string;
  children?: Child;
}

const Row = ({ desk, tone, name, to, place, children }: RowProps): Safe => (
  <li class={`row told ${tone}`}>
    <div>
      <a class="name" href={deskLink(desk, to)} dir="auto">
        {name}
      </a>{" "}
      {place !== undefined && <span class="dim">{place}</span>}
    </div>
    <p class="sub" dir="auto">
      {children}
    </p>
    <span class={`st ${tone}`}>
      <Icon view={desk.view} name="down" />
      {desk.view.texts.overview.state[tone]}
    </span>
  </li>
);

const More = ({ text, to }: { text: string; to: string }): Safe => (
  <li class="row">
    <a class="name" href={to}>
      {text}
    </a>
  </li>
);

const Waiting = ({ desk, peek: { topic, message, draft } }: { desk: Desk; peek: Peek }): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  // by now others may stand before it in its topic
  const link = deskLink(desk, messageUrl(topicPath(topic), message.id));
  return (
    <li class="row act">
      <div>
        <a class="name" href={link} dir="auto">
          {firstWords({ draft })}
        </a>{" "}
        <span class="dim">
          {topic.namespace} / {topic.name}
        </span>
        <p class="sub">{fill(words.waiting, <BriefTime view={view} at={message.createdAt} />)}</p>
      </div>
      <form method="post" action={deskLink(desk, `/-/messages/${topic.key}/${message.id}/acknowledge`)}>
        <button class="btn risk main" type="submit">
          <Icon view={view} name="check" />
          {words.acknowledge}
        </button>
      </form>
    </li>
  );
};

const Latest = ({ desk, latest }: { desk: Desk; latest: readonly Peek[] }): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  return (
    <section class="panel" aria-labelledby="latest-h" id="latest" data-live="message">
      <header>
        <h2 id="latest-h">{words.latest}</h2>
        <a href={deskLink(desk, "/-/topics")}>{words.allTopics}</a>
      </header>
      {latest.length === 0 ? (
        <div class="empty">
          <strong>{words.empty.title}</strong>
          <p class="soft">{words.empty.text}</p>
        </div>
      ) : (
        <ul class="rows dense">
          {latest.map(({ topic, message, draft }) => (
            <li class="row">
              <div class="peek">
                <OneWord view={view} draft={draft} />
                <a class="name clip" href={deskLink(desk, messageUrl(topicPath(topic), message.id))} dir="auto">
                  {firstWords({ draft })}
                </a>
                <span class="sub">
                  {topic.namespace} / {topic.name}
                </span>
              </div>
              <span class="sub">
                <BriefTime view={view} at={message.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
