/** Makes and changes checks as Healthchecks' clients ask for it (`_lookup` and `_update` in hc/api/views.py; CHECKINS.md §10). */
import type { Deps } from "../../deps.ts";
import { check as checked } from "../../http/body.ts";
import { problem } from "../../http/problem.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import { everyTopic } from "../../topics/every.ts";
import type { Topic } from "../../topics/topic.ts";
import { oneLine } from "../../util/text/text.ts";
import { idOf } from "../act.ts";
import type { Check } from "../check.ts";
import { everyCheck } from "../every.ts";
import { CheckBody } from "../schema.ts";
import { isSlug } from "../settings.ts";
import { changeCheck, createCheck } from "../upsert.ts";
import type { Asked } from "./access.ts";
import { channelId, type Version } from "./json.ts";
import { type Ignored, readSpec, type Spec } from "./spec.ts";

const DAY_S = 86_400;
const HOUR_S = 3_600;

export interface Changed {
  check: Check;
  isNew: boolean;
  /** What was asked for and not done. */
  ignored: readonly Ignored[];
}

/** Makes the check, or changes the one that has the same of what `unique` names. @throws Problem */
export async function makeOrChange(asked: Asked): Promise<Changed> {
  const { deps, principal, body } = asked;
  const read = readSpec(body);
  const known = await alike(deps, principal.namespaceId, read.spec);
  return known === undefined ? make(asked, read) : change(asked, known, read);
}

/** @throws Problem */
export const changeNamed = async (asked: Asked, known: Check): Promise<Changed> =>
  change(asked, known, readSpec(asked.body));

interface Read {
  spec: Spec;
  ignored: Ignored[];
}

async function make(asked: Asked, read: Read): Promise<Changed> {
  const { deps, principal, version } = asked;
  const { spec } = read;
  const wanted = await bodyOf(asked, read);
  const defaults = {
    ...{ name: nameOf(spec), grace: HOUR_S, resume_by_ping: true },
    ...(spec.schedule === undefined && { every: DAY_S }),
  };
  const tokens = await deps.tokens();
  const create = async (more: CheckBody) =>
    createCheck(deps, tokens, principal.namespaceId, checked(CheckBody, { ...defaults, ...more }));
  const made = await create(wanted.body);
  if (made !== "slug_taken") return { check: made, isNew: true, ignored: wanted.ignored };
  const { slug = "", ...rest } = wanted.body;
  if (!isDerived(spec, version)) throw problem.checkExists(slug ?? "");
  const slugless = await create(rest);
  if (slugless === "slug_taken") throw problem.checkExists(slug ?? "");
  return { check: slugless, isNew: true, ignored: [...wanted.ignored, TAKEN] };
}

async function change(asked: Asked, known: Check, read: Read): Promise<Changed> {
  const { deps, version } = asked;
  const { body, ignored } = await bodyOf(asked, read, known);
  const { slug } = body;
  const other = slug ? await deps.store.checks.find({ namespaceId: known.namespaceId, slug }) : undefined;
  const isTaken = other !== undefined && other.id !== known.id && isDerived(read.spec, version);
  if (isTaken) delete body.slug;
  const check = await changeCheck(deps, idOf(known), checked(CheckBody, body));
  return { check, isNew: false, ignored: isTaken ? [...ignored, TAKEN] : ignored };
}

/** Versions 1 and 2 make the slug of the name. */
const isDerived = ({ name, slug }: Spec, version: Version): boolean =>
  version < 3 && name !== undefined && slug === undefined;

const TAKEN: Ignored = { path: "/slug", message: "another check has the slug, so the one of the name was not taken" };

const titled = (name: string | undefined): string | undefined => oneLine(name ?? "") || undefined;

/** Of a new check: with Healthchecks it may have none. */
const nameOf = ({ name, slug }: Spec): string => titled(name) ?? (slug || "unnamed");

