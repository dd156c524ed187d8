/** @jsxImportSource #jsx */
/** Words that come in several languages, in that of the reader. */
import { areEnglish, said, type Words } from "../../rewrites/tool-setup.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import type { View } from "../view.ts";

/** A tool's own words are English in every language. */
export const Said = ({ view: { language }, words }: { view: View; words: Words }): Safe => (
  <span lang={areEnglish(words, language) ? "en" : undefined}>{said(words, language)}</span>
);
