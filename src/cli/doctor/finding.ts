/** A line of `peal doctor`. */

export interface Finding {
  /** What was looked at. */
  about: string;
  result: "pass" | "warn" | "fail";
  text: string;
  /** What to do, in one sentence; only where something is to be done. */
  fix?: string;
}

export const pass = (about: string, text: string): Finding => ({ about, result: "pass", text });
export const warn = (about: string, text: string, fix: string): Finding => ({ about, result: "warn", text, fix });
export const fail = (about: string, text: string, fix: string): Finding => ({ about, result: "fail", text, fix });
