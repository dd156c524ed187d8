/** @jsxImportSource #jsx */
/** One list of the messages of all topics that the visitor sees: what is open first, then the newest (WEB.md §3). */
import { Chips, Counted, NoneFound, OlderThan, Search, Newest } from "../../feed/asked.tsx";
import { Days } from "../../feed/page.tsx";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { BriefTime } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { Desktop } from "../frame/frame.tsx";
import { MutedNotes } from "../muted.tsx";
import { HandledBand, OpenBand } from "../overview/band.tsx";
import type { Listed } from "./gather.ts";

interface Props {
  desk: Desk;
  listed: Listed;
}

export const MessagesPage = ({ desk, listed }: Props): Safe => {
  const { view } = desk;
  const { asked, top } = listed;
  const { title, search } = view.texts.messages;
  return (
    <Desktop desk={desk} title={title} current="messages">
      <div class="head">
        <div>
          <h1>{title}</h1>
        </div>
        <Search view={view} asked={asked} label={search} />
      </div>
      {top !== undefined && (
        <>
          <MutedNotes desk={desk} from="messages" />
          <OpenBand desk={desk} open={top.open} />
          <HandledBand desk={desk} open={top.open} />
        </>
      )}
      <div class="stack" id="messages" data-live={asked.before === undefined && "message topic"}>
        <List desk={desk} listed={listed} />
      </div>
    </Desktop>
  );
};

const List = ({ desk, listed: { asked, page, cards, top } }: Props): Safe => {
  const { view, now } = desk;
  const { nextBefore, lookedTo, isCut } = page;
  if (top !== undefined && cards.length === 0 && nextBefore === undefined) return <Empty desk={desk} />;
  return (
    <>
      <Chips view={view} asked={asked} counts={top?.counts} hasOpen />
      <Counted view={view} counts={top?.counts} />
      {asked.before !== undefined && <Newest view={view} asked={asked} />}
      <section class="feed" aria-label={view.texts.messages.title}>
        {cards.length === 0 ? (
          <NoneFound view={view} asked={asked} hasMore={nextBefore !== undefined} />
        ) : (
          <Days view={view} cards={cards} now={now} />
        )}
      </section>
      {isCut === true && <p class="soft">{view.texts.open.more}</p>}
      <OlderThan
        view={view}
        asked={asked}
        before={nextBefore}
        lookedTo={
          lookedTo !== undefined && fill(view.texts.messages.searchedTo, <BriefTime view={view} at={lookedTo} />)
        }
      />
    </>
  );
};

const Empty = ({ desk: { view, namespaces } }: { desk: Desk }): Safe => {
  const { empty } = view.texts.overview;
  return (
    <section class="panel">
      <div class="empty">
        <h2>{empty.title}</h2>
        <p class="soft">{namespaces.length === 0 ? view.texts.desk.noNamespace : empty.text}</p>
      </div>
    </section>
  );
};
