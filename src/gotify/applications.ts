/** Topics, which are the applications of Gotify's clients. */
import type { Deps } from "../deps.ts";
import { innerPath, rawPath } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { JSON_HEADERS } from "../http/respond.ts";
import { basePath } from "../http/urls.ts";
import { imagePath } from "../pages/assets.ts";
import { everyTopic } from "../topics/every.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import { applicationJson } from "./json.ts";
import { namespacesOf, sees, type Reader } from "./reader.ts";

type ApplicationDeps = Pick<Deps, "config" | "store" | "answers">;

/** All that the reader may read, by name: with the namespace before it if there are several. */
export async function applications(deps: ApplicationDeps, request: Request, reader: Reader): Promise<Response> {
  const image = imageFor(deps, request);
  return deps.answers.send(request, async () => {
    const namespaces = await namespacesOf(deps, reader);
    const found: object[] = [];
    for (const namespace of namespaces)
      for await (const topic of everyTopic(deps, namespace.id))
        found.push(
          applicationJson(topic, namespaces.length > 1 ? `${namespace.name}/${topic.name}` : topic.name, image),
        );
    return { body: JSON.stringify(found), headers: JSON_HEADERS };
  });
}

/** The topic with this number. @throws Problem 404 if there is none, or the reader may not read it */
export async function applicationAt({ store }: Pick<Deps, "store">, reader: Reader, id: string): Promise<Topic> {
  const topic = /^[1-9]\d{0,14}$/.test(id) ? (await store.glances.find(Number(id) as TopicId))?.topic : undefined;
  if (topic === undefined || !sees(reader, topic.namespaceId)) throw problem.unknownTopic();
  return topic;
}

/** Relative to the address that the client uses, as Gotify's are; it is fetched without a token. */
function imageFor({ config }: Pick<Deps, "config">, request: Request): string {
  const isBelow = innerPath(rawPath(request.url), basePath(config)).startsWith("/v1/gotify/");
  return (isBelow ? "../../" : "") + imagePath("", "app-icon-192.png").slice(1);
}
