/** What is wrong in the form of a forward, in the words of the page. */
import type { Kind } from "../../../delivery/forwards/kind.ts";
import { Problem } from "../../../http/problem.ts";
import type { Faults } from "../../elements/field.tsx";
import type { Texts } from "../../texts/texts.ts";
import { fieldOf, typedIn } from "./form-body.ts";

const SETTING = /^\/settings\/([^/]+)$/;
/** A text that is not what it should be: the words of util/schema.ts, which quote its pattern, and of transport/destination.ts. */
const IS_SHAPE = /^must be (?:a string|ASCII|an absolute)/;
/** A text that is too short or too long, in the words of util/schema.ts. */
const IS_LENGTH = /^must be a string of (?:at most|(\d+) to) (\d+) characters$/;
/** A whole number that is none, or too small or too large, in the words of http/body.ts. */
const IS_NUMBER = /^must be an integer (?:from|of at least) (\d+)(?: to (\d+))?$/;
/** The host as the setting takes it (transport/destination.ts). */
const ALLOWS = /can allow (\S+) with PEAL_FORWARD_HOSTS/;

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
    const usual = wrong.said.get(message) ?? (typedIn(given, setting) === "" ? wrong.needed : undefined);
    return [[fieldOf(setting), usual ?? wordsOf(wrong, message, field.example)]];
  });
  if (faults.length === 0) throw error;
  return new Map(faults);
}

/** In the API's own words, which are English, if it is none of the usual faults. */
function wordsOf(wrong: Texts["forwards"]["wrong"], message: string, example: string | undefined): string {
  const length = IS_LENGTH.exec(message);
  if (length !== null) return wrong.length(Number(length[1] ?? 1), Number(length[2]));
  const number = IS_NUMBER.exec(message);
  if (number !== null) return wrong.number(Number(number[1]), Number(number[2] ?? Infinity));
  return IS_SHAPE.test(message) ? wrong.shape(example) : message;
}

/** The setting that an error is about; the first if it is about none of them alone. */
function settingIn({ errors = [] }: Problem, { form }: Kind): string {
  const [named, first] = [SETTING.exec(errors[0]?.path ?? "")?.[1], Object.keys(form)[0] ?? ""];
  return named !== undefined && Object.hasOwn(form, named) ? named : first;
}
