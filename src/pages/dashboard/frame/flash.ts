/**
 * What a form did, said once on the page that it leads to: a cookie that lives for a minute and names a sentence of the catalogue
 * and its values. The visitor's browser keeps it, so any visitor may have written it.
 */
import { setCookie } from "../../../http/cookie.ts";
import { isTopicKey } from "../../../names/topic.ts";
import type { Texts } from "../../texts/texts.ts";
import type { View } from "../../view.ts";

/** `<part>.<name>`: a sentence in `flash` of that part of the catalogue. */
export type Say = {
  [Part in keyof Texts]: Texts[Part] extends { flash: infer Sentences }
    ? `${Part}.${Extract<keyof Sentences, string>}`
    : never;
}[keyof Texts];

export interface Flash {
  say: Say;
  /** In the order in which the sentence takes them. */
  values?: readonly (string | number)[];
  /** Absent: a success. */
  tone?: "info" | "warning" | "error";
  /** A message that was deleted or acknowledged, which may be taken back for a while. */
  undo?: { topic: string; id: number; of: Undoable };
}

/** What was done: also the end of the address that undoes it. */
const UNDOABLE = ["delete", "acknowledge"] as const;
type Undoable = (typeof UNDOABLE)[number];

const NAME = "flash";
const LIFE_SECONDS = 60;
const MAX_VALUES = 8;
const MAX_VALUE = 200;

/** A `Set-Cookie` with a flash; without one it ends what was shown. */
export function flashCookie({ base, url }: Pick<View, "base" | "url">, flash?: Flash): string {
  const values = flash?.values?.slice(0, MAX_VALUES).map((value) => (typeof value === "string" ? cut(value) : value));
  const text = flash === undefined ? "" : encodeURIComponent(JSON.stringify({ ...flash, ...(values && { values }) }));
  const life = flash === undefined ? 0 : LIFE_SECONDS;
  return setCookie(NAME, text, { path: `${base}/-/`, life, isSecure: url.startsWith("https:") });
}

/** `encodeURIComponent` throws at half a character. */
const cut = (value: string): string => value.slice(0, MAX_VALUE).toWellFormed();

/** The flash that the browser sends; undefined if there is none of ours. */
export function flashOf({ headers }: Request, texts: Texts): Flash | undefined {
  const sent = /(?:^|;\s*)flash=([^;]+)/.exec(headers.get("cookie") ?? "")?.[1];
  if (sent === undefined) return undefined;
  try {
    const flash = JSON.parse(decodeURIComponent(sent)) as Partial<Record<keyof Flash, unknown>>;
    const { say, values = [], tone, undo } = flash;
    if (typeof say !== "string" || sentence(texts, say) === undefined || !isValues(values)) return undefined;
    return {
      say: say as Say,
      values,
      ...(isTone(tone) && { tone }),
      ...(isUndo(undo) && { undo: { topic: undo.topic, id: undo.id, of: undo.of } }),
    };
  } catch {
    return undefined;
  }
}

/** The flash in words: plain text. */
export function flashText(texts: Texts, { say, values = [] }: Flash): string {
  const found = sentence(texts, say);
  return typeof found === "function" ? found(...values) : (found ?? "");
}

function sentence(texts: Texts, say: string): string | ((...values: readonly unknown[]) => string) | undefined {
  const [part = "", name = ""] = say.split(".");
  const { flash } = (Object.hasOwn(texts, part) ? texts[part as keyof Texts] : {}) as { flash?: object };
  if (flash === undefined || !Object.hasOwn(flash, name)) return undefined;
  return flash[name as never];
}

const isValues = (values: unknown): values is (string | number)[] =>
  Array.isArray(values) &&
  values.length <= MAX_VALUES &&
  values.every((value) => typeof value === "number" || (typeof value === "string" && value.length <= 2 * MAX_VALUE));

const isTone = (tone: unknown): tone is NonNullable<Flash["tone"]> =>
  tone === "info" || tone === "warning" || tone === "error";

function isUndo(undo: unknown): undo is NonNullable<Flash["undo"]> {
  const { topic, id, of } = (undo ?? {}) as { topic?: unknown; id?: unknown; of?: unknown };
  const isKnown = UNDOABLE.some((one) => one === of);
  return typeof topic === "string" && isTopicKey(topic) && Number.isSafeInteger(id) && isKnown;
}
