/** Makes or changes a check by a body (CHECKINS.md §3). */
import type { Deps } from "../deps.ts";
import { problem, type FieldError } from "../http/problem.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { parseTime } from "../util/time.ts";
import type { NewCheck, Which } from "../store/checks.ts";
import type { Millis } from "../util/clock.ts";
import type { Check, CheckSettings, OwnerEvent } from "./check.ts";
import { makeCheck, noRoom } from "./make.ts";
import { rulesFor } from "./rules.ts";
import type { CheckBody } from "./schema.ts";
import { DEFAULT_TOPIC, settingsOf, topicOf, YEAR } from "./settings.ts";
import type { Tokens } from "../tokens/tokens.ts";

type UpsertDeps = Pick<Deps, "clock" | "store">;

/** Makes the check, or changes the one that has the slug. @throws Problem 404 `unknown_topic`, 409, 422 */
export async function upsertCheck(
  deps: UpsertDeps,
  tokens: Tokens,
  namespaceId: NamespaceId,
  body: CheckBody,
): Promise<{ check: Check; isNew: boolean }> {
  const slug = body.slug ?? "";
  if (slug === "" || (await deps.store.checks.find({ namespaceId, slug })) === undefined) {
    const check = await createCheck(deps, tokens, namespaceId, body);
    if (check !== "slug_taken") return { check, isNew: true };
  }
  return { check: await changeCheck(deps, { namespaceId, slug }, body), isNew: false };
}

/**
 * Changes a check. `by`: the name of the person who does it in a page. @throws Problem 404 `unknown_check` or
 * `unknown_topic`, 409 `check_exists` or `too_many_topics`, 422
 */
export async function changeCheck(
  { clock, store }: UpsertDeps,
  which: Which,
  body: CheckBody,
  by?: string,
): Promise<Check> {
  const now = clock.now();
  // read inside the transaction: the body may contradict the settings that are there
  const rules = rulesFor(({ standing }) => {
    const { settings, states } = asked(body, now, standing.settings);
    const events: OwnerEvent[] = [{ kind: "edit", settings }, ...states];
    return by === undefined ? events : events.map((event) => ({ ...event, by }));
  }, now);
  const changed = await store.checks.edit(which, rules, body.topic === undefined ? undefined : topicOf(body.topic));
  if (changed === undefined) throw problem.unknownCheck();
  if (changed === "slug_taken") throw problem.checkExists(body.slug ?? "");
  if (typeof changed === "string") throw noRoom(changed);
  return changed.check;
}

/** Makes a check. @throws Problem 404 `unknown_topic`, 409, 422 */
export async function createCheck(
  { clock, store }: UpsertDeps,
  tokens: Tokens,
  namespaceId: NamespaceId,
  body: CheckBody,
): Promise<Check | "slug_taken"> {
  const { settings, states, topic = { name: DEFAULT_TOPIC } } = asked(body, clock.now());
  const made = await makeCheck({ clock, store }, tokens, { namespaceId, settings, topic });
  if (made === "slug_taken" || states.length === 0) return made;
  const rules = rulesFor(() => states, clock.now());
  return (await store.checks.apply({ namespaceId, id: made.id }, rules))?.check ?? made;
}

interface Wanted {
  settings: CheckSettings;
  topic?: NewCheck["topic"];
  /** Events for fields of the body that are not settings. */
  states: OwnerEvent[];
}

/** Reads all that a body asks for. @throws Problem 422, with an entry for each field that is wrong */
function asked(body: CheckBody, now: Millis, before?: CheckSettings): Wanted {
  const errors: FieldError[] = [];
  const settings = settingsOf(body, before);
  if (Array.isArray(settings)) errors.push(...settings);
  const topic = body.topic === undefined ? undefined : topicOf(body.topic);
  if (body.topic !== undefined && topic === undefined)
    errors.push({ path: "/topic", message: "must be the name or the key of a topic" });

  const states: OwnerEvent[] = [];
  if (body.paused !== undefined) states.push({ kind: body.paused ? "pause" : "resume" });
  if (body.muted_until !== undefined) {
    const until = body.muted_until === null ? now : parseTime(body.muted_until);
    if (until === undefined || until > now + YEAR * 1000)
      errors.push({ path: "/muted_until", message: "must be an RFC 3339 time, at most 365 days ahead" });
    else states.push({ kind: "snooze", until });
  }
  if (errors.length > 0 || Array.isArray(settings)) throw problem.validationFailed(errors);
  return { settings, states, ...(topic !== undefined && { topic }) };
}
