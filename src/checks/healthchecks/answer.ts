/** Answers with checks in Healthchecks' form. */
import { problem } from "../../http/problem.ts";
import { json, JSON_HEADERS, NO_STORE } from "../../http/respond.ts";
import { allows } from "../../keys/key.ts";
import { seen } from "../access.ts";
import type { Check } from "../check.ts";
import { everyCheck } from "../every.ts";
import type { Asked } from "./access.ts";
import { checkDict } from "./json.ts";
import type { Ignored } from "./spec.ts";

/** `ignored`: what was asked for and not done. */
export async function answer(
  asked: Asked,
  check: Check,
  { status = 200, ignored = [] }: { status?: number; ignored?: readonly Ignored[] } = {},
): Promise<Response> {
  const [dict] = await dictsOf(asked, [check]);
  return json({ ...dict, ...(ignored.length > 0 && { ignored }) }, status, NO_STORE);
}

interface Filter {
  /** All of them. */
  tags: readonly string[];
  /** Empty: any. */
  slug: string;
}

/** Healthchecks' clients know no pages: everything is one answer. */
const MOST_LISTED = 10_000;

/** @throws Problem 400 if there are too many */
export const answerList = async (asked: Asked, filter: Filter): Promise<Response> =>
  asked.deps.answers.send(asked.request, async () => {
    const dicts: object[] = [];
    for await (const page of pagesOf(asked, filter)) {
      if (dicts.length + page.length > MOST_LISTED)
        throw problem.badRequest(
          `there are more than ${MOST_LISTED} checks: ask by ?tag= or ?slug=, or in pages at /v1/{ns}/checks`,
        );
      dicts.push(...(await dictsOf(asked, page)));
    }
    return { body: JSON.stringify({ checks: dicts }), headers: { ...JSON_HEADERS, ...NO_STORE } };
  });

const PAGE = 100;

async function* pagesOf({ deps, principal }: Asked, { tags, slug }: Filter): AsyncGenerator<Check[]> {
  const { namespaceId } = principal;
  const fits = ({ standing: { settings } }: Check) => {
    const words = settings.tags.join(" ").split(" ");
    return tags.every((tag) => words.includes(tag)) && (slug === "" || settings.slug === slug);
  };
  if (slug !== "") {
    const check = await deps.store.checks.find({ namespaceId, slug });
    if (check !== undefined && fits(check)) yield [check];
    return;
  }
  let page: Check[] = [];
  for await (const check of everyCheck(deps, namespaceId)) {
    if (!fits(check)) continue;
    page.push(check);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

async function dictsOf(
  { deps, request, version, principal }: Asked,
  checks: readonly Check[],
): Promise<Record<string, unknown>[]> {
  const about = { ...(await seen(deps, request, principal)), version, mayChange: allows(principal, "full") };
  const failed = checks.filter(({ standing }) => standing.failStreak > 0);
  const histories = failed.length === 0 ? undefined : await deps.store.checks.histories(failed, 1);
  return checks.map((check) => checkDict(check, { ...about, failedAt: histories?.get(check.row)?.ends.at(-1)?.at }));
}
