/** Makes fields of a message from values of a body, by paths and words (docs/publish.md). Nothing is ever evaluated. Pure. */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { fieldErrors } from "../http/body.ts";
import type { FieldError } from "../http/problem.ts";
import { LEVELS, PRIORITIES, type Status } from "../drafts/draft.ts";
import { cut } from "../util/text/text.ts";
import { levelOf, priorityOf } from "../drafts/words.ts";
import { scalar } from "../rewrites/fields.ts";
import { choice, text } from "../util/schema.ts";
import { pathOf, piecesOf, placeholder, type Path } from "./template.ts";

/** The longest map, as JSON. */
const MAX_BYTES = 4_096;
/** The most placeholders in all templates of a map. */
const MAX_PLACEHOLDERS = 50;
/** The longest value that replaces a placeholder. */
const MAX_VALUE_CHARACTERS = 500;

const Template = text({ minLength: 1, description: "text with placeholders: `{series.title}: {episodes.0.title}`" });
const From = text({ minLength: 1, description: "the path of a value: `event.type`; a dot in a name is written `\\.`" });

const wordOf = <T extends string>(words: readonly T[]) =>
  Type.Object(
    {
      from: From,
      is: Type.Optional(
        Type.Record(Type.String(), choice(words), { description: "what a value means; others are read as words" }),
      ),
    },
    { additionalProperties: false },
  );
const LevelFrom = wordOf(LEVELS);
const PriorityFrom = wordOf(PRIORITIES);

/** How fields of the message are made from values of the body. */
export const HookMap = Type.Object(
  {
    title: Type.Optional(Template),
    text: Type.Optional(Template),
    level: Type.Optional(Type.Union([Template, LevelFrom])),
    priority: Type.Optional(Type.Union([Template, PriorityFrom])),
    link: Type.Optional(Template),
    key: Type.Optional(Template),
    resolved: Type.Optional(
      Type.Object(
        {
          from: From,
          in: Type.Array(Type.Union([Type.String(), Type.Number(), Type.Boolean()]), { minItems: 1, maxItems: 50 }),
        },
        { additionalProperties: false, description: "closes the alert of `key` where the value is one of these" },
      ),
    ),
    tags: Type.Optional(Template),
  },
  { additionalProperties: false, description: "Fields of the message, by paths into the body" },
);
export type HookMap = Static<typeof HookMap>;
type Name = keyof HookMap;

/** The result, as fields of a publish body. */
export type Mapped = Partial<
  Record<"title" | "message" | "level" | "priority" | "url" | "dedup_key" | "status" | "tags", string>
>;

const compiled = TypeCompiler.Compile(HookMap);
/** Schemas of fields that may be a template or an object: for an object, errors are those of its schema. */
const WORDS = new Map<string, TSchema>([
  ["/level", LevelFrom],
  ["/priority", PriorityFrom],
]);

/** The map in a value from outside; else each wrong field, by its JSON pointer (`/level/from`). */
export function readMap(value: unknown): { kind: "map"; map: HookMap } | { kind: "errors"; errors: FieldError[] } {
  const errors = compiled.Check(value) ? wrongIn(value) : outOfShape(value);
  return errors.length > 0 ? { kind: "errors", errors } : { kind: "map", map: value as HookMap };
}

const outOfShape = (value: unknown): FieldError[] =>
  fieldErrors(compiled.Errors(value)).flatMap((error) => {
    const schema = WORDS.get(error.path);
    const inner = schema === undefined ? undefined : (value as Record<string, unknown>)[error.path.slice(1)];
    if (schema === undefined || typeof inner !== "object" || inner === null) return [error];
    return fieldErrors(TypeCompiler.Compile(schema).Errors(inner)).map(({ path, message }) => ({
      path: path === "/" ? error.path : error.path + path,
      message,
    }));
  });

/** What a schema cannot express. */
function wrongIn(map: HookMap): FieldError[] {
  if (Buffer.byteLength(JSON.stringify(map)) > MAX_BYTES)
    return [{ path: "/", message: `must be at most ${MAX_BYTES} bytes of JSON` }];
  const errors: FieldError[] = [];
  let placeholders = 0;
  for (const [name, value] of Object.entries(map)) {
    const isTemplate = typeof value === "string";
    const path = isTemplate ? `/${name}` : `/${name}/from`;
    const pieces = isTemplate ? piecesOf(value) : [pathOf(value.from)];
    const paths = pieces?.filter((piece) => typeof piece !== "string");
    placeholders += paths?.length ?? 0;
    if (paths === undefined)
      errors.push({ path, message: "has a `{` without its `}`; write `{{` for a literal brace" });
    else if (paths.some((names) => names.includes("")))
      errors.push({ path, message: "has a path with nothing before, between or after its dots" });
  }
  if (placeholders > MAX_PLACEHOLDERS)
    errors.push({ path: "/", message: `must have at most ${MAX_PLACEHOLDERS} placeholders` });
  return errors;
}