/** The body as peal's own API takes it. `known`: the check that changes. @throws Problem 400 for a channel */
async function bodyOf(
  asked: Asked,
  { spec, ignored }: Read,
  known?: Check,
): Promise<{ body: CheckBody; ignored: Ignored[] }> {
  const { name, slug, tags, desc, timeout, grace, methods, manual_resume: isHeld } = spec;
  const title = titled(name);
  const derived = isDerived(spec, asked.version) ? slugify(name ?? "") : "";
  const topic = await topicOf(asked, spec.channels);
  const times = timesOf(spec, known);
  const body: CheckBody = {
    ...(title !== undefined && { name: title }),
    ...(slug !== undefined && { slug: slug === "" ? null : slug }),
    ...(isSlug(derived) && { slug: derived }),
    ...(tags !== undefined && { tags: tagsOf(tags) }),
    ...(desc !== undefined && { description: desc === "" ? null : desc }),
    ...(timeout !== undefined && spec.schedule === undefined && { every: timeout }),
    ...(grace !== undefined && { grace }),
    ...times.body,
    ...(methods !== undefined && { post_only: methods === "POST" }),
    ...(isHeld !== undefined && { resume_by_ping: !isHeld }),
    ...(topic.key !== undefined && { topic: topic.key }),
  };
  const kept = name !== undefined && title === undefined && known !== undefined ? [NAMELESS] : [];
  const unusable = derived !== "" && !isSlug(derived) ? [UNUSABLE] : [];
  return { body, ignored: [...ignored, ...kept, ...unusable, ...times.ignored, ...topic.ignored] };
}

const NAMELESS: Ignored = { path: "/name", message: "a check has a name, so it keeps its own" };
const UNUSABLE: Ignored = { path: "/slug", message: "the slug of the name is not possible here, so it was not taken" };

const tagsOf = (text: string): string[] => [...new Set(text.split(/\s+/).filter((tag) => tag !== ""))];

/** A zone has no meaning without a schedule, and `* * * * *` in UTC is another than in Berlin. */
function timesOf({ schedule, timeout, tz }: Spec, known?: Check): { body: CheckBody; ignored: Ignored[] } {
  const before = known?.standing.settings.schedule;
  const isCron = before?.kind === "cron";
  if (schedule !== undefined)
    return { body: { cron: schedule, ...(tz !== undefined || !isCron ? { timezone: tz ?? "UTC" } : {}) }, ignored: [] };
  if (tz === undefined) return { body: {}, ignored: [] };
  if (isCron && timeout === undefined) return { body: { timezone: tz }, ignored: [] };
  return { body: {}, ignored: [{ path: "/tz", message: "only a check with a `schedule` has a time zone" }] };
}

/**
 * The key of the topic that `channels` names. Here a check alerts to one topic, always: more than one is refused, or alerts would
 * not come where they are expected.
 */
async function topicOf(
  { deps, principal }: Asked,
  channels: string | undefined,
): Promise<{ key?: string; ignored: Ignored[] }> {
  if (channels === undefined || channels === "*") return { ignored: [] };
  if (channels === "")
    return { ignored: [{ path: "/channels", message: "here every check alerts to a topic, by default `checks`" }] };
  const names = channels.split(",");
  if (names.includes("")) throw problem.badRequest("empty channel identifier");
  const found: Topic[] = [];
  for await (const topic of everyTopic(deps, principal.namespaceId))
    if (names.includes(topic.name) || names.includes(channelId(topic.id))) found.push(topic);
  const unknown = names.find((name) => !found.some((topic) => topic.name === name || channelId(topic.id) === name));
  if (unknown !== undefined) throw problem.badRequest(`invalid channel identifier: ${unknown}`);
  const [topic, ...others] = found;
  if (topic === undefined || others.length > 0)
    throw problem.badRequest("peal sends the alerts of a check to one topic: name one channel");
  return { key: topic.key, ignored: [] };
}

/** The oldest check that has the same of all that `unique` names; nothing is the same as what the body leaves out. */
async function alike(deps: Pick<Deps, "store">, namespaceId: NamespaceId, spec: Spec): Promise<Check | undefined> {
  const { unique = [] } = spec;
  if (unique.length === 0 || unique.some((name) => spec[name] === undefined)) return undefined;
  const isAlike = ({ standing: { settings } }: Check): boolean => {
    const { schedule } = settings;
    const its = {
      ...{ name: settings.name, slug: settings.slug ?? "", tags: settings.tags.join(" ") },
      ...{
        timeout: schedule.kind === "every" ? schedule.everyMs / 1000 : undefined,
        grace: (settings.graceMs ?? -1) / 1000,
      },
    };
    const wanted = { ...spec, name: nameOf(spec), tags: tagsOf(spec.tags ?? "").join(" ") };
    return unique.every((name) => its[name] === wanted[name]);
  };
  let oldest: Check | undefined;
  for await (const check of everyCheck(deps, namespaceId))
    if (isAlike(check) && (oldest === undefined || check.row < oldest.row)) oldest = check;
  return oldest;
}

/** Django's, by which versions 1 and 2 make slugs (https://docs.djangoproject.com/en/5.2/ref/utils/#django.utils.text.slugify). */
const slugify = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/[^\x20-\x7e]/g, "")
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/[-\s]+/g, "-")
    .replaceAll(/^[-_]+|[-_]+$/g, "");
