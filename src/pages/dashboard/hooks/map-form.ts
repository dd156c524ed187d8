/** Turns the form of a hook's map into the map, and back. Pure. */
import { readMap, type HookMap } from "../../../hooks/map.ts";
import { onlyPlaceholder, placeholder } from "../../../hooks/template.ts";
import { levelOf, priorityOf } from "../../../drafts/words.ts";

/** Templates that are in the form as they are in the map. */
const PLAIN = ["title", "text", "link", "key", "tags"] as const;
/** What a value means, one a line, is in a separate field. */
const WORDS = [
  ["level", levelOf],
  ["priority", priorityOf],
] as const;

/** What is wrong in a field, by a name of the catalogue; if in the map as a whole, in the field `""`. */
export type MapFault = "template" | "one" | "is" | "resolved" | "in" | "tooMuch";

/** The form as the map is. */
export function formOfMap(map: HookMap = {}): URLSearchParams {
  const form = new URLSearchParams();
  const set = (name: string, value: string | undefined) => {
    if (value !== undefined && value !== "") form.set(name, value);
  };
  for (const name of PLAIN) set(name, map[name]);
  for (const [name] of WORDS) {
    const said = map[name];
    set(name, typeof said === "object" ? placeholder(said.from) : said);
    if (typeof said === "object") set(`${name}_is`, linesOf(said.is ?? {}));
  }
  if (map.resolved !== undefined) {
    set("resolved", placeholder(map.resolved.from));
    set("resolved_in", map.resolved.in.join("\n"));
  }
  return form;
}

const linesOf = (is: Readonly<Record<string, string>>): string =>
  Object.entries(is)
    .map(([value, word]) => `${value} = ${word}`)
    .join("\n");

/** The map that was filled in, undefined for none; or what is wrong with it, by field. */
export function mapOfForm(form: URLSearchParams): { map: HookMap | undefined } | { faults: Map<string, MapFault> } {
  const faults = new Map<string, MapFault>();
  const text = (name: string) => (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();
  const given: Record<string, unknown> = {};
  for (const name of PLAIN) if (text(name) !== "") given[name] = text(name);
  for (const [name, wordOf] of WORDS) {
    const is = wordsIn(text(`${name}_is`), wordOf);
    if (is === undefined) faults.set(`${name}_is`, "is");
    else if (is.length === 0) {
      if (text(name) !== "") given[name] = fromOrText(text(name));
    } else {
      const from = onlyPlaceholder(text(name));
      if (from === undefined) faults.set(name, "one");
      else given[name] = { from, is: Object.fromEntries(is) };
    }
  }
  const [resolved, values] = [text("resolved"), linesIn(text("resolved_in"))];
  if (resolved !== "" && values.length > 0)
    given["resolved"] = { from: onlyPlaceholder(resolved) ?? resolved, in: values };
  else if (resolved !== "") faults.set("resolved_in", "in");
  else if (values.length > 0) faults.set("resolved", "resolved");
  const read = readMap(given);
  if (read.kind === "errors")
    for (const { path } of read.errors) {
      const [, name = "", part] = path.split("/");
      faults.set(
        part === "in" || part === "is" ? `${name}_${part}` : name,
        name === "" ? "tooMuch" : part === "in" ? "in" : "template",
      );
    }
  if (faults.size > 0 || read.kind === "errors") return { faults };
  return { map: Object.keys(read.map).length === 0 ? undefined : read.map };
}

/** A level that is one placeholder is read from there. */
const fromOrText = (template: string): string | { from: string } => {
  const from = onlyPlaceholder(template);
  return from === undefined ? template : { from };
};

const linesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** Reads lines like `Health = error`; undefined if one is not of this form. */
function wordsIn(text: string, wordOf: (word: string) => string | undefined): [string, string][] | undefined {
  const words = linesIn(text).map((line): [string, string | undefined] => {
    const at = line.lastIndexOf("=");
    return [line.slice(0, at).trim(), at < 1 ? undefined : wordOf(line.slice(at + 1))];
  });
  return words.every((pair): pair is [string, string] => pair[0] !== "" && pair[1] !== undefined) ? words : undefined;
}
