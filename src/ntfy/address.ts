/**
 * What an address of ntfy names, and whose key comes with it (NTFY.md §1). At the root topics go by their keys, which are unique
 * in the whole server; below `/ntfy/{ns}` by names as well, with a key of that namespace.
 */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { authorize, authorizeKey, authorizeOwn, secretIn, type Principal } from "../keys/auth.ts";
import { isApiKey } from "../names/key.ts";
import { isTopicKey, isTopicName } from "../names/topic.ts";
import type { Topic } from "../topics/topic.ts";
import { invalidTopic, KEY_RULE } from "./errors.ts";

export type AddressDeps = Pick<Deps, "store" | "clock" | "log" | "keyUse" | "limits">;

/** The part of a path that says where topics are looked for. A value is null if its escapes are broken. */
export interface Base {
  /** Absent: at the root. */
  ns?: string | null;
}

/** A topic, and what the client calls it. */
export interface AskedTopic {
  topic: Topic;
  asked: string;
}

export interface Readable {
  /** In the order of the path, each once; at least one. */
  topics: AskedTopic[];
  /** Keys of the path that no topic has: replaced, deleted, or mistyped. */
  gone: string[];
  /** Present if only this key made it possible: what is open ends with it. */
  principal?: Principal;
}

/** The most topics in one address. */
const MAX_TOPICS = 100;

/**
 * The topics of `{T1,T2,…}` that the request may read. A topic key is enough by itself, but a key that is not valid is refused
 * all the same: an app that asks whether its password is right must hear that it is not.
 * @throws Problem 400 `invalid_topic`, 401, 403 (an unknown name too, or if there is no topic at all), 429
 */
export async function readableAt(
  deps: AddressDeps,
  request: Request,
  { ns }: Base,
  topics: string | null,
): Promise<Readable> {
  const names = [...new Set((topics ?? "").split(","))];
  if (names.length > MAX_TOPICS) throw invalidTopic(`Name at most ${MAX_TOPICS} topics in one address.`);
  const given = credentialsOf(request);
  if (given !== null) authorizeKey(deps, request, secretIn(given), "any key");
  deps.limits.take("read", contextOf(request).address);
  const isByName = ns !== undefined && !names.every(isTopicKey);
  const principal = isByName ? await authorize(deps, request, ns, "read", given) : undefined;
  const [found, gone]: [AskedTopic[], string[]] = [[], []];
  for (const asked of names) {
    const topic = await topicOf(deps, asked, ns, principal);
    if (topic !== undefined) found.push({ topic, asked });
    else if (isTopicKey(asked)) gone.push(asked);
    else throw problem.unknownTopic();
  }
  if (found.length === 0) throw problem.unknownTopic();
  return { topics: found, gone, ...(principal !== undefined && { principal }) };
}

async function topicOf(
  { store: { topics } }: AddressDeps,
  asked: string,
  ns: string | null | undefined,
  principal: Principal | undefined,
): Promise<Topic | undefined> {
  if (isTopicKey(asked)) return ns === undefined ? topics.byKeyAnywhere(asked) : topics.byKey(ns ?? "", asked);
  return principal === undefined ? undefined : topics.byName(principal.namespaceId, asked);
}

/** Who publishes at this address. @throws Problem 401, 403 */
export function publisherAt(deps: AddressDeps, request: Request, { ns }: Base): Principal | Promise<Principal> {
  const given = credentialsOf(request);
  return ns === undefined
    ? authorizeOwn(deps, request, "publish", given)
    : authorize(deps, request, ns, "publish", given);
}

/** The topic that is published to; its namespace is the publisher's. @throws Problem 400 `invalid_topic` */
export function destinationAt({ ns }: Base, topic: string | null): { key: string } | { name: string } {
  if (ns === undefined) {
    if (topic === null || !isTopicKey(topic)) throw invalidTopic(KEY_RULE);
    return { key: topic };
  }
  if (topic === null || !isTopicName(topic)) throw invalidTopic(NAME_RULE);
  return { name: topic };
}

const NAME_RULE = "A topic name is 1 to 64 characters of A-Z a-z 0-9 . _ - and doesn't start with a dot.";

/** Parameters that stand for the header `Authorization`. */
export const CREDENTIALS = ["authorization", "auth"] as const;

/** The value of `Authorization`, which senders that can set no header put into the query; null: there is none. */
export function credentialsOf(request: Request): string | null {
  const query = request.url.includes("auth") ? queryOf(request) : undefined;
  const asked = CREDENTIALS.map((name) => query?.get(name) ?? "").find((text) => text !== "");
  return asked === undefined ? request.headers.get("authorization") : headerIn(asked);
}

/**
 * The header inside `?auth=`: ntfy takes its base64 without padding and for URLs. Senders also encode the key alone, or user and
 * password, or all of it twice, and leave `+` as it is, which then arrives as a blank.
 */
export function headerIn(asked: string): string {
  let text = asked.trim();
  for (let times = 0; times < MAX_TIMES; times++) {
    if (/^(?:bearer|basic) /i.test(text)) return text;
    if (isApiKey(text)) return `Bearer ${text}`;
    if (text.includes(":")) return `Basic ${Buffer.from(text).toString("base64")}`;
    text = Buffer.from(text.replaceAll(" ", "+"), "base64").toString().trim();
  }
  return "";
}
const MAX_TIMES = 4;
