/** One setting: what is said of it, and how its text is read. */
import { Type, type TString, type TTransform } from "@sinclair/typebox";

export interface About {
  /** Text of the value when nothing sets it; absent: the setting is not set. */
  default?: string;
  /** What it decides, for people. */
  description: string;
  /** The accepted form, in words that complete "Accepted: …". */
  form: string;
  /** Values that are masked wherever settings are shown. */
  isSecret?: (text: string) => boolean;
}

export type Setting<T = unknown> = TTransform<TString, T>;

/** Read by `parse`, which gives undefined for what is refused. One without a default is undefined until somebody sets it. */
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
