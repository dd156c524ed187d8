/** @jsxImportSource #jsx */
/** One message as the feed shows it (WEB.md §4). */
import { type Draft, hasUrl } from "../../drafts/draft.ts";
import { ACK_UNDO_MS } from "../../store/deliveries.ts";
import { Icon, type IconName } from "../layout.tsx";
import { Fragment, type Safe } from "../jsx/jsx-runtime.ts";
import { CopyText } from "../elements/copy-line.tsx";
import { markdown } from "../elements/markdown.tsx";
import { Ago, BriefTime, Time } from "../elements/times.tsx";
import type { View } from "../view.ts";
import { Acts, type CardProps, RequestHint, Rings, sendsRequest, TOOL_NAMES, toolOf } from "./card-acts.tsx";
import { Files } from "./files.tsx";
import { foldKey } from "./foldkey.ts";
import { anchorOf, happenedAt, hasOwnTime, HEADING_CHARACTERS, type Card } from "./cards.ts";
import { Submit } from "../elements/submit.tsx";

export const MessageCard = (props: CardProps): Safe => {
  const { view, card, link } = props;
  const { message, draft } = card;
  const { heading, body, isPlain = false } = headed(draft);
  const isOne = isPlain && body === undefined && !isOpen(card);
  const anchor = `m${anchorOf(message, props.of)}`;
  const headingId = `${anchor}t`;
  const name =
    heading === undefined ? { "aria-label": view.texts.card.message(message.id) } : { "aria-labelledby": headingId };
  return (
    <article
      class={`${classOf(card)}${isOne ? " one" : ""}`}
      id={anchor}
      tabindex="-1"
      data-link={link}
      data-alert={draft.dedup_key}
      data-level={draft.level}
      data-fold={foldKey(draft)}
      data-urgent={draft.priority === "urgent"}
      {...name}
    >
      <Meta {...props} anchor={anchor} />
      {heading !== undefined && (
        <h3 class={isPlain && !isOpen(card) ? "plain" : undefined} id={headingId} dir="auto">
          {heading}
        </h3>
      )}
      {body !== undefined && <Body view={view} draft={draft} text={body} />}
      {draft.attachments !== undefined && (
        <Files view={view} attachments={draft.attachments} fileHref={props.fileHref} now={props.now} />
      )}
      {draft.actions?.map((action) =>
        hasUrl(action)
          ? sendsRequest(action) && <RequestHint action={action} />
          : action.copy !== undefined && <CopyText view={view} text={action.copy} label={action.label} />,
      )}
      {card.ack !== undefined && card.ack.at === undefined && (
        <Rings view={view} until={card.ack.until} now={props.now} />
      )}
      <Acts {...props} draft={draft} />
      <Past view={view} card={card} />
      {props.came}
      <Menu {...props} />
    </article>
  );
};

/** The line above a message: how bad it is, whose it is, what became of it, when. */
const Meta = (props: CardProps & { anchor: string }): Safe => {
  const { view, card, anchor } = props;
  const { message, draft } = card;
  const { card: say } = view.texts;
  const sender = props.sender ?? senderWord(view, draft.source, toolOf(draft));
  return (
    <div class="meta">
      <LevelWord view={view} draft={draft} isSparse />
      {props.of !== undefined && (
        <a href={props.of.href} dir="auto">
          {props.of.name}
        </a>
      )}
      {props.of?.mark}
      {card.firing?.since !== undefined && (
        <span data-since={say.firingFor}>
          {say.firingSince} <BriefTime view={view} at={card.firing.since} />
        </span>
      )}
      {card.ack !== undefined && (
        <span>
          {card.ack.at === undefined ? (
            say.waiting
          ) : (
            <>
              {say.acknowledged} <Ago view={view} at={card.ack.at} />
            </>
          )}
        </span>
      )}
      {props.undoAt !== undefined && card.ack?.at !== undefined && props.now - card.ack.at < ACK_UNDO_MS && (
        <form method="post" action={props.undoAt}>
          <Submit class="link" words={view.texts.shared.undo} />
        </form>
      )}
      {sender !== undefined && <span dir="auto">{sender}</span>}
      {hasOwnTime(card) && (
        <span>
          {say.happened} <Ago view={view} at={happenedAt(card)} />
        </span>
      )}
      <span class="when">
        <a href={`#${anchor}`}>
          <Time view={view} at={message.createdAt} />
        </a>
      </span>
    </div>
  );
};

const Menu = ({ view, own }: Pick<CardProps, "view" | "own">): Safe => {
  const { card: say, copy } = view.texts;
  const copied = [
    ["text", "copy", say.copyText],
    ["link", "link", say.copyLink],
    ["curl", "send", say.copyCurl],
  ] as const;
  return (
    <details class={own === undefined ? "menu js" : "menu"} name="menu">
      <summary aria-label={say.menu}>
        <Icon view={view} name="more" />
      </summary>
      <ul class="drop">
        {copied.map(([what, icon, words]) => (
          <li class="js">
            <button class="btn bare" type="button" {...{ [`data-copy-${what}`]: true }} data-done={copy.done}>
              <Icon view={view} name={icon} />
              <span>{words}</span>
            </button>
          </li>
        ))}
        {own !== undefined && <li>{own}</li>}
      </ul>
    </details>
  );
};

const isOpen = ({ draft, firing, ack }: Card): boolean =>
  firing !== undefined || (ack !== undefined && ack.at === undefined) || draft.priority === "urgent";

