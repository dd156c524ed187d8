/** What people set in a tool so that it publishes: one source for the pages and for docs/sources (REWRITES.md §6). */

/** A tool's own words or the name of a file, the same in every language; or a sentence of ours by language. */
export type Words = string | ({ readonly en: string } & Readonly<Record<string, string>>);

export interface Setup {
  /** The names of tools that are set up alike, if there are more than the title says. */
  title?: string;
  /** Where the settings are made. */
  place: Words;
  /** The manual: docs/sources/{page}.md, which publishes to `topic`. People without a hook are shown tools that have a manual. */
  manual?: { page: string; topic: string };
  /** In the order of the tool's form. `url`: the topic's, absolute. `key`: may publish in its namespace. */
  withKey?: (url: string, key: string) => readonly Setting[];
  /** For a tool that sends no header of ours. `url`: a hook's, which needs none. */
  withHook?: (url: string) => readonly Setting[];
  /** What docs/sources/others.md says below the settings of the hook, by line. */
  notes?: readonly string[];
}

export interface Setting {
  /** The tool's name of the field, or the file that it is in. */
  label: Words;
  value: string;
  /** It is chosen from a list, not pasted. */
  isChoice?: true;
}

/** Words in a language; English if they are not translated. */
export const said = (words: Words, language: string): string =>
  typeof words === "string" ? words : (words[language] ?? words.en);

/** Whether words are English in a language: a tool's own words, and those that nobody has translated. */
export const areEnglish = (words: Words, language: string): boolean =>
  typeof words === "string" || words[language] === undefined;

/** The label that most tools have. */
export const POST: Setting = { label: "HTTP Method", value: "POST", isChoice: true };

/** A switch of the tool. */
export const TURN_ON: Words = { en: "Turn on", de: "Einschalten" };

/** For tools that send no header of ours: the key is the password in the address, and arrives as Basic. */
export const withPassword = (url: string, key: string): string => url.replace("://", () => `://peal:${key}@`);
