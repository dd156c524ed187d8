/** Badges by tag: the worst state of the checks that have it, for anybody who has the badge's own URL (CHECKINS.md §10). */
import { Type } from "@sinclair/typebox";
import { MAX_TAG_CHARACTERS } from "../../drafts/limits.ts";
import { problem } from "../../http/problem.ts";
import { phrase, word } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import { endpointsOf } from "../../keys/endpoint.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import { oneLine } from "../../util/text/text.ts";
import type { Tokens } from "../../tokens/tokens.ts";
import type { CheckDeps } from "../access.ts";
import { badgeJson, badgeSvg } from "../badge.ts";
import { BADGE_CACHE, BADGE_SVG } from "../badges.ts";
import { isLate } from "../check.ts";
import { everyCheck } from "../every.ts";

/** Stands for all checks. */
const ALL = "*";

/** The URLs of the badges of a namespace, by tag. `tags`: of its checks. */
export const badgeUrls = (
  tokens: Tokens,
  { base, namespace, namespaceId }: { base: string; namespace: string; namespaceId: NamespaceId },
  tags: Iterable<string>,
): Record<string, Record<string, string>> =>
  Object.fromEntries(
    [ALL, ...new Set(tags)].map((tag) => {
      const path = `${base}/v1/${namespace}/badges/tags/${tokens.ofTag(namespaceId, tag)}`;
      const query = `tag=${encodeURIComponent(tag)}`;
      const of = (form: string) => [
        [form, `${path}.${form}?${query}&states=2`],
        [`${form}3`, `${path}.${form}?${query}`],
      ];
      return [tag, Object.fromEntries(["svg", "json", "shields"].flatMap(of)) as Record<string, string>];
    }),
  );

export const tagBadge = endpointsOf<CheckDeps>("checks")("GET /v1/:ns/badges/tags/:file", {
  summary: "The worst state of the checks that have a tag, as an image (`.svg`) or for programs (`.json`, `.shields`)",
  scope: "badge token",
  limit: ["read"],
  query: {
    tag: phrase(MAX_TAG_CHARACTERS, "`*`: all checks."),
    states: word(["2", "3"], "`2`: a late check counts as up."),
  },
  answers: { 200: { description: "The badge.", type: "*/*", schema: Type.String() } },
  problems: [404],
  handle: async ({ deps, params: { ns, file }, query: { tag = ALL, states } }) => {
    const [, token, form] = /^([0-9a-z]{26})\.(svg|json|shields)$/.exec(file) ?? [];
    const namespace = token === undefined ? undefined : await deps.store.namespaces.byName(ns);
    if (namespace === undefined || (await deps.tokens()).ofTag(namespace.id, tag) !== token)
      throw problem.notFound("Unknown badge.");
    const counts = await counted(deps, namespace.id, tag);
    const status = counts.down > 0 ? "down" : counts.grace > 0 && states !== "2" ? "late" : "up";
    const label = tag === ALL ? namespace.name : oneLine(tag);
    if (form === "svg") return new Response(badgeSvg(status, label), { headers: BADGE_SVG });
    const { schemaVersion, message, color } = badgeJson(status, label);
    return json(form === "json" ? { status, ...counts } : { schemaVersion, label, message, color }, 200, BADGE_CACHE);
  },
});

async function counted(
  deps: CheckDeps,
  namespaceId: NamespaceId,
  tag: string,
): Promise<{ total: number; grace: number; down: number }> {
  const now = deps.clock.now();
  const counts = { total: 0, grace: 0, down: 0 };
  for await (const { standing } of everyCheck(deps, namespaceId)) {
    if (tag !== ALL && !standing.settings.tags.includes(tag)) continue;
    counts.total++;
    if (standing.state === "down") counts.down++;
    else if (isLate(standing, now)) counts.grace++;
  }
  return counts;
}
