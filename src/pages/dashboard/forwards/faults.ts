/** What is wrong in the form of a forward, in the words of the page. */
import type { Kind } from "../../../delivery/forwards/kind.ts";
import { Problem } from "../../../http/problem.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Texts } from "../../texts/texts.ts";
import { controlOf, fieldOf } from "./form-body.ts";

const SETTING = /^\/settings\/([^/]+)$/;
/** A text that is not what it should be: the words of util/schema.ts, which quote its pattern, and of transport/destination.ts. */
const IS_SHAPE = /^must be (?:a string|ASCII|an absolute)/;
/** The host as the setting takes it (transport/destination.ts). */
const ALLOWS = /can allow (\S+) with PEAL_FORWARD_HOSTS/;
/** As forwards/settings.ts says that messages would come back. */
const IS_OURS = /^is this server/;

/** What the API would refuse, at its field. @throws any other error, and one that no field is to blame for */
export function faultsOf({ forwards: { wrong } }: Texts, error: unknown, kind: Kind, given: URLSearchParams): Faults {
  if (!(error instanceof Problem)) throw error;
  if (error.code.startsWith("too_many_")) return new Map([["topic", wrong.full]]);
  if (error.code === "host_not_allowed") {
    const host = ALLOWS.exec(error.detail)?.[1] ?? "";
    return new Map([[fieldOf(settingIn(error, kind)), wrong.host(host)]]);
  }
  const faults = (error.errors ?? []).flatMap(({ path, message }): [string, string][] => {
    if (path === "/name") return [["name", wrong.name]];
    const setting = SETTING.exec(path)?.[1] ?? "";
    const field = kind.form[setting];
    if (field === undefined) return [];
    const name = fieldOf(setting);
    if ((given.get(name) ?? "").trim() === "") return [[name, wrong.needed]];
    if (controlOf(kind, setting) === "number") return [[name, wrong.number]];
    if (IS_OURS.test(message)) return [[name, wrong.itself]];
    return [[name, IS_SHAPE.test(message) ? wrong.shape(field.example) : message]];
  });
  if (faults.length === 0) throw error;
  return new Map(faults);
}

/** The setting that an error is about; the first if it is about none of them alone. */
function settingIn({ errors = [] }: Problem, { form }: Kind): string {
  const [named, first] = [SETTING.exec(errors[0]?.path ?? "")?.[1], Object.keys(form)[0] ?? ""];
  return named !== undefined && Object.hasOwn(form, named) ? named : first;
}
