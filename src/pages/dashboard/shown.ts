/** Two people, or two tabs, at one form: who is about to undo what somebody else has saved meanwhile is told so first. */

/** The hidden field that tells what the page showed. */
export const SHOWN = "shown";

/** Of the fields as they are saved now. */
export const markOf = (fields: Readonly<Record<string, string>> | URLSearchParams): string =>
  Bun.hash(new URLSearchParams(fields).toString()).toString(36);

/** The form begins with other values by now (`now`: their mark). One without a mark was not made by a page. */
export function isStale(form: URLSearchParams, now: string): boolean {
  const shown = form.get(SHOWN);
  return shown !== null && shown !== now;
}
