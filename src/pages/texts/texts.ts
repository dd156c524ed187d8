/** The catalogue: what pages say. English is its shape; a translation may lack texts, which are then shown in English. */
import { en } from "./en.ts";

export type Texts = typeof en;

type Leaf = string | readonly unknown[] | ReadonlyMap<unknown, unknown> | ((...values: never) => unknown);
type Partly<T> = T extends Leaf ? T : { readonly [Name in keyof T]?: Partly<T[Name]> };

/** A language as its translators have it. They always say what it is called, and which locale writes its numbers and dates. */
export type Translation = Partly<Texts> & Pick<Texts, "ownName" | "locale"> & { live: Pick<Texts["live"], "locale"> };

/** The whole catalogue of a translation, with the English text for everything that it lacks. */
export const translated = (translation: Translation): Texts => over(en, translation);

function over<T>(english: T, own: unknown): T {
  if (own === undefined) return english;
  if (english instanceof Map && own instanceof Map) return new Map([...english, ...own]) as T;
  if (!isSection(english) || !isSection(own)) return own as T;
  return Object.fromEntries(Object.entries(english).map(([name, text]) => [name, over(text, own[name])])) as T;
}

/** A section holds other texts; a sentence, a list and a map are one text each. */
const isSection = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Map);
