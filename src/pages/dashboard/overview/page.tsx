/** @jsxImportSource #jsx */
/** The first page of the dashboard: what is wrong first, then what came last (WEB.md §3). */
import { messageUrl } from "../../../http/urls.ts";
import { firstWords, OneWord } from "../../feed/card.tsx";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ago } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { type BlockedLanes, LaneNotes, Note } from "../deliveries/notes.tsx";
import { Foreign } from "../deliveries/reasons.tsx";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { MutedMark, MutedNotes } from "../muted.tsx";
import { mutedOf } from "../settings/mutes.ts";
import { mutedUntil, topicPath } from "../topics/glance.ts";
import { HandledBand, OpenBand } from "./band.tsx";
import type { Overview, Peek } from "./gather.ts";
import { DayPicture } from "./picture.tsx";
import { GetStarted } from "./start.tsx";
import { Link } from "../frame/link.tsx";

interface Props {
  desk: Desk;
  overview: Overview;
}

export const OverviewPage = ({ desk, overview }: Props): Safe => (
  <Desktop desk={desk} title={desk.view.texts.desk.entries.overview} current="overview">
    <State desk={desk} overview={overview} />
    <MutedNotes desk={desk} from="overview" />
    <div class="stack" id="lanes" data-live="delivery">
      <Refusing desk={desk} overview={overview} />
      <LaneNotes view={desk.view} found={overview.blocked} />
    </div>
    <OpenBand desk={desk} open={overview} />
    <DayPicture desk={desk} day={overview.day} />
    <HandledBand desk={desk} open={overview} />
    {overview.started !== undefined && <GetStarted desk={desk} started={overview.started} />}
    <Latest desk={desk} latest={overview.latest} />
  </Desktop>
);

/** The state in words, and in numbers behind it. */
const State = ({ desk, overview }: Props): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  const { trouble, checks, opened, latest } = overview;
  const [last] = latest;
  return (
    <div class="head" id="state" data-live="check delivery message topic namespace">
      <div class="tight">
        <h1 class="big">
          {words.heading({
            ...{ ...trouble, waiting: opened.asking, moreWaiting: opened.moreAsking, checks },
            ...{ firing: opened.firing, moreFiring: opened.moreFiring },
            ...{ isRefusing: overview.refusing !== undefined, pushes: pushesOf(overview.blocked) },
            namespace: desk.chosen?.name,
          })}
        </h1>
        <p class="soft">
          {words.others({ ...checks, down: trouble.down, handled: overview.handled })}{" "}
          {last === undefined
            ? words.noMessage
            : fill(words.lastMessage, <Ago view={view} at={last.message.createdAt} />)}
        </p>
      </div>
      {desk.visitor.person.isAdmin && mutedOf(desk.namespaces, desk.now)?.until === undefined && (
        <MuteAll desk={desk} />
      )}
    </div>
  );
};

const Refusing = ({ desk: { view, visitor }, overview: { refusing } }: Props): Safe | null =>
  refusing === undefined || !visitor.person.isAdmin ? null : (
    <Note view={view} tone="error" title={view.texts.overview.refusing} text={[<Foreign words={refusing} />, "."]} />
  );

const pushesOf = ({ isOffline, blocked }: BlockedLanes) =>
  isOffline ? "none" : blocked.length > 0 ? "some" : undefined;

/** Unobtrusive, because it is the wrong answer to a ringing phone: it leads to the question. */
const MuteAll = ({ desk }: { desk: Desk }): Safe => (
  <Link desk={desk} to="/-/settings/mute" class="btn bare" icon="mute" words={desk.view.texts.overview.muteAll} />
);

const Latest = ({ desk, latest }: { desk: Desk; latest: readonly Peek[] }): Safe => {
  const { view } = desk;
  const { overview: words } = view.texts;
  return (
    <section class="panel" aria-labelledby="latest-h" id="latest" data-live="message">
      <header>
        <h2 id="latest-h">{words.latest}</h2>
        <a href={deskLink(desk, "/-/messages")}>{words.allMessages}</a>
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
                <span class="sub line">
                  {topic.namespace} / {topic.name}
                  <MutedMark view={view} until={mutedUntil(topic, desk.now)} isShort />
                </span>
              </div>
              <span class="sub">
                <Ago view={view} at={message.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