/** Names of fields: Apprise's (its API: title, body, type, tag) and ours. */
const NAMES: ReadonlyMap<string, Exclude<Name, "resolved">> = new Map([
  ...["title"].map((name) => [name, "title"] as const),
  ...["body", "message", "text"].map((name) => [name, "text"] as const),
  ...["type", "level"].map((name) => [name, "level"] as const),
  ...["priority"].map((name) => [name, "priority"] as const),
  ...["url", "link", "click"].map((name) => [name, "link"] as const),
  ...["key", "dedup_key"].map((name) => [name, "key"] as const),
  ...["tag", "tags"].map((name) => [name, "tags"] as const),
]);

/**
 * Apprise's map in a URL (https://github.com/caronc/apprise-api, `remap_fields`): `?:event.title=title` takes the title from
 * there, and `?:type=warning` sets it. Undefined if there is none, or it exceeds the limits of a map.
 */
export function mapInQuery(query: URLSearchParams): HookMap | undefined {
  const map: HookMap = {};
  for (const [name, value] of query) {
    if (!name.startsWith(":") || value === "") continue;
    const [from, to] = [name.slice(1), NAMES.get(value.toLowerCase())];
    const said = NAMES.get(from.toLowerCase());
    if (to !== undefined && from !== "") map[to] ??= placeholder(from);
    else if (said !== undefined) map[said] ??= value.replaceAll(/[{}]/g, "$&$&");
  }
  return Object.keys(map).length > 0 && readMap(map).kind === "map" ? map : undefined;
}

/**
 * The fields that a map makes of a body: those whose template has no placeholder, or one with a value. `body`: parsed JSON, or
 * the fields of a form. No longer than the map and `MAX_VALUE_CHARACTERS` for each placeholder.
 */
export function mapped(map: HookMap, body: unknown): Mapped {
  const made: Mapped = {};
  const put = (name: keyof Mapped, value: string | undefined) => {
    if (value !== undefined && value !== "") made[name] = value;
  };
  put("title", filled(map.title, body));
  put("message", filled(map.text, body));
  put("level", meant(map.level, body, levelOf));
  put("priority", meant(map.priority, body, priorityOf));
  put("url", filled(map.link, body));
  put("dedup_key", filled(map.key, body));
  put("status", statusIn(map, body, made.dedup_key));
  put("tags", filled(map.tags, body));
  return made;
}

function filled(template: string | undefined, body: unknown): string | undefined {
  const pieces = template === undefined ? undefined : piecesOf(template);
  if (pieces === undefined) return undefined;
  const values = pieces.map((piece) => (typeof piece === "string" ? piece : (valueAt(body, piece) ?? "")));
  const hasPath = pieces.some((piece) => typeof piece !== "string");
  const isSaid = pieces.some((piece, at) => typeof piece !== "string" && values[at] !== "");
  return isSaid || !hasPath ? values.join("") : undefined;
}

type WordFrom = { from: string; is?: Record<string, string> } | string | undefined;

function meant(from: WordFrom, body: unknown, wordOf: (word: string) => string | undefined): string | undefined {
  const said = typeof from === "object" ? valueAt(body, pathOf(from.from)) : filled(from, body);
  if (said === undefined) return undefined;
  const named =
    typeof from === "object" ? Object.entries(from.is ?? {}).find(([word]) => isSame(word, said)) : undefined;
  return named?.[1] ?? wordOf(said);
}

function statusIn({ resolved }: HookMap, body: unknown, key: string | undefined): Status | undefined {
  if (resolved === undefined) return undefined;
  const said = valueAt(body, pathOf(resolved.from));
  if (said !== undefined && resolved.in.some((word) => isSame(String(word), said))) return "resolved";
  return key === undefined ? undefined : "firing";
}

const isSame = (a: string, b: string): boolean => a.trim().toLowerCase() === b.trim().toLowerCase();

/** The scalar at a path, cut; undefined if it is empty, not a scalar, or missing. */
function valueAt(body: unknown, path: Path): string | undefined {
  let value = body;
  for (const name of path) {
    if (typeof value !== "object" || value === null || !isSent(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  const said = scalar(value);
  // only the beginning of a megabyte is looked at before it is cut
  return said === undefined ? undefined : cut(said.slice(0, 4 * MAX_VALUE_CHARACTERS), MAX_VALUE_CHARACTERS);
}

/** Whether the sender wrote it: inherited properties and the length of a list are not sent. */
const isSent = (value: object, name: string): boolean => Object.prototype.propertyIsEnumerable.call(value, name);
