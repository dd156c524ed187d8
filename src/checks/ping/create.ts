/** Makes a check by its first ping, with `?create=1` and the schedule in the URL (CHECKINS.md §2). */
import type { Deps } from "../../deps.ts";
import { problem } from "../../http/problem.ts";
import { phrase, readQuery } from "../../http/query.ts";
import { defined } from "../../util/defined.ts";
import { makeCheck } from "../make.ts";
import { type CheckBody, MAX_CRON_CHARACTERS, MAX_NAME_CHARACTERS, MAX_ZONE_CHARACTERS } from "../schema.ts";
import { DEFAULT_TOPIC, settingsOf, topicOf } from "../settings.ts";
import type { Tokens } from "../../tokens/tokens.ts";

/** The default of Healthchecks, whose clients cannot say more than `create=1`. */
const DEFAULT_EVERY = "1d";
const MAX_DURATION_CHARACTERS = 20;
/** The parameters for a check that a ping creates. */
export const CREATION = {
  name: phrase(MAX_NAME_CHARACTERS, "Of a check it creates. Default: the slug."),
  cron: phrase(MAX_CRON_CHARACTERS, "Instead of `every`: five fields, with `+` or `%20` between them."),
  tz: phrase(MAX_ZONE_CHARACTERS, "Of `cron`, for example `Europe/Berlin`. Default: the server's."),
  every: phrase(MAX_DURATION_CHARACTERS, "Of a check it creates, for example `1d`; default 1 day."),
  grace: phrase(MAX_DURATION_CHARACTERS, "Of a check it creates, for example `1h`."),
};
export const ALERTED = { topic: phrase(64, "Where its alerts go. Default `checks`.") };

/** What another word of the query stands for. */
const WORDS = new Map([["timezone", "tz"]]);

/**
 * Makes the check of a slug. Undefined if nobody has the ping key. @throws Problem 400 `invalid_<parameter>`, 404
 * `unknown_topic`, 409
 */
export async function createByPing(
  deps: Pick<Deps, "clock" | "store">,
  tokens: () => Promise<Tokens>,
  { pingKey, slug }: { pingKey: string; slug: string },
  request: Request,
): Promise<"made" | "exists" | undefined> {
  const namespaceId = await deps.store.checks.byPingKey(pingKey);
  if (namespaceId === undefined) return undefined;
  const settings = settingsOf(bodyOf(slug, request));
  if (Array.isArray(settings)) {
    const [{ path, message } = { path: "", message: "" }] = settings;
    const field = path.slice(1);
    const name = WORDS.get(field) ?? field;
    throw problem.invalidParameter(name, `\`${name}\`: ${message}.`);
  }
  const topic = topicOf(readQuery(request, ALERTED).topic ?? DEFAULT_TOPIC);
  if (topic === undefined) throw problem.invalidParameter("topic", "`topic` must be the name or the key of a topic.");
  const made = await makeCheck(deps, await tokens(), { namespaceId, settings, topic });
  return made === "slug_taken" ? "exists" : "made";
}

/** The body with which the API would create the check. */
function bodyOf(slug: string, request: Request): CheckBody {
  const {
    name = slug,
    cron,
    tz,
    every = cron === undefined ? DEFAULT_EVERY : undefined,
    grace,
  } = readQuery(request, CREATION);
  return defined<CheckBody>({
    ...{ slug, name, cron, timezone: tz },
    every: every === undefined ? undefined : durationIn(every),
    grace: grace === undefined ? undefined : durationIn(grace),
  });
}

/** Digits alone are a number of seconds. */
const durationIn = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
