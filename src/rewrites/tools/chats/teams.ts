/** What is posted to Microsoft Teams: message cards of its connectors, adaptive cards of its workflows (REWRITES.md §8). */
import type { Level } from "../../../drafts/draft.ts";
import { buttonOf, factsAt, markedAt, MAX_PARTS, nested, toldOf, type Button, type Card } from "../../chat.ts";
import { field, hasOne, listAt, object, objectsAt, scalarAt, type Fields } from "../../fields.ts";
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
  (Object.hasOwn(payload, "themeColor") && hasOne(payload, "sections", "text"));

function tellMessageCard(payload: Fields): Told | undefined {
  const sections = objectsAt(payload, "sections", MAX_PARTS);
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
      .flatMap((each) => listAt(each, "potentialAction"))
      .slice(0, MAX_PARTS)
      .map(openUri),
    isTextFirst: false,
  });
}

const sectionOf = (section: Fields): Card => ({
  title: markedAt(section, "activityTitle", "title"),
  texts: ["activitySubtitle", "activityText", "text"].map((name) => markedAt(section, name)),
  facts: factsAt(section, "facts", "name", "value"),
});

function openUri(action: unknown): Button {
  const targets = objectsAt(object(action), "targets", MAX_PARTS);
  return { label: markedAt(object(action), "name"), url: scalarAt(targets[0] ?? {}, "uri") };
}

/** Adaptive cards in the attachments of a message, or one posted alone. */
function adaptiveCardsOf(payload: Fields): Fields[] {
  const contents = listAt(payload, "attachments")
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

const elementsIn = (card: Fields): Fields[] =>
  nested([card], MAX_ELEMENTS, (element) => NESTS.flatMap((name) => listAt(element, name).slice(0, MAX_ELEMENTS)));

/** The first text is the title, as in every card that has one; the rest keeps the card's order. */
function cardOf(elements: readonly Fields[]): Card {
  const [title, ...texts] = elements
    .flatMap((element) => [markedAt(element, "text", "codeSnippet"), ...factsIn(element)])
    .filter((text) => text !== undefined);
  return { title, texts, facts: [], level: worst(elements.map(levelOf)) };
}

const factsIn = (element: Fields): string[] =>
  factsAt(element, "facts", "title", "value").map(({ name = "", value = "" }) =>
    [name.replace(/:$/, ""), value].filter((each) => each !== "").join(": "),
  );

/** Containers have a style, texts a colour. */
const levelOf = (element: Fields): Level | undefined =>
  levelOfColour(field(element, "style")) ?? levelOfColour(field(element, "color"));

const actionsOf = (fields: Fields): Button[] =>
  objectsAt(fields, "actions", MAX_PARTS).map((action) => buttonOf(action, "title"));
