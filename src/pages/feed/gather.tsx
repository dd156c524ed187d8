/** @jsxImportSource #jsx */
/** Everything that the page of a feed shows, read and rendered: all of it, or only cards that the reader does not have yet. */
import type { Deps } from "../../deps.ts";
import type { Fits, Made } from "../../http/answers.ts";
import { acceptsGzip } from "../../http/respond.ts";
import { placeAt, positionText } from "../../messages/events/resume.ts";
import { storedBytes } from "../../messages/message.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import type { MapInTurns } from "../../util/turns.ts";
import { assetPath } from "../assets.ts";
import { packed, type Answering } from "../respond.ts";
import { viewOf } from "../view.ts";
import { type Asked, countsOf, isWhole } from "./asked.tsx";
import { pageQuery } from "./asking.ts";
import { type Card, cardsOf } from "./cards.ts";
import { openedOf } from "./opened.ts";
import { type Band, FeedPage, renderCard, Top } from "./page.tsx";

interface FeedAsked {
  topic: Topic;
  asked: Asked;
  /** Only the cards of newer messages. */
  since: number | undefined;
  answering: Answering;
}

export async function feedPage(
  deps: Pick<Deps, "config" | "store" | "clock"> & { mapInTurns: MapInTurns; fits: Fits },
  request: Request,
  { topic, asked, since, answering }: FeedAsked,
): Promise<Made | undefined> {
  const page = await deps.store.messages.page(topic.id, {
    ...pageQuery(asked),
    ...(since !== undefined && { after: since }),
  });
  if (!acceptsGzip(request) && !deps.fits(storedBytes(page.messages))) return undefined; // compressed they mostly are light
  const view = viewOf(deps, request);
  const { imageHosts, retention } = deps.config;
  const { ntfyUpstream: upstream } = deps.config.push;
  const now = deps.clock.now();
  const { signal } = request;
  const found = await cardsOf(deps.store, page.messages, { topicOf: () => topic.id, whole: isWhole(asked), signal });
  const cards = await deps.mapInTurns(found, (card) => renderCard(card, { view, topic, imageHosts, now }));
  const isTop = isWhole(asked) && asked.before === undefined;
  const band = isTop ? { band: await bandOf(deps.store, topic, { now, found }) } : {};
  if (since !== undefined) {
    const fragment = (
      <html>
        <body data-last={page.lastId} data-more={page.hasMore}>
          {band.band !== undefined && <Top view={view} topic={topic} band={band.band} />}
          {cards.map(({ html }) => html)}
        </body>
      </html>
    );
    return packed(request, answering, fragment, { imageHosts });
  }
  const counts = isTop ? { counts: countsOf(found, page.hasMore) } : {};
  const style = assetPath(view.base, "peal.css");
  const nearest = await deps.store.messages.nearest(topic.id, page.lastId);
  const position = positionText(await placeAt(deps.store, page.lastId, nearest));
  const document = (
    <FeedPage {...{ view, topic, asked, page, position, cards, now, retention, upstream, ...counts, ...band }} />
  );
  return packed(request, answering, document, { imageHosts, style });
}

/** What is above the newest messages. */
async function bandOf(
  store: Deps["store"],
  topic: Topic,
  { now, found }: { now: Millis; found: readonly Card[] },
): Promise<Band> {
  const [opened, namespace] = await Promise.all([
    openedOf(store, { topic: topic.id }, now),
    store.namespaces.byName(topic.namespace),
  ]);
  const mutedUntil = Math.max(topic.mutedUntil ?? 0, namespace?.mutedUntil ?? 0);
  return {
    opened,
    ...(mutedUntil > now && { mutedUntil }),
    onPage: new Set(found.map(({ message }) => message.id)),
  };
}
