/** Finds one topic by the name that people use: `<namespace>/<topic>`. */
import { isTopicKey } from "../names/topic.ts";
import { CommandFailed, JSON_FLAG, UsageError, type Flag, type Invocation } from "./command.ts";
import { inNamespace } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { pagesOf } from "./pages.ts";

export const TOPIC_ARG = "<namespace>/<topic>";
export const TOPIC_FLAGS: readonly Flag[] = [JSON_FLAG];

interface TopicPage {
  topics: { name: string; key: string }[];
  next_after?: string;
}

/** Calls `use` with the topic that the first argument names, by name or key. `path`: of the API. */
export async function withTopic<T>(
  { positionals: [named = ""], load }: Invocation,
  use: (local: Local, path: string) => Promise<T>,
): Promise<T> {
  const [, namespace, topic] = /^([^/]+)\/([^/]+)$/.exec(named) ?? [];
  if (namespace === undefined || topic === undefined) throw new UsageError(`${named}: must have the form ${TOPIC_ARG}`);
  return inNamespace({ values: { namespace }, load }, async (local, ns) => {
    const key = isTopicKey(topic) ? topic : await keyOf(local, ns, topic);
    return use(local, `/v1/${ns}/${key}`);
  });
}

async function keyOf(local: Local, namespace: string, name: string): Promise<string> {
  for (const archived of ["false", "true"]) {
    const pages = await pagesOf<TopicPage>(local, `/v1/${namespace}/topics`, { archived });
    const topic = pages.flatMap(({ topics }) => topics).find((one) => one.name === name);
    if (topic !== undefined) return topic.key;
  }
  throw new CommandFailed(`there is no topic ${name} in ${namespace}`);
}