/** A tinted ground means that somebody must act: what fires, and what waits to be acknowledged. */
function classOf({ draft, firing, ack }: Card): string {
  const tone = draft.status === "resolved" ? "success" : draft.level;
  const marks = [
    draft.priority === "urgent" && ack?.at === undefined && "urgent",
    (firing !== undefined || (ack !== undefined && ack.at === undefined)) && "open",
    tone === "info" && "calm",
  ];
  return ["msg", tone, ...marks.filter((mark) => mark !== false)].join(" ");
}

interface LevelWordProps {
  view: View;
  draft: Pick<Draft, "level" | "priority" | "status">;
  /** Most messages are `info`, so that word is left out. */
  isSparse?: boolean;
}
const LevelWord = ({ view, draft, isSparse = false }: LevelWordProps): Safe => {
  const { level, priority, status } = draft;
  const urgent = priority === "urgent" && status !== "resolved";
  return (
    <>
      {urgent && <Word view={view} tone="error" icon="urgent" word={view.texts.priority.urgent} />}
      {status === "resolved" && <Word view={view} tone="success" icon="success" word={view.texts.card.resolved} />}
      {status !== "resolved" && !(urgent && level === "error") && !(isSparse && level === "info") && (
        <Word view={view} tone={level} icon={level} word={view.texts.level[level]} />
      )}
      {priority === "high" && <span>{view.texts.priority.high}</span>}
      {priority === "low" && <span>{view.texts.priority.low}</span>}
    </>
  );
};

/** The most important word if there is room for one: that it is over, that it is urgent, else its level. */
export const OneWord = ({ view, draft }: { view: View; draft: Draft }): Safe => {
  const { level, priority, status } = draft;
  if (status === "resolved") return <Word view={view} tone="success" icon="success" word={view.texts.card.resolved} />;
  if (priority === "urgent") return <Word view={view} tone="error" icon="urgent" word={view.texts.priority.urgent} />;
  return <Word view={view} tone={level} icon={level} word={view.texts.level[level]} />;
};

const Word = ({ view, tone, icon, word }: { view: View; tone: string; icon: IconName; word: string }): Safe => (
  <span class={`lv ${tone}`}>
    <Icon view={view} name={icon} />
    {word}
  </span>
);

/** Without a title (`isPlain`) the heading is the text, or the first of several lines; a long text stays a text. */
function headed({ title, message, format }: Draft): { heading?: string; body?: string; isPlain?: true } {
  if (title !== undefined) return { heading: title, body: message };
  if (format === "markdown") return { body: message };
  const end = message.indexOf("\n");
  const heading = end === -1 ? message : message.slice(0, end);
  if (heading.trim() === "" || heading.length > HEADING_CHARACTERS) return { body: message };
  return { heading, isPlain: true, ...(end !== -1 && { body: message.slice(end + 1) }) };
}

const FOLD_LINES = 12;
const FOLD_CHARACTERS = 1_000;

const Body = ({ view, draft, text }: { view: View; draft: Draft; text: string }): Safe => {
  const lines = text.trimEnd().split("\n").length;
  const cut = lines > FOLD_LINES || text.length > FOLD_CHARACTERS ? " cut" : "";
  return (
    <>
      {draft.format === "markdown" ? (
        <div class={`body md${cut}`} dir="auto">
          {markdown(text, view.texts)}
        </div>
      ) : (
        <pre class={`body${isAligned(text) ? " mono" : ""}${cut}`} dir="auto">
          {text}
        </pre>
      )}
      {cut !== "" && (
        <details class="fold">
          <summary>{lines > FOLD_LINES ? view.texts.card.showLines(lines) : view.texts.card.showAll}</summary>
        </details>
      )}
    </>
  );
};

/** Columns, indentation: what a job printed. Shown in a fixed width with its spaces. */
const isAligned = (text: string): boolean => (text.match(/^[ \t]+\S|\S(?: {2,}|\t)\S/gm)?.length ?? 0) > 1;

const Past = ({ view, card }: { view: View; card: Card }): Safe => (
  <Fragment>
    {card.earlier.length > 0 && (
      <details class="past">
        <summary>{view.texts.card.earlier(card.earlier.length, card.moreEarlier)}</summary>
        <ol>
          {card.earlier.map((earlier) => (
            <li>
              <Ago view={view} at={earlier.createdAt} />
              <LevelWord view={view} draft={earlier} />
              <span dir="auto">{firstWords({ draft: earlier }, card.draft.title)}</span>
            </li>
          ))}
        </ol>
      </details>
    )}
  </Fragment>
);

/** A message in one line: its title, or its text if others have the same `title`. */
export function firstWords({ draft }: { draft: Pick<Draft, "title" | "message"> }, title?: string): string {
  const text = draft.title === undefined || draft.title === title ? draft.message : draft.title;
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > HEADING_CHARACTERS ? `${line.slice(0, HEADING_CHARACTERS)}…` : line;
}

/** The sender of a message: the tool's name, else the pages' word for the way it came. */
export function sourceWord({ texts }: Pick<View, "texts">, source: string): string {
  const [kind = "", name = kind] = source.split(":", 2);
  return TOOL_NAMES.get(name) ?? texts.source.get(kind) ?? name;
}

/** Ways that are open to anybody: they say nothing about the sender. */
const WAYS_IN = new Set(["api", "ntfy", "hook"]);

/** The sender of a message in terms that everybody may see: the tool, or a part of peal. `tool`: if the source does not name it. */
function senderWord(view: Pick<View, "texts">, source: string, tool?: string): string | undefined {
  if (tool !== undefined) return TOOL_NAMES.get(tool);
  return WAYS_IN.has(source) ? undefined : sourceWord(view, source);
}
