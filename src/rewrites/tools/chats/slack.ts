/** What is posted to incoming webhooks of Slack, and of Mattermost and Rocket.Chat, which take the same (REWRITES.md §8). */
import { markedAt, MAX_PARTS, toldOf, factsOf, type Button, type Card } from "../../chat.ts";
import { field, lineAt, list, object, scalar, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import { unmaskedProse } from "../../text.ts";
import { instantOfSeconds } from "../../times.ts";
import { levelOfColour } from "../../tone.ts";

/** The fields of a body; the three have no others. */
const VOCABULARY = new Set(
  (
    "text attachments blocks username channel icon_url icon_emoji mrkdwn link_names parse unfurl_links unfurl_media thread_ts " +
    "reply_broadcast response_type replace_original delete_original metadata props alias avatar emoji roomId"
  ).split(" "),
);
const isSpoken = (names: readonly string[]) =>
  names.length <= VOCABULARY.size && names.every((name) => VOCABULARY.has(name));
/** The fields of an attachment; no other tool has these. */
const ATTACHED = "fallback color pretext title_link author_name mrkdwn_in thumb_url footer callback_id".split(" ");
const BLOCKS = new Set("header section context divider actions image rich_text markdown video input file".split(" "));

export const slack: Source<"slack"> = {
  name: "slack",
  title: "Slack",
  fits(payload) {
    if (Object.hasOwn(payload, "message")) return false;
    if (attachmentsOf(payload).some(isAttachment) || blocksOf(payload).some(isBlock)) return true;
    return typeof field(payload, "text") === "string" && isSpoken(Object.keys(payload));
  },
  tell(payload, { now }) {
    const attachments = attachmentsOf(payload);
    const blocks = blocksOf(payload);
    const [first = {}] = attachments;
    return toldOf({
      source: "slack",
      sender: lineAt(payload, "username", "alias"),
      text: markedAt(payload, "text"),
      cards: [...(blocks.length > 0 ? [cardOfBlocks(blocks)] : []), ...attachments.map(cardOf)],
      buttons: [
        ...buttonsIn(blocks),
        ...attachments.flatMap((each) => [...buttonsIn(blocksOf(each)), ...actionsOf(each)]),
      ],
      isTextFirst: true,
      at: instantOfSeconds(field(first, "ts"), now),
    });
  },
};

const attachmentsOf = (payload: Fields): Fields[] =>
  list(field(payload, "attachments")).slice(0, MAX_PARTS).filter(isObject);
const blocksOf = (fields: Fields): Fields[] => list(field(fields, "blocks")).slice(0, MAX_PARTS).filter(isObject);

const isAttachment = (attachment: Fields): boolean =>
  !Object.hasOwn(attachment, "contentType") &&
  (ATTACHED.some((name) => Object.hasOwn(attachment, name)) || list(field(attachment, "blocks")).some(isBlock));

const isBlock = (block: unknown): boolean =>
  isObject(block) &&
  BLOCKS.has(scalar(field(block, "type")) ?? "") &&
  ["text", "elements", "fields", "block_id", "image_url"].some((name) => Object.hasOwn(block, name));

function cardOf(attachment: Fields): Card {
  const blocks = cardOfBlocks(blocksOf(attachment));
  const texts = [markedAt(attachment, "pretext"), markedAt(attachment, "text"), ...blocks.texts];
  const facts = [...factsOf(list(field(attachment, "fields")), "title", "value"), ...blocks.facts];
  const title = markedAt(attachment, "title") ?? blocks.title;
  const isEmpty = title === undefined && facts.length === 0 && texts.every((each) => each === undefined);
  return {
    title: title ?? (isEmpty ? markedAt(attachment, "fallback") : undefined),
    url: scalar(field(attachment, "title_link")),
    texts,
    facts,
    level: levelOfColour(field(attachment, "color")),
  };
}

function cardOfBlocks(blocks: readonly Fields[]): Card {
  const header = blocks.find((block) => field(block, "type") === "header");
  const others = blocks.filter((block) => block !== header);
  return {
    title: header === undefined ? undefined : textOf(field(header, "text")),
    texts: others.flatMap((block) => [
      textOf(field(block, "text")),
      ...list(field(block, "elements")).slice(0, MAX_PARTS).map(textOf),
    ]),
    facts: others
      .flatMap((block) => list(field(block, "fields")).slice(0, MAX_PARTS))
      .map((each) => {
        // a label in bold, with its value below
        const [, name, value] = /^\*([^*\n]{1,100})\*:?\s*\n([^]+)$/.exec(textOf(each) ?? "") ?? [];
        return { name, value: value ?? textOf(each) };
      }),
  };
}

/** The text of a text, a text object, an element of a context or a rich text. */
function textOf(part: unknown): string | undefined {
  const text = unmaskedProse(rawIn(part));
  return text === "" ? undefined : text;
}

/** The runs of a rich text are joined without spaces: they have their own. */
function rawIn(part: unknown): string {
  if (!isObject(part)) return typeof part === "string" ? part : "";
  const runs = list(field(part, "elements")).slice(0, MAX_PARTS);
  if (runs.length > 0) return runs.map(rawIn).join(field(part, "type") === "rich_text_section" ? "" : "\n");
  if (field(part, "type") === "button") return "";
  const [text, url] = [field(part, "text"), scalar(field(part, "url"))];
  if (field(part, "type") === "emoji") return `:${scalar(field(part, "name")) ?? ""}:`;
  return scalar(text) ?? (isObject(text) ? rawIn(text) : (url ?? ""));
}

/** Buttons that open a link; all others would ask Slack. */
const buttonsIn = (blocks: readonly Fields[]): Button[] =>
  blocks
    .flatMap((block) => [...list(field(block, "elements")).slice(0, MAX_PARTS), field(block, "accessory")])
    .map(object)
    .filter((element) => field(element, "type") === "button")
    .map((element) => ({ label: textOf(field(element, "text")), url: scalar(field(element, "url")) }));

const actionsOf = (attachment: Fields): Button[] =>
  list(field(attachment, "actions"))
    .slice(0, MAX_PARTS)
    .map(object)
    .map((action) => ({ label: markedAt(action, "text", "name"), url: scalar(field(action, "url")) }));
