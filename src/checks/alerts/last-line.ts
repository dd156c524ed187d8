/** How a job's output ends, as a reason quotes it. Pure. */
import { cut } from "../../util/text/text.ts";
import { tailOf } from "./text.ts";

/** Of the end of a body: more than what `tailOf` leaves of it, so that no secret is cut in two where it begins. */
export const END_BYTES = 4_096;
const MOST_CHARACTERS = 120;

/** The last line that says something, without tokens; undefined: none does. */
export function lastLine(end: Uint8Array): string | undefined {
  const lines = tailOf(new TextDecoder().decode(end))?.split("\n") ?? [];
  const last = lines.map((line) => line.trim()).findLast((line) => line !== "");
  return last === undefined ? undefined : cut(last, MOST_CHARACTERS);
}
