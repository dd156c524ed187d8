/** Texts with a place in them. */
import type { Child } from "../jsx/jsx-runtime.ts";

/** The text with these in the place of each `{}`, in order. */
export const fill = (text: string, ...parts: readonly Child[]): Child =>
  text.split("{}").map((words, i) => (i === 0 ? words : [parts[i - 1], words]));
