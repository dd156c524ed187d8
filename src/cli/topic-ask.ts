/** Finds one topic by the name that people use: `<namespace>/<topic>`. */
import { isTopicKey } from "../names/topic.ts";
import type { TopicRecord } from "../topics/schema.ts";
import { JSON_FLAG, UsageError, type Flag, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { noSuch } from "./named.ts";
import { pagesOf } from "./pages.ts";

export const TOPIC_ARG = "<namespace>/<topic>";
export const TOPIC_FLAGS: readonly Flag[] = [JSON_FLAG];

/** All topics of a namespace that are archived, or all that are not. */
export async function allTopics(local: Local, namespace: string, archived: boolean): Promise<TopicRecord[]> {
  const pages = await pagesOf<{ topics: TopicRecord[]; next_after?: string }>(local, `/v1/${namespace}/topics`, {
    archived: String(archived),
  });
  return pages.flatMap(({ topics }) => topics);
}

/** Calls `use` with the namespace and the topic that the first argument names. `names`: of the fields of its body. */
export async function withTopicName<T>(
  { positionals: [named = ""], load }: Invocation,
  use: (local: Local, namespace: string, topic: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> {
  const [, namespace, topic] = /^([^/]+)\/([^/]+)$/.exec(named) ?? [];
  if (namespace === undefined || topic === undefined) throw new UsageError(`${named}: must have the form ${TOPIC_ARG}`);
  return inNamespace({ values: { namespace }, load }, async (local, ns) => use(local, ns, topic), names);
}

/** Calls `use` with the topic that the first argument names, by name or key. `path`: of the API. */
export const withTopic = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
  names?: Readonly<Record<string, string>>,
): Promise<T> =>
  withTopicName(
    invocation,
    async (local, ns, topic) => use(local, `/v1/${ns}/${isTopicKey(topic) ? topic : await keyOf(local, ns, topic)}`),
    names,
  );

async function keyOf(local: Local, namespace: string, name: string): Promise<string> {
  const known: string[] = [];
  for (const archived of [false, true]) {
    const topics = await allTopics(local, namespace, archived);
    const topic = topics.find((one) => one.name === name);
    if (topic !== undefined) return topic.key;
    known.push(...topics.map((one) => one.name));
  }
  const ns = decodeURIComponent(namespace);
  throw noSuch("topic", name, known, `peal topics list --namespace ${ns}`, ` in ${ns}`);
}
