/** What is posted to Microsoft Teams: message cards of its connectors, adaptive cards of its workflows (REWRITES.md §8). */
import type { Level } from "../../../drafts/draft.ts";
import { factsOf, markedAt, MAX_PARTS, toldOf, type Button, type Card } from "../../chat.ts";
import { field, list, object, scalar, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import type { Told } from "../../told.ts";
import { levelOfColour, worst } from "../../tone.ts";

export const teams: Source<"teams"> = {
  name: "teams",
  title: "Microsoft Teams",
  fits: (payload) => isMessageCard(payload) || adaptiveCardsOf(payload).length > 0,
  tell: (payload) => (isMessageCard(payload) ? tellMessageCard(payload) : tellAdaptiveCards(payload)),
};

const isMessageCard = (payload: Fields): boolean =>
  field(payload, "@type") === "MessageCard" ||
  (Object.hasOwn(payload, "themeColor") && (Object.hasOwn(payload, "sections") || Object.hasOwn(payload, "text")));

function tellMessageCard(payload: Fields): Told | undefined {
  const sections = list(field(payload, "sections")).slice(0, MAX_PARTS).map(object);
  const title = markedAt(payload, "title");
  const summary = markedAt(payload, "summary");
  const [top, ...others] = sections.map(sectionOf);
  return toldOf({
    source: "teams",
    sender: undefined,
    text: markedAt(payload, "text"),
    cards: [
      {
        title: title ?? top?.title ?? summary,
        texts: [],
        facts: [],
        level: levelOfColour(field(payload, "themeColor")),
      },
      ...(top === undefined ? [] : [top]),
      ...others,
    ],
    buttons: [payload, ...sections]
      .flatMap((each) => list(field(each, "potentialAction")))
      .slice(0, MAX_PARTS)
      .map(openUri),
    isTextFirst: false,
  });
}

const sectionOf = (section: Fields): Card => ({
  title: markedAt(section, "activityTitle", "title"),
  texts: ["activitySubtitle", "activityText", "text"].map((name) => markedAt(section, name)),
  facts: factsOf(list(field(section, "facts")), "name", "value"),
});

function openUri(action: unknown): Button {
  const targets = list(field(object(action), "targets"))
    .slice(0, MAX_PARTS)
    .map(object);
  return { label: markedAt(object(action), "name"), url: scalar(field(targets[0] ?? {}, "uri")) };
}

/** Adaptive cards in the attachments of a message, or one posted alone. */
function adaptiveCardsOf(payload: Fields): Fields[] {
  const contents = list(field(payload, "attachments"))
    .slice(0, MAX_PARTS)
    .map((each) => field(object(each), "content"));
  return [payload, ...contents].filter(isObject).filter(isAdaptiveCard);
}

const isAdaptiveCard = (card: Fields): boolean =>
  field(card, "type") === "AdaptiveCard" && Array.isArray(field(card, "body"));

function tellAdaptiveCards(payload: Fields): Told | undefined {
  const cards = adaptiveCardsOf(payload).map((card) => ({ card, elements: elementsIn(card) }));
  const elements = cards.flatMap((each) => each.elements);
  return toldOf({
    source: "teams",
    sender: undefined,
    text: undefined,
    cards: cards.map((each) => cardOf(each.elements)),
    buttons: [...cards.map(({ card }) => card), ...elements].flatMap(actionsOf),
    isTextFirst: false,
  });
}

const MAX_ELEMENTS = 100;
/** Fields of elements that hold other elements. */
const NESTS = ["body", "items", "columns", "rows", "cells", "inlines"];

/** All elements of a card in reading order, at most `MAX_ELEMENTS`. */
function elementsIn(card: Fields): Fields[] {
  const found: Fields[] = [];
  const waiting: unknown[] = [card];
  while (waiting.length > 0 && found.length < MAX_ELEMENTS) {
    const element = waiting.shift();
    if (!isObject(element)) continue;
    found.push(element);
    waiting.unshift(...NESTS.flatMap((name) => list(field(element, name)).slice(0, MAX_ELEMENTS)));
  }
  return found;
}

/** The first text is the title, as in every card that has one; the rest keeps the card's order. */
function cardOf(elements: readonly Fields[]): Card {
  const [title, ...texts] = elements
    .flatMap((element) => [markedAt(element, "text", "codeSnippet"), ...factsIn(element)])
    .filter((text) => text !== undefined);
  return { title, texts, facts: [], level: worst(elements.map(levelOf)) };
}

const factsIn = (element: Fields): string[] =>
  factsOf(list(field(element, "facts")), "title", "value").map(({ name = "", value = "" }) =>
    [name.replace(/:$/, ""), value].filter((each) => each !== "").join(": "),
  );

/** Containers have a style, texts a colour. */
const levelOf = (element: Fields): Level | undefined =>
  levelOfColour(field(element, "style")) ?? levelOfColour(field(element, "color"));

const actionsOf = (fields: Fields): Button[] =>
  list(field(fields, "actions"))
    .slice(0, MAX_PARTS)
    .map(object)
    .map((action) => ({ label: markedAt(action, "title"), url: scalar(field(action, "url")) }));
