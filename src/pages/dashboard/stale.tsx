/** @jsxImportSource #jsx */
/** Two people, or two tabs, at one form: somebody about to undo what another has saved meanwhile is warned first. */
import { fill } from "../elements/fill.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import type { Desk } from "./signed-in.ts";
import { deskLink } from "./frame/filter.ts";

/** The hidden field that tells what the page showed; of a form that was refused as stale, its fault. */
export const MARK = "mark";

/** A mark of the fields as they are saved now. */
export const markOf = (fields: Readonly<Record<string, string>> | URLSearchParams): string =>
  Bun.hash(new URLSearchParams(fields).toString()).toString(36);

/** The form begins with other values by now (`now`: their mark). One without a mark was not made by a page. */
export function isStale(form: URLSearchParams, now: string): boolean {
  const mark = form.get(MARK);
  return mark !== null && mark !== now;
}

/** `to`: path of the form as it is now. */
export const StaleNote = ({ desk, to }: { desk: Desk; to: string }): Safe => {
  const { changedMeanwhile, seeTheirs } = desk.view.texts.desk;
  return (
    <div class="note warning" role="alert">
      <Icon view={desk.view} name="warning" large />
      <div>
        <p>{fill(changedMeanwhile, <a href={deskLink(desk, to)}>{seeTheirs}</a>)}</p>
      </div>
    </div>
  );
};
