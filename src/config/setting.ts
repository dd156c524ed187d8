/** One setting: its description, and how its text is read. */
import { Type, type TString, type TTransform } from "@sinclair/typebox";

export interface About {
  /** The text of the value if nothing sets it; absent: the setting is not set. */
  default?: string;
  /** What the setting decides, for people. */
  description: string;
  /** The accepted form, in words that complete "Accepted: …". */
  form: string;
  /** Whether a value is masked wherever settings are shown. */
  isSecret?: (text: string) => boolean;
}

export type Setting<T = unknown> = TTransform<TString, T>;

/** `parse` reads the text, and returns undefined for a value that is refused. A setting without a default may be undefined. */
export function setting<T>(about: About & { default: string }, parse: (text: string) => T | undefined): Setting<T>;
export function setting<T>(about: About, parse: (text: string) => T | undefined): Setting<T | undefined>;
export function setting<T>(about: About, parse: (text: string) => T | undefined): Setting<T> {
  return Type.Transform(Type.String({ ...about }))
    .Decode((text): T => {
      const value = parse(text);
      if (value === undefined) throw new TypeError(`Accepted: ${about.form}`);
      return value;
    })
    .Encode(String);
}
