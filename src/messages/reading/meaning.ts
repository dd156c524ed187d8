/**
 * Finds what a publisher meant (docs/publish.md): from fields under any of their names, with values of any type, to the fields
 * of a publish body. Whatever cannot be used is left out and reported. Pure.
 */
import { MAX_TAGS } from "../../drafts/limits.ts";
import type { FieldError } from "../../http/problem.ts";
import { isReadBeside } from "../../rewrites/common.ts";
import { nearest } from "../../util/text/nearest.ts";
import { PublishBody } from "../schema.ts";
import { fieldNamed, foldedName, MAX_NAME, type Name } from "./fields.ts";
import type { Fields } from "./ntfy.ts";
import { isAbsent, Notes, READ, Timed } from "./values.ts";

export interface Meant {
  /** Fields of `PublishBody`; rules that its schema cannot express are not checked. */
  fields: Fields;
  /** What was left out, each with the reason. */
  ignored: FieldError[];
  /** Something was too long, and was cut. */
  isCut: boolean;
  /** The message is HTML. */
  isHtml: boolean;
}

const OURS = Object.keys(PublishBody.properties);

/** How many names that are not written as ours are looked at, and how many unknown ones are checked for misspelling. */
const MAX_OTHERS = 200;
const MAX_SLIPS = 20;

/**
 * Fields by any name, such as those of JSON; `pathOf`: the name in a report. Of thousands of names only ours and the first others
 * are looked at: comparing 30,000 with ours takes half a second (measured).
 */
export function meaning(given: Fields, pathOf: (name: string) => string): Meant {
  const notes = new Notes();
  const fields: Fields = {};
  let slips = 0;
  for (const name of inOrder(given)) {
    const field = fieldNamed(name);
    const value = given[name];
    if (field === undefined) {
      if (slips++ < MAX_SLIPS) noteMisspelt(name, pathOf(name), notes);
    } else if (!isAbsent(value) && !(field in fields)) put(fields, field, READ[field](value, pathOf(name), notes));
  }
  const { ignored, isCut, isHtml } = notes;
  return { fields, ignored, isCut, isHtml };
}

/** Names that are spelled as ours come first: they win over similar ones. */
function inOrder(given: Fields): string[] {
  const others: string[] = [];
  for (const name in given) {
    if (others.length === MAX_OTHERS) break;
    if (!(name in PublishBody.properties)) others.push(name);
  }
  return [...OURS.filter((name) => Object.hasOwn(given, name)), ...others];
}

/** A time may be read as another field than it was given as. */
function put(fields: Fields, field: Name, value: unknown): void {
  if (value instanceof Timed) Object.assign(fields, value.fields);
  else if (value !== undefined) fields[field] = value;
}

/** Tools send more than we read: only a name that looks misspelt is reported. */
function noteMisspelt(name: string, path: string, notes: Notes): void {
  const meant = name.length > MAX_NAME || isReadBeside(name) ? undefined : nearest(foldedName(name), OURS);
  if (meant !== undefined && foldedName(name).length > 3)
    notes.leaveOut(path, `is not a field; did you mean \`${meant}\`?`);
}

/** Puts the tag first, so that it is there however many tags there are. */
export function markTruncated(fields: Fields): void {
  const tags: unknown[] = Array.isArray(fields["tags"]) ? fields["tags"] : [];
  fields["tags"] = ["truncated", ...tags.filter((tag) => tag !== "truncated").slice(0, MAX_TAGS - 1)];
}
