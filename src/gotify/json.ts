/** Our records as Gotify's clients read them (https://github.com/gotify/server, `docs/spec.json`, definitions). */
import { appName } from "../accounts/agent.ts";
import type { Session } from "../accounts/session.ts";
import type { Draft } from "../drafts/draft.ts";
import { fileUrl, pictureOf } from "../files/file.ts";
import { NUMBERS } from "../hooks/dialects/gotify.ts";
import type { ApiKey } from "../keys/key.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicOfMessage } from "../topics/topic.ts";
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { sha256 } from "../util/ids.ts";
import type { Reader } from "./reader.ts";

/** The number that stands for an id of ours: 48 bits, which every client's integers hold. */
export const numberOf = (id: string): number => parseInt(sha256(id).slice(0, 12), 16);

/** `base`: of absolute URLs. The app opens no files, so all but the picture that it shows become links in the text. */
export function messageJson(topic: TopicOfMessage, message: Message, draft: Draft, base: string): object {
  const { attachments = [], format, url } = draft;
  const picture = draft.image === undefined ? pictureOf(attachments) : undefined;
  const image = draft.image ?? (picture && fileUrl(base, topic, picture));
  const links = attachments.filter((one) => one !== picture).map((one) => fileUrl(base, topic, one));
  const notification = {
    ...(url !== undefined && { click: { url } }),
    ...(image !== undefined && { bigImageUrl: image }),
  };
  const extras = {
    ...(format === "markdown" && { "client::display": { contentType: "text/markdown" } }),
    ...(Object.keys(notification).length > 0 && { "client::notification": notification }),
  };
  return {
    ...{ id: message.seq, appid: topic.id, message: [draft.message, ...links].join("\n\n") },
    ...{ title: draft.title ?? topic.name, priority: NUMBERS[message.priority], date: rfc3339(message.createdAt) },
    ...(Object.keys(extras).length > 0 && { extras }),
  };
}

/**
 * A topic. `image`: the path of its icon below the address that the client uses. It has no token to send with, and an empty one is
 * refused, where without one the app would crash.
 */
export const applicationJson = (topic: Topic, name: string, image: string): object => ({
  ...{ id: topic.id, token: "", name, description: topic.description ?? "", internal: false, image },
  ...{ defaultPriority: NUMBERS.normal, createdAt: rfc3339(topic.createdAt) },
  lastUsed: optionalRfc3339(topic.lastAt) ?? null,
});

/** `token`: only in the answer to the client that has it. */
export const clientJson = (client: Session | ApiKey, token?: string): object =>
  defined<object>({
    ...{ id: numberOf(client.id), token, createdAt: rfc3339(client.createdAt) },
    ...("agent" in client
      ? { name: appName(client) ?? "", lastUsed: rfc3339(client.seenAt) }
      : { name: keyName(client), lastUsed: optionalRfc3339(client.lastUsedAt) ?? null }),
  });

export function userJson(reader: Reader): object {
  const { id, name, isAdmin, createdAt } =
    reader.kind === "key" ? { ...reader.key, name: keyName(reader.key), isAdmin: false } : reader.person;
  return { id: numberOf(id), name, admin: isAdmin, createdAt: rfc3339(createdAt) };
}

const keyName = ({ name, namespace }: ApiKey): string => name ?? namespace;
