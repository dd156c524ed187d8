/** What `peal tail` reads: a topic by its share link, or with a key (or on the server) a topic or a namespace by name. */
import { isNamespaceName } from "../names/namespace.ts";
import { isTopicKey } from "../names/topic.ts";
import type { Outgoing } from "./attempts.ts";
import { UsageError, type Invocation } from "./command.ts";
import { openTarget } from "./target.ts";
import { withTopic } from "./topic-ask.ts";

export interface Feed extends Pick<Outgoing, "unix" | "headers"> {
  /** Addresses of the stream: the first that exists. */
  urls: readonly string[];
  /** As it is named to people, without a topic's key. */
  name: string;
}

/** @throws UsageError, CommandFailed */
export async function feedOf(invocation: Invocation): Promise<Feed> {
  const [named = ""] = invocation.positionals;
  if (/^https?:\/\//i.test(named)) return { urls: linkStreams(named), name: "the topic" };
  const [namespace = "", topic, ...more] = named.split("/");
  if (!isNamespaceName(namespace) || topic === "" || more.length > 0)
    throw new UsageError(`${named}: must be <namespace>, <namespace>/<topic> or a topic's share link`);
  const { base, ...how } = await openTarget(invocation.load);
  if (topic === undefined) return { urls: [`${base}/v1/${namespace}/events`], name: namespace, ...how };
  const path = await withTopic(invocation, async (_, found) => found);
  return { urls: [`${base}${path.replace(/^\/v1/, "")}/events`], name: named, ...how };
}

/**
 * A share link is `…/{ns}/{name}/{key}` or `…/{ns}/{key}`, and the base path of its server may have segments too: the longer
 * form is tried first. @throws UsageError
 */
export function linkStreams(link: string): string[] {
  const url = URL.parse(link);
  const segments = url?.pathname.split("/").filter((segment) => segment !== "") ?? [];
  const key = segments.pop() ?? "";
  // it is a capability: not repeated
  if (url === null || !isTopicKey(key) || segments.length === 0)
    throw new UsageError("that is not a share link of a topic");
  const stream = (parts: readonly string[]) => [url.origin, ...parts, key, "events"].join("/");
  return segments.length === 1 ? [stream(segments)] : [stream(segments.slice(0, -1)), stream(segments)];
}
