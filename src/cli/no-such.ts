/** The error for a name that nothing has. */
import { nearest } from "../util/text/nearest.ts";
import { CommandFailed } from "./command.ts";

/** Names the nearest of the `known` ones, else the command that lists them. */
export function noSuch(what: string, named: string, known: readonly string[], list: string): CommandFailed {
  const near = nearest(named, known);
  const next = near === undefined ? `\`${list}\` shows them all` : `did you mean ${near}?`;
  return new CommandFailed(`there is no ${what} ${named}; ${next}`);
}
