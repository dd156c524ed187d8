/** What the posts to chats have in common, and the message of such a post (REWRITES.md §8). */
import type { Action, Level } from "../drafts/draft.ts";
import { MAX_ACTIONS } from "../drafts/limits.ts";
import type { Millis } from "../util/clock.ts";
import { characters } from "../util/schema.ts";
import { isObject } from "../util/json.ts";
import { firstAt, listAt, objectsAt, scalarAt, type Fields } from "./fields.ts";
import { linksIn, plain } from "./markup.ts";
import { cut, line, unmaskedProse } from "./text.ts";
import { present, type Told } from "./told.ts";
import { levelOfWords, priorityOf, worst } from "./tone.ts";
import { link } from "./urls.ts";

/** Its texts are those of `markedAt`: with their markup, and with anything that may be secret. */
export interface Post {
  source: string;
  sender: string | undefined;
  text: string | undefined;
  cards: readonly Card[];
  /** Buttons of the whole post; if no card opens anything, the first of them does. */
  buttons: readonly Button[];
  /** Whether the first line of the text is the headline even if a card has a title. */
  isTextFirst: boolean;
  at?: Millis | undefined;
}

export interface Card {
  title?: string | undefined;
  url?: string | undefined;
  texts: readonly (string | undefined)[];
  facts: readonly Fact[];
  level?: Level | undefined;
}

export interface Button {
  label: string | undefined;
  url: string | undefined;
}

export interface Fact {
  name: string | undefined;
  value: string | undefined;
}

/** The most cards, facts, buttons and parts of a post that are read. */
export const MAX_PARTS = 20;

/** The first of these fields that has text, with its markup. */
export const markedAt = (fields: Fields, ...names: string[]): string | undefined =>
  firstAt(fields, names, unmaskedProse);

/** The facts of a list whose items have such fields. */
export const factsAt = (fields: Fields, list: string, name: string, value: string): Fact[] =>
  objectsAt(fields, list, MAX_PARTS).map((each) => ({ name: markedAt(each, name), value: markedAt(each, value) }));

export const buttonOf = (fields: Fields, ...labels: string[]): Button => ({
  label: markedAt(fields, ...labels),
  url: scalarAt(fields, "url"),
});

/** The objects of a list; what else it holds is passed over. */
export const partsAt = (fields: Fields, name: string): Fields[] =>
  listAt(fields, name).slice(0, MAX_PARTS).filter(isObject);

/** The objects among these and what `inside` finds in them, in reading order; at most `max`. */
export function nested(roots: readonly unknown[], max: number, inside: (part: Fields) => readonly unknown[]): Fields[] {
  const found: Fields[] = [];
  const waiting = roots.slice(0, max);
  while (waiting.length > 0 && found.length < max) {
    const next = waiting.shift();
    if (!isObject(next)) continue;
    found.push(next);
    waiting.unshift(...inside(next));
  }
  return found;
}

/** Whether a body has no fields but these, which have a space between them. */
export function speaker(vocabulary: string): (payload: Fields) => boolean {
  const known = new Set(vocabulary.split(" "));
  return (payload) => {
    const names = Object.keys(payload);
    return names.length <= known.size && names.every((name) => known.has(name));
  };
}

const MAX_HEADLINE = 100;
const MAX_LABEL = 40;

/** Undefined for a post without any text. */
export function toldOf(post: Post): Told | undefined {
  const { source, cards } = post;
  const url = linkOf(post);
  const text = shown(post.text, url);
  const all = [text, ...cards.flatMap((card) => linesOf(card, url))].filter((each) => each !== undefined);
  const title = cards.map((card) => shown(card.title, url)).find((each) => each !== undefined);
  const headline = (post.isTextFirst ? (text ?? title) : (title ?? text)) ?? all[0];
  if (headline === undefined) return undefined;
  const [first = ""] = headline.split("\n");
  const level = worst(cards.map((card) => card.level)) ?? levelOfFacts(cards) ?? levelOfWords(first) ?? "info";
  return {
    title: cut(first, MAX_HEADLINE),
    lines: withoutRepeats(all, first),
    level,
    priority: priorityOf(level),
    tags: [source, post.sender],
    url,
    actions: actionsOf(post.buttons, url),
    at: post.at,
    data: present({ sender: post.sender }),
  };
}

function shown(marked: string | undefined, url: string | undefined): string | undefined {
  const text = marked === undefined ? "" : plain(marked, url);
  return text === "" ? undefined : text;
}

const STATES = /^\W*(?:status|state|severity|level|alert type)\W*$/i;

/** The worst level among facts whose name says that they have one. */
const levelOfFacts = (cards: readonly Card[]): Level | undefined =>
  worst(
    cards
      .flatMap((card) => card.facts.slice(0, MAX_PARTS))
      .map(({ name = "", value = "" }) => (STATES.test(name.slice(0, 40)) ? levelOfWords(value) : undefined)),
  );

/** The link of a card, else of the first button, else the first in a text. */
function linkOf({ cards, buttons, text }: Post): string | undefined {
  const told = [...cards.map((card) => card.url), ...buttons.map((button) => button.url)].map(link);
  const found = told.find((href) => href !== undefined);
  if (found !== undefined) return found;
  const texts = [text, ...cards.flatMap(({ title, texts: parts }) => [title, ...parts])].slice(0, MAX_PARTS);
  return texts
    .flatMap((each) => linksIn(each ?? ""))
    .map(link)
    .find((href) => href !== undefined);
}

function linesOf(card: Card, url: string | undefined): (string | undefined)[] {
  const facts = card.facts.slice(0, MAX_PARTS).map(({ name, value }) => {
    const [label, text] = [shown(name, url)?.replace(/:$/, ""), shown(value, url)];
    if (label === undefined || text === undefined) return text;
    return text.includes("\n") ? `${label}:\n${text}` : `${label}: ${text}`;
  });
  return [card.title, ...card.texts].map((each) => shown(each, url)).concat(facts);
}

/** Chats get the same words more than once: as the text of the notification, as title and as fact. */
function withoutRepeats(parts: readonly string[], headline: string): string[] {
  const isLong = characters(headline) > MAX_HEADLINE;
  const said = new Set<string>(isLong ? [] : [headline]);
  return parts.map((part) =>
    part
      .split("\n")
      .filter((each) => {
        const isNew = each === "" || !(said.has(each) || said.has(each.slice(each.indexOf(": ") + 2)));
        if (each !== "") said.add(each);
        return isNew;
      })
      .join("\n")
      .trim(),
  );
}

function actionsOf(buttons: readonly Button[], url: string | undefined): Action[] {
  const actions = buttons.map((button) => ({
    label: cut(line(plain(button.label ?? "")), MAX_LABEL) || "Open",
    url: link(button.url) ?? "",
  }));
  const others = actions.filter((action) => action.url !== "" && action.url !== url);
  return [...new Map(others.map((action) => [action.url, action])).values()].slice(0, MAX_ACTIONS);
}
