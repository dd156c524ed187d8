/** What is posted to Discord's webhooks: content, embeds, components (REWRITES.md §8). */
import { buttonOf, factsAt, markedAt, nested, partsAt, speaker, toldOf, type Card } from "../../chat.ts";
import { field, lineAt, listAt, objectAt, scalarAt, type Fields } from "../../fields.ts";
import type { Source } from "../../tool.ts";
import { instant } from "../../times.ts";
import { levelOfColour } from "../../tone.ts";

/** The fields of a body; Discord has no others. */
const isSpoken = speaker(
  "content embeds username avatar_url tts allowed_mentions components attachments flags thread_name applied_tags poll file",
);
const EMBEDDED = "title description fields author footer color image thumbnail".split(" ");

export const discord: Source<"discord"> = {
  name: "discord",
  title: "Discord",
  fits(payload) {
    if (Object.hasOwn(payload, "message")) return false;
    if (partsAt(payload, "embeds").some(isEmbed) || componentsIn(payload).some(isText)) return true;
    return typeof field(payload, "content") === "string" && isSpoken(payload);
  },
  tell(payload, { now }) {
    const embeds = partsAt(payload, "embeds");
    const components = componentsIn(payload);
    const [first = {}] = embeds;
    return toldOf({
      source: "discord",
      sender: lineAt(payload, "username"),
      text: markedAt(payload, "content"),
      cards: [...embeds.map(cardOf), ...(components.length > 0 ? [cardOfComponents(components)] : [])],
      buttons: components.filter((each) => Object.hasOwn(each, "url")).map((each) => buttonOf(each, "label")),
      isTextFirst: false,
      at: instant(field(first, "timestamp"), now),
    });
  },
};

const isEmbed = (embed: Fields): boolean => EMBEDDED.some((name) => Object.hasOwn(embed, name));

function cardOf(embed: Fields): Card {
  const author = markedAt(objectAt(embed, "author"), "name");
  const title = markedAt(embed, "title");
  return {
    title: title ?? author,
    url: scalarAt(embed, "url") ?? scalarAt(objectAt(embed, "author"), "url"),
    texts: [title === undefined ? undefined : author, markedAt(embed, "description")],
    facts: factsAt(embed, "fields", "name", "value"),
    level: levelOfColour(field(embed, "color")),
  };
}

const MAX_COMPONENTS = 50;

const componentsIn = (payload: Fields): Fields[] =>
  nested(listAt(payload, "components"), MAX_COMPONENTS, (component) => [
    ...listAt(component, "components").slice(0, MAX_COMPONENTS),
    field(component, "accessory"),
  ]);

const isText = (component: Fields): boolean => field(component, "type") === 10 && Object.hasOwn(component, "content");

const cardOfComponents = (components: readonly Fields[]): Card => ({
  texts: components.map((each) => markedAt(each, "content")),
  facts: [],
  level: components.map((each) => levelOfColour(field(each, "accent_color"))).find((level) => level !== undefined),
});
