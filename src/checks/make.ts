/** Makes new checks, for the API and for first pings. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Made, NewCheck } from "../store/checks.ts";
import { TOPICS_PER_NAMESPACE } from "../topics/topic.ts";
import { sha256 } from "../util/ids.ts";
import type { Check, CheckSettings } from "./check.ts";
import { dueAt } from "./decide/missed.ts";
import { initial } from "./decide/decide.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { newToken } from "./token.ts";

interface Wanted {
  namespaceId: NamespaceId;
  settings: CheckSettings;
  topic: NewCheck["topic"];
}

/** Makes a check. @throws Problem 404 `unknown_topic`, 409 `too_many_topics` or `too_many_checks` */
export async function makeCheck(
  { clock, store }: Pick<Deps, "clock" | "store">,
  tokens: Tokens,
  { namespaceId, settings, topic }: Wanted,
): Promise<Check | "slug_taken"> {
  const standing = initial(settings, clock.now());
  const due = dueAt(standing);
  const id = newToken();
  const made = await store.checks.create({
    ...{ namespaceId, topic, id, standing },
    tokenHash: sha256(tokens.ofCheck(id, 0)),
    badgeToken: newToken(),
    ...(due !== undefined && { dueAt: due }),
  });
  if (made.kind === "made") return made.check;
  if (made.kind === "slug_taken") return made.kind;
  throw noRoom(made.kind);
}

/** The problem for a reason not to make a check or its topic. */
export function noRoom(kind: Exclude<Made["kind"], "made" | "slug_taken">) {
  if (kind === "unknown_topic") return problem.unknownTopic();
  return kind === "too_many_topics" ? problem.tooManyTopics(TOPICS_PER_NAMESPACE) : problem.tooManyChecks();
}
