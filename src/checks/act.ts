/** Changes to a check, over the API and in pages (CHECKINS.md §3, §4). */
import type { Static } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { parseTime } from "../util/time.ts";
import type { Millis } from "../util/clock.ts";
import { sha256 } from "../util/ids.ts";
import type { Check, OwnerEvent } from "./check.ts";
import { rulesFor } from "./rules.ts";
import type { RotateBody, SnoozeBody } from "./schema.ts";
import { secondsOf, YEAR } from "./settings.ts";
import type { Tokens } from "../tokens/tokens.ts";

type ActDeps = Pick<Deps, "clock" | "store">;
type CheckId = Pick<Check, "namespaceId" | "id">;

export const idOf = ({ namespaceId, id }: CheckId): CheckId => ({ namespaceId, id });

/** Applies an event and returns the check after it. @throws Problem 404 `unknown_check` */
export async function actOn({ clock, store }: ActDeps, check: CheckId, event: OwnerEvent): Promise<Check> {
  const applied = await store.checks.apply(
    idOf(check),
    rulesFor(() => [event], clock.now()),
  );
  if (applied === undefined) throw problem.unknownCheck();
  return applied.check;
}

/** The time at which a snooze ends. @throws Problem 422 */
export function snoozeEnd({ for: length, until }: Static<typeof SnoozeBody>, now: Millis): Millis {
  if ((length === undefined) === (until === undefined))
    throw problem.validationFailed([{ path: "/", message: "must have either `for` or `until`" }]);
  if (length !== undefined) return now + inMs("/for", length, 1);
  const at = parseTime(until ?? "");
  if (at !== undefined && at > now && at <= now + YEAR * 1000) return at;
  const message = "must be an RFC 3339 time in the future, at most 365 days ahead";
  throw problem.validationFailed([{ path: "/until", message }]);
}

/** How long the old URL works by default. */
export const DEFAULT_OVERLAP = "7d";

/** Gives a check a new ping URL, once if two rotate it at once. @throws Problem 404 `unknown_check`, 422 */
export async function rotateCheck(
  { clock, store, tokens }: ActDeps & { tokens: () => Promise<Tokens> },
  check: Check,
  { overlap = DEFAULT_OVERLAP }: Static<typeof RotateBody>,
): Promise<Check> {
  const oldUntil = clock.now() + overlapMs(overlap);
  const token = (await tokens()).ofCheck(check.id, check.tokenGeneration + 1);
  const now = (await store.checks.rotate(check, sha256(token), oldUntil)) ?? (await store.checks.find(idOf(check)));
  if (now === undefined) throw problem.unknownCheck();
  return now;
}

/** How long the old URL keeps working, in ms. @throws Problem 422 */
export const overlapMs = (overlap: unknown): number => inMs("/overlap", overlap, 0);

/** Removes a check with its log and incidents. If it is down, its alarm ends first. @throws Problem 404 `unknown_check` */
export async function removeCheck(deps: ActDeps, check: CheckId): Promise<void> {
  await actOn(deps, check, { kind: "delete" });
  if (!(await deps.store.checks.remove(check.namespaceId, check.id))) throw problem.unknownCheck();
}

function inMs(path: string, duration: unknown, min: number): number {
  const seconds = secondsOf(duration, { min, max: YEAR });
  if (typeof seconds === "number") return seconds * 1000;
  throw problem.validationFailed([{ path, message: seconds }]);
}
