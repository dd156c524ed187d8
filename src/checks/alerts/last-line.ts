/** The last line of a job's output, as a reason quotes it. Pure. */
import { cut } from "../../util/text/text.ts";
import { tailOf } from "./text.ts";

/** The bytes to read from the end of a body: more than `tailOf` keeps, so that no secret is cut in two where they begin. */
export const END_BYTES = 4_096;
const MOST_CHARACTERS = 120;

/** The last line that is not empty, without tokens; undefined if there is none. */
export function lastLine(end: Uint8Array): string | undefined {
  const lines = tailOf(new TextDecoder().decode(end))?.split("\n") ?? [];
  const last = lines.map((line) => line.trim()).findLast((line) => line !== "");
  return last === undefined ? undefined : cut(last, MOST_CHARACTERS);
}
