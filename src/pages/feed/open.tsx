/** @jsxImportSource #jsx */
/** The band on top of a page: what somebody should act on, each with its button, and below it what somebody is on. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { fill } from "../elements/fill.ts";
import { Icon } from "../layout.tsx";
import { BriefTime } from "../elements/times.tsx";
import type { View } from "../view.ts";
import { Acknowledge } from "./card-acts.tsx";
import { firstWords, OneWord } from "./card.tsx";
import type { OpenCard } from "./opened.ts";

interface BandProps {
  view: View;
  /** Rows of the list; without any there is no band. */
  rows: readonly Safe[];
  isMore?: boolean;
}

export const OpenNow = ({ view, rows, isMore = false }: BandProps): Safe | null =>
  rows.length === 0 ? null : (
    <section class="panel open" aria-labelledby="open-h">
      <header>
        <h2 id="open-h">{view.texts.open.title}</h2>
      </header>
      <ul class="rows">
        {rows}
        {isMore && <li class="row sub">{view.texts.open.more}</li>}
      </ul>
    </section>
  );

/** Unobtrusive: nobody needs to look at it now. */
export const Handled = ({ view, rows }: BandProps): Safe | null =>
  rows.length === 0 ? null : (
    <section class="panel" aria-labelledby="handled-h">
      <header>
        <h2 class="soft" id="handled-h">
          {view.texts.open.handled}
        </h2>
      </header>
      <ul class="rows dense">{rows}</ul>
    </section>
  );

interface RowProps {
  view: View;
  card: OpenCard;
  /** Leads to its card. */
  link: string;
  /** Its topic, if the page is about several. */
  place?: Child;
}

export const OpenRow = ({ view, card, link, place, acknowledgeAt }: RowProps & { acknowledgeAt: string }): Safe => (
  <li class={`row act ${card.draft.level}`}>
    <div>
      <OneWord view={view} draft={card.draft} /> <Name card={card} link={link} />
      <p class="sub">
        {place !== undefined && [place, ", "]}
        <Since view={view} card={card} />
      </p>
    </div>
    <Acknowledge view={view} to={acknowledgeAt} id={card.message.id} isLoud={card.draft.priority === "urgent"} />
  </li>
);

/** `isNamed`: the reader may know who it is. */
export const HandledRow = ({ view, card, link, place, isNamed }: RowProps & { isNamed: boolean }): Safe => (
  <li class="row">
    <div>
      <Name card={card} link={link} />
      <p class="sub">
        {place !== undefined && [place, ". "]}
        {card.taken !== undefined && <TakenBy view={view} taken={card.taken} isNamed={isNamed} />}
      </p>
    </div>
    <Icon view={view} name="check" />
  </li>
);

interface TakenProps {
  view: View;
  taken: NonNullable<OpenCard["taken"]>;
  isNamed: boolean;
}
/** `Jonas has been on it since 00:48. Quiet until 01:48.` */
export const TakenBy = ({ view, taken: { at, by, until }, isNamed }: TakenProps): Safe => {
  const { open: words } = view.texts;
  return (
    <>
      {fill(words.taken(isNamed ? by : undefined), <BriefTime view={view} at={at} />)}
      {until !== undefined && [" ", fill(words.quiet, <BriefTime view={view} at={until} />)]}
    </>
  );
};

const Name = ({ card: { draft }, link }: Pick<RowProps, "card" | "link">): Safe => (
  <a class="name" href={link} data-card dir="auto">
    {firstWords({ draft })}
  </a>
);

const Since = ({ view, card: { since, draft, message } }: Pick<RowProps, "view" | "card">): Safe =>
  since === undefined ? (
    <>
      {fill(
        draft.ack === true ? view.texts.open.asks : view.texts.open.came,
        <BriefTime view={view} at={message.createdAt} />,
      )}
    </>
  ) : (
    <span data-since={view.texts.card.firingFor}>
      {view.texts.card.firingSince} <BriefTime view={view} at={since} />
    </span>
  );
