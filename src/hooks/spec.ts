/** Turns a body into the settings of a hook (API.md §9). */
import { problem, type FieldError } from "../http/problem.ts";
import { toDraft } from "../messages/reading/draft.ts";
import { fieldNamed } from "../messages/reading/fields.ts";
import { meaning } from "../messages/reading/meaning.ts";
import { isVisible } from "../util/text/visible.ts";
import type { HookSettings } from "./hook.ts";
import { readMap } from "./map.ts";
import type { HookPatchBody } from "./schema.ts";

/** The settings in a body; those that it leaves out stay. @throws Problem 422, with an entry for each wrong field */
export function settingsOf(body: HookPatchBody, before: HookSettings = {}): HookSettings {
  const errors: FieldError[] = [];
  const { name, as, get, keep_requests: keep } = body;
  const settings: HookSettings = { ...before };
  const put = <Field extends keyof HookSettings>(field: Field, value: HookSettings[Field] | null | undefined) => {
    if (value === undefined) return;
    if (value === null) Reflect.deleteProperty(settings, field);
    else settings[field] = value;
  };
  if (typeof name === "string" && (name.trim() === "" || !isVisible(name)))
    errors.push({ path: "/name", message: "must be one line of visible characters" });
  put("name", name?.trim());
  put("as", as);
  put("map", body.map === undefined || body.map === null ? body.map : mapOf(body.map, errors));
  put(
    "defaults",
    body.defaults === undefined || body.defaults === null ? body.defaults : defaultsOf(body.defaults, errors),
  );
  put("get", get === false ? null : get);
  put("isForgetful", keep === undefined ? undefined : keep ? null : true);
  if (errors.length > 0) throw problem.validationFailed(errors);
  return settings;
}

function mapOf(value: unknown, errors: FieldError[]): HookSettings["map"] {
  const read = readMap(value);
  if (read.kind === "map") return read.map;
  errors.push(...read.errors.map(({ path, message }) => ({ path: path === "/" ? "/map" : `/map${path}`, message })));
  return undefined;
}

/** Fields of a publish, read as in a publish; but unusable values are refused, because nobody would see what was left out. */
function defaultsOf(value: unknown, errors: FieldError[]): HookSettings["defaults"] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    errors.push({ path: "/defaults", message: "must be an object" });
    return undefined;
  }
  const { fields, ignored } = meaning({ ...value }, (name) => `/${name}`);
  const told = new Set(ignored.map(({ path }) => path));
  const nobodys = Object.keys(value)
    .map((name) => `/${name}`)
    .filter((path) => fieldNamed(path.slice(1)) === undefined && !told.has(path));
  const drafted = toDraft({ message: "-", ...fields }, "hook", 0);
  const wrong = [
    ...ignored,
    ...nobodys.map((path) => ({ path, message: "is not a field" })),
    ...(drafted.kind === "refused" ? drafted.errors : []),
  ];
  errors.push(...wrong.map(({ path, message }) => ({ path: `/defaults${path}`, message })));
  return fields;
}
