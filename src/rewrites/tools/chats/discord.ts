/** What is posted to Discord's webhooks: content, embeds, components (REWRITES.md §8). */
import { factsOf, markedAt, MAX_PARTS, toldOf, type Button, type Card } from "../../chat.ts";
import { field, lineAt, list, object, scalar, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import type { Source } from "../../tool.ts";
import { instant } from "../../times.ts";
import { levelOfColour } from "../../tone.ts";

/** The fields of a body; Discord has no others. */
const VOCABULARY = new Set(
  "content embeds username avatar_url tts allowed_mentions components attachments flags thread_name applied_tags poll file".split(
    " ",
  ),
);
const isSpoken = (names: readonly string[]) =>
  names.length <= VOCABULARY.size && names.every((name) => VOCABULARY.has(name));
const EMBEDDED = "title description fields author footer color image thumbnail".split(" ");

export const discord: Source<"discord"> = {
  name: "discord",
  title: "Discord",
  fits(payload) {
    if (Object.hasOwn(payload, "message")) return false;
    if (embedsOf(payload).some(isEmbed) || componentsIn(payload).some(isText)) return true;
    return typeof field(payload, "content") === "string" && isSpoken(Object.keys(payload));
  },
  tell(payload, { now }) {
    const embeds = embedsOf(payload);
    const components = componentsIn(payload);
    const [first = {}] = embeds;
    return toldOf({
      source: "discord",
      sender: lineAt(payload, "username"),
      text: markedAt(payload, "content"),
      cards: [...embeds.map(cardOf), ...(components.length > 0 ? [cardOfComponents(components)] : [])],
      buttons: components.filter((each) => Object.hasOwn(each, "url")).map(buttonOf),
      isTextFirst: false,
      at: instant(field(first, "timestamp"), now),
    });
  },
};

const embedsOf = (payload: Fields): Fields[] => list(field(payload, "embeds")).slice(0, MAX_PARTS).filter(isObject);
const isEmbed = (embed: Fields): boolean => EMBEDDED.some((name) => Object.hasOwn(embed, name));

function cardOf(embed: Fields): Card {
  const author = markedAt(object(field(embed, "author")), "name");
  const title = markedAt(embed, "title");
  return {
    title: title ?? author,
    url: scalar(field(embed, "url")) ?? scalar(field(object(field(embed, "author")), "url")),
    texts: [title === undefined ? undefined : author, markedAt(embed, "description")],
    facts: factsOf(list(field(embed, "fields")), "name", "value"),
    level: levelOfColour(field(embed, "color")),
  };
}

const MAX_COMPONENTS = 50;

/** The components and those inside them, at most `MAX_COMPONENTS`. */
function componentsIn(payload: Fields): Fields[] {
  const found: Fields[] = [];
  const waiting = list(field(payload, "components")).slice(0, MAX_COMPONENTS);
  while (waiting.length > 0 && found.length < MAX_COMPONENTS) {
    const next = waiting.shift();
    if (!isObject(next)) continue;
    found.push(next);
    waiting.unshift(...list(field(next, "components")).slice(0, MAX_COMPONENTS), field(next, "accessory"));
  }
  return found;
}

const isText = (component: Fields): boolean => field(component, "type") === 10 && Object.hasOwn(component, "content");

const cardOfComponents = (components: readonly Fields[]): Card => ({
  texts: components.map((each) => markedAt(each, "content")),
  facts: [],
  level: components.map((each) => levelOfColour(field(each, "accent_color"))).find((level) => level !== undefined),
});

const buttonOf = (component: Fields): Button => ({
  label: markedAt(component, "label"),
  url: scalar(field(component, "url")),
});
