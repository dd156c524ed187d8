/** @jsxImportSource #jsx */
/** Everything that the page of a hook shows, read at once. */
import { fileUrl } from "../../../files/file.ts";
import { keptBody } from "../../../messages/body/body.ts";
import type { Deps } from "../../../deps.ts";
import type { Hook, KeptRequest } from "../../../hooks/hook.ts";
import { feedUrl, messageUrl } from "../../../http/urls.ts";
import { contentOfTool, type Content } from "../../../messages/reading/content.ts";
import { draftOf, type Message } from "../../../messages/message.ts";
import type { Draft } from "../../../drafts/draft.ts";
import type { Millis } from "../../../util/clock.ts";
import { MessageCard } from "../../feed/card.tsx";
import { cardsOf } from "../../feed/cards.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { deskLink } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";
import { topicPath } from "../topics/glance.ts";
import { type HookPagesDeps, type HookUrls, urlsOf } from "./on-hook.ts";

export interface Whole {
  hook: Hook;
  urls?: HookUrls | undefined;
  /** Newest first, each with what it became, if that still exists. */
  requests: readonly { request: KeptRequest; draft?: Draft | undefined; waitsUntil?: Millis | undefined }[];
  /** The one that is looked at. */
  chosen?: Chosen;
}

export interface Chosen {
  request: KeptRequest;
  content: Content | undefined;
  /** The card of its message; absent: the message waits for its time, or is gone. */
  card?: Safe | undefined;
  waitsUntil?: Millis | undefined;
}

/** The request of this number, else the newest. */
export const chosenOf = (requests: readonly KeptRequest[], n: string | null): KeptRequest | undefined =>
  requests.find((one) => String(one.n) === n) ?? requests[0];

/** As the hook reads it; undefined: none is kept. */
export const contentOfKept = async (request: KeptRequest): Promise<Content | undefined> =>
  request.body === undefined ? undefined : contentOfTool(request.contentType ?? "", await keptBody(request));

/** `n`: of the request to look at. */
export async function wholeOf(deps: HookPagesDeps, desk: Desk, hook: Hook, n: string | null): Promise<Whole> {
  const [urls, kept] = await Promise.all([urlsOf(deps, desk, hook), deps.store.hooks.requests(hook)]);
  const found = await Promise.all(kept.map(async ({ messageId }) => messageOf(deps, hook, messageId)));
  const waiting = await Promise.all(kept.map(async (request) => waitsUntil(deps, hook, request)));
  const requests = kept.map((request, i) => ({
    ...{ request, draft: found[i] && draftOf(found[i]) },
    waitsUntil: waiting[i],
  }));
  const request = chosenOf(kept, n);
  if (request === undefined) return { hook, urls, requests };
  const at = kept.indexOf(request);
  const message = found[at];
  const [content, card] = await Promise.all([contentOfKept(request), message && cardOf(deps, desk, hook, message)]);
  return { hook, urls, requests, chosen: { request, content, card, waitsUntil: waiting[at] } };
}

const messageOf = async (
  { store }: Pick<Deps, "store">,
  { topic }: Hook,
  id: number | undefined,
): Promise<Message | undefined> => (id === undefined ? undefined : store.messages.find(topic.id, id));

/** Undefined: its message does not wait, or was cancelled. */
const waitsUntil = async (
  { store }: Pick<Deps, "store">,
  { namespaceId }: Hook,
  { messageId, scheduled }: KeptRequest,
): Promise<Millis | undefined> =>
  messageId === undefined && scheduled !== undefined
    ? (await store.scheduled.find(namespaceId, scheduled))?.deliverAt
    : undefined;

/** As the page of the topic shows it. */
async function cardOf(
  { store }: Pick<Deps, "store">,
  desk: Desk,
  { namespace, topic }: Hook,
  message: Message,
): Promise<Safe | undefined> {
  const [card] = await cardsOf(store, [message], { topicOf: () => topic.id, whole: false });
  if (card === undefined) return undefined;
  return (
    <MessageCard
      view={desk.view}
      card={card}
      imageHosts={[]}
      now={desk.now}
      tagHref={(tag) => deskLink(desk, topicPath(topic), { tag })}
      link={messageUrl(feedUrl(desk.view.base, { ...topic, namespace }), message.id)}
      fileHref={(file) => fileUrl(desk.view.base, { ...topic, namespace }, file)}
      acknowledgeAt={deskLink(desk, `/-/messages/${topic.key}/${message.id}/acknowledge?from=topic`)}
    />
  );
}
