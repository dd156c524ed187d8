/** What is posted to incoming webhooks of Slack, and of Mattermost and Rocket.Chat, which take the same (REWRITES.md §8). */
import {
  buttonOf,
  factsAt,
  markedAt,
  MAX_PARTS,
  partsAt,
  speaker,
  toldOf,
  type Button,
  type Card,
} from "../../chat.ts";
import { field, hasOne, lineAt, listAt, object, objectsAt, scalar, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import { unmaskedProse } from "../../text.ts";
import { instantOfSeconds } from "../../times.ts";
import { levelOfColour } from "../../tone.ts";

/** The fields of a body; the three have no others. */
const isSpoken = speaker(
  "text attachments blocks username channel icon_url icon_emoji mrkdwn link_names parse unfurl_links unfurl_media thread_ts " +
    "reply_broadcast response_type replace_original delete_original metadata props alias avatar emoji roomId",
);
/** The fields of an attachment; no other tool has these. */
const ATTACHED = "fallback color pretext title_link author_name mrkdwn_in thumb_url footer callback_id".split(" ");
const BLOCKS = new Set("header section context divider actions image rich_text markdown video input file".split(" "));

export const slack: Source<"slack"> = {
  name: "slack",
  title: "Slack",
  fits(payload) {
    if (Object.hasOwn(payload, "message")) return false;
    if (partsAt(payload, "attachments").some(isAttachment) || blocksOf(payload).some(isBlock)) return true;
    return typeof field(payload, "text") === "string" && isSpoken(payload);
  },
  tell(payload, { now }) {
    const attachments = partsAt(payload, "attachments");
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

const blocksOf = (fields: Fields): Fields[] => partsAt(fields, "blocks");

const isAttachment = (attachment: Fields): boolean =>
  !Object.hasOwn(attachment, "contentType") &&
  (ATTACHED.some((name) => Object.hasOwn(attachment, name)) || listAt(attachment, "blocks").some(isBlock));

const isBlock = (block: unknown): boolean =>
  isObject(block) &&
  BLOCKS.has(scalarAt(block, "type") ?? "") &&
  hasOne(block, "text", "elements", "fields", "block_id", "image_url");

function cardOf(attachment: Fields): Card {
  const blocks = cardOfBlocks(blocksOf(attachment));
  const texts = [markedAt(attachment, "pretext"), markedAt(attachment, "text"), ...blocks.texts];
  const facts = [...factsAt(attachment, "fields", "title", "value"), ...blocks.facts];
  const title = markedAt(attachment, "title") ?? blocks.title;
  const isEmpty = title === undefined && facts.length === 0 && texts.every((each) => each === undefined);
  return {
    title: title ?? (isEmpty ? markedAt(attachment, "fallback") : undefined),
    url: scalarAt(attachment, "title_link"),
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
      ...listAt(block, "elements").slice(0, MAX_PARTS).map(textOf),
    ]),
    facts: others
      .flatMap((block) => listAt(block, "fields").slice(0, MAX_PARTS))
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
  const runs = listAt(part, "elements").slice(0, MAX_PARTS);
  if (runs.length > 0) return runs.map(rawIn).join(field(part, "type") === "rich_text_section" ? "" : "\n");
  if (field(part, "type") === "button") return "";
  const [text, url] = [field(part, "text"), scalarAt(part, "url")];
  if (field(part, "type") === "emoji") return `:${scalarAt(part, "name") ?? ""}:`;
  return scalar(text) ?? (isObject(text) ? rawIn(text) : (url ?? ""));
}

/** Buttons that open a link; all others would ask Slack. */
const buttonsIn = (blocks: readonly Fields[]): Button[] =>
  blocks
    .flatMap((block) => [...listAt(block, "elements").slice(0, MAX_PARTS), field(block, "accessory")])
    .map(object)
    .filter((element) => field(element, "type") === "button")
    .map((element) => ({ label: textOf(field(element, "text")), url: scalarAt(element, "url") }));

const actionsOf = (attachment: Fields): Button[] =>
  objectsAt(attachment, "actions", MAX_PARTS).map((action) => buttonOf(action, "text", "name"));
