/** Badges over HTTP: for anybody who has the badge's own token, which tells nothing else (CHECKINS.md §3). */
import { Type } from "@sinclair/typebox";
import { problem } from "../http/problem.ts";
import { phrase } from "../http/query.ts";
import { json } from "../http/respond.ts";
import { endpointsOf } from "../keys/endpoint.ts";
import { oneLine } from "../util/text/text.ts";
import type { CheckDeps } from "./access.ts";
import { badgeJson, badgeSvg, DEFAULT_LABEL, MAX_LABEL_CHARACTERS } from "./badge.ts";
import { badgeState } from "./json.ts";

/** Pages that show a badge ask often, and are not to show it long after the truth. */
export const BADGE_CACHE = { "cache-control": "public, max-age=30" };
/** An image that is opened on its own is a page of this origin. */
export const BADGE_SVG = {
  ...BADGE_CACHE,
  "content-type": "image/svg+xml",
  "content-security-policy": "default-src 'none'; sandbox",
  "x-content-type-options": "nosniff",
};

export const badge = endpointsOf<CheckDeps>("checks")("GET /v1/:ns/badges/:file", {
  summary: "The state of a check, as an image (`.svg`) or for programs (`.json`)",
  scope: "badge token",
  limit: ["read"],
  query: { label: phrase(MAX_LABEL_CHARACTERS, `Default \`${DEFAULT_LABEL}\`.`) },
  answers: { 200: { description: "The badge.", type: "*/*", schema: Type.String() } },
  problems: [404],
  handle: async ({ deps, params, query }) => {
    const label = oneLine(query.label ?? DEFAULT_LABEL);
    const [, token, type] = /^([0-9a-z]{26})\.(svg|json)$/.exec(params.file) ?? [];
    const check = token === undefined ? undefined : await deps.store.checks.byBadge(token);
    if (check?.namespace !== params.ns) throw problem.notFound("Unknown badge.");
    const state = badgeState(check.standing, deps.clock.now());
    return type === "svg"
      ? new Response(badgeSvg(state, label), { headers: BADGE_SVG })
      : json(badgeJson(state, label), 200, BADGE_CACHE);
  },
});
