/** @jsxImportSource #jsx */
/** Messages for people who may act on them: the cards of the feed, each with an owner's actions. */
import type { Deps } from "../../../deps.ts";
import { fileUrl } from "../../../files/file.ts";
import { feedUrl, messageUrl } from "../../../http/urls.ts";
import type { Message } from "../../../messages/message.ts";
import type { KeptIntake } from "../../../store/intake.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { MapInTurns } from "../../../util/turns.ts";
import { MessageCard } from "../../feed/card.tsx";
import type { Card, OfTopic, RenderedCard } from "../../feed/cards.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";
import type { Desk } from "../signed-in.ts";
import { deliveriesOf } from "../deliveries/links.ts";
import { deskLink } from "../frame/filter.ts";
import { camePath, ON_CARD, WhatCame } from "../topics/feed/original.tsx";
import { keptOf } from "../topics/feed/kept.ts";

export type CardDeps = Pick<Deps, "store"> & { mapInTurns: MapInTurns };

interface Options {
  topicOf: (message: Message) => Topic;
  /** Link to the messages of a tag. */
  tagHref: (tag: string) => string;
  /** The query of its forms' addresses, which says where they lead back. */
  back: string;
  /** Names the topic of a card, on a page of several topics. */
  placeOf?: (topic: Topic) => OfTopic;
}

export async function ownCards(
  { store, mapInTurns }: CardDeps,
  desk: Desk,
  found: readonly Card[],
  { topicOf, tagHref, back, placeOf }: Options,
): Promise<RenderedCard[]> {
  const { view, now } = desk;
  const messages = found.map(({ message }) => message);
  const kept = await keptOfAll(store, messages, topicOf);
  const senders = await store.messages.senders(messages.map(({ seq }) => seq));
  return mapInTurns(found, (card): RenderedCard => {
    const { message } = card;
    const topic = topicOf(message);
    const came = kept.get(message.seq);
    const of = placeOf?.(topic);
    return {
      ...{ card, at: message.createdAt, ...(of && { of }) },
      html: (
        <MessageCard
          view={view}
          card={card}
          imageHosts={[]}
          fileHref={(file) => fileUrl(view.base, topic, file)}
          now={now}
          tagHref={tagHref}
          link={messageUrl(feedUrl(view.base, topic), message.id)}
          acknowledgeAt={messagePath(desk, topic, message.id, `acknowledge${back}`)}
          of={of}
          came={came && <WhatCame view={view} kept={came} to={deskLink(desk, camePath(topic, message.id))} />}
          sender={senders.get(message.seq)}
          own={
            <>
              <a class="btn bare" href={deskLink(desk, deliveriesOf(topic, message))}>
                <Icon view={view} name="deliveries" />
                <span>{view.texts.deliveries.whoWasTold}</span>
              </a>
              <Delete view={view} to={messagePath(desk, topic, message.id, `delete${back}`)} />
            </>
          }
        />
      ),
    };
  });
}

/** The address of a message's form. */
export const messagePath = (desk: Desk, { key }: Pick<Topic, "key">, id: number, act: string): string =>
  deskLink(desk, `/-/messages/${key}/${id}/${act}`);

/** How messages of several topics were sent, by `seq`. */
async function keptOfAll(
  store: Deps["store"],
  messages: readonly Message[],
  topicOf: Options["topicOf"],
): Promise<ReadonlyMap<number, KeptIntake>> {
  const byTopic = Map.groupBy(messages, (message) => topicOf(message).id);
  const kept = await Promise.all([...byTopic].map(async ([id, some]) => keptOf(store, id, some, ON_CARD)));
  return new Map(kept.flatMap((one) => [...one]));
}

const Delete = ({ view, to }: { view: View; to: string }): Safe => (
  <form method="post" action={to}>
    <button class="btn bare" type="submit">
      <Icon view={view} name="trash" />
      <span>{view.texts.topics.deleteMessage}</span>
    </button>
  </form>
);
