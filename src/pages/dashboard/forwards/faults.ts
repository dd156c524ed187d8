/** What is wrong in the form of a forward, in the words of the page. */
import type { Kind } from "../../../delivery/forwards/kind.ts";
import { Problem } from "../../../http/problem.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Texts } from "../../texts/texts.ts";
import { controlOf, fieldOf } from "./form-body.ts";

const SETTING = /^\/settings\/([^/]+)$/;
const NAMES_HOSTS = /PEAL_FORWARD_HOSTS/;
/** As util/schema.ts says that a text is not what it should be, which speaks of its pattern. */
const IS_SHAPE = /^must be a string/;

/** What the API would refuse, at its field. @throws any other error, and one that no field is to blame for */
export function faultsOf({ forwards: { wrong } }: Texts, error: unknown, kind: Kind, given: URLSearchParams): Faults {
  if (!(error instanceof Problem)) throw error;
  if (error.code.startsWith("too_many_")) return new Map([["topic", wrong.full]]);
  const faults = (error.errors ?? []).flatMap(({ path, message }): [string, string][] => {
    if (path === "/name") return [["name", wrong.name]];
    const setting = SETTING.exec(path)?.[1] ?? "";
    const field = kind.form[setting];
    if (field === undefined) return [];
    const name = fieldOf(setting);
    if ((given.get(name) ?? "").trim() === "") return [[name, wrong.needed]];
    if (controlOf(kind.settings.properties[setting] ?? {}) === "number") return [[name, wrong.number]];
    if (NAMES_HOSTS.test(message)) return [[name, wrong.host]];
    return [[name, IS_SHAPE.test(message) ? wrong.shape(field.example) : message]];
  });
  if (faults.length === 0) throw error;
  return new Map(faults);
}
