/** The settings of a kind of forward in a form. Pure: what a schema means is decided by the API's own check. */
import type { Kind } from "../../../delivery/forwards/kind.ts";

/** What a setting is in a form: a text, a whole number, or one of these words. */
type Control = "text" | "number" | readonly string[];

export function controlOf({ settings }: Kind, setting: string): Control {
  const { enum: words, type } = (settings.properties[setting] ?? {}) as { enum?: readonly string[]; type?: string };
  return words ?? (type === "integer" ? "number" : "text");
}

/** The most characters that a text may have. */
export const longestOf = ({ settings }: Kind, setting: string): number | undefined =>
  (settings.properties[setting] as { maxLength?: number } | undefined)?.maxLength;

/** The name of a setting's field; a form has other fields too. */
export const fieldOf = (setting: string): string => `to-${setting}`;
/** The box that takes a secret away. */
export const removalOf = (setting: string): string => `${fieldOf(setting)}-remove`;

/** What was entered for a setting; empty if nothing was. */
export const typedIn = (form: URLSearchParams, setting: string): string => form.get(fieldOf(setting))?.trim() ?? "";

export const isNeeded = ({ settings }: Kind, setting: string): boolean => settings.required?.includes(setting) === true;
export const isSecret = ({ secrets }: Kind, setting: string): boolean => secrets.includes(setting);

/**
 * What was filled in, for the API. An empty field is left out; in a change it takes its setting away (`null`), but for a secret,
 * whose field is always empty at first: that stays unless its box says otherwise.
 */
export function settingsIn(form: URLSearchParams, kind: Kind, isChange: boolean): Record<string, unknown> {
  const found = Object.keys(kind.form).map((setting): [string, unknown] => {
    const typed = typedIn(form, setting);
    const isNumber = controlOf(kind, setting) === "number" && /^-?\d{1,15}$/.test(typed);
    if (typed !== "") return [setting, isNumber ? Number(typed) : typed];
    const stays = !isChange || (isSecret(kind, setting) && !form.has(removalOf(setting)));
    return [setting, stays ? undefined : null];
  });
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

/** The form as a forward is set; of secrets nothing. */
export function formOf(settings: Readonly<Record<string, unknown>>): URLSearchParams {
  const form = new URLSearchParams();
  for (const [setting, value] of Object.entries(settings))
    if (typeof value === "string" || typeof value === "number") form.set(fieldOf(setting), String(value));
  return form;
}
