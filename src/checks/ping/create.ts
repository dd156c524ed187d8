/** Makes a check by its first ping, with `?create=1` and the schedule in the URL (CHECKINS.md §2). */
import type { Deps } from "../../deps.ts";
import { problem } from "../../http/problem.ts";
import { text } from "../../http/query.ts";
import { makeCheck } from "../make.ts";
import { type CheckBody, MAX_CRON_CHARACTERS, MAX_NAME_CHARACTERS, MAX_ZONE_CHARACTERS } from "../schema.ts";
import { DEFAULT_TOPIC, settingsOf, topicOf } from "../settings.ts";
import type { Tokens } from "../../tokens/tokens.ts";

/** The default of Healthchecks, whose clients cannot say more than `create=1`. */
const DEFAULT_EVERY = "1d";
/** The words of the query for fields that have another name. */
const WORDS = new Map([["timezone", "tz"]]);

/**
 * Makes the check of a slug. Undefined if nobody has the ping key. @throws Problem 400 `invalid_<parameter>`, 404
 * `unknown_topic`, 409
 */
export async function createByPing(
  deps: Pick<Deps, "clock" | "store">,
  tokens: () => Promise<Tokens>,
  { pingKey, slug }: { pingKey: string; slug: string },
  query: URLSearchParams,
): Promise<"made" | "exists" | undefined> {
  const namespaceId = await deps.store.checks.byPingKey(pingKey);
  if (namespaceId === undefined) return undefined;
  const settings = settingsOf(bodyOf(slug, query));
  if (Array.isArray(settings)) {
    const [{ path, message } = { path: "", message: "" }] = settings;
    const field = path.slice(1);
    const name = WORDS.get(field) ?? field;
    throw problem.invalidParameter(name, `\`${name}\`: ${message}.`);
  }
  const topic = topicOf(text(query, "topic", 64) ?? DEFAULT_TOPIC);
  if (topic === undefined) throw problem.invalidParameter("topic", "`topic` must be the name or the key of a topic.");
  const made = await makeCheck(deps, await tokens(), { namespaceId, settings, topic });
  return made === "slug_taken" ? "exists" : "made";
}

/** The body that the API would take. */
function bodyOf(slug: string, query: URLSearchParams): CheckBody {
  const body: CheckBody = { slug, name: text(query, "name", MAX_NAME_CHARACTERS) ?? slug };
  const cron = text(query, "cron", MAX_CRON_CHARACTERS);
  const timezone = text(query, "tz", MAX_ZONE_CHARACTERS);
  const every = text(query, "every", 20) ?? (cron === undefined ? DEFAULT_EVERY : undefined);
  const grace = text(query, "grace", 20);
  if (every !== undefined) body.every = durationIn(every);
  if (cron !== undefined) body.cron = cron;
  if (timezone !== undefined) body.timezone = timezone;
  if (grace !== undefined) body.grace = durationIn(grace);
  return body;
}

/** Digits alone are a number of seconds. */
const durationIn = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
