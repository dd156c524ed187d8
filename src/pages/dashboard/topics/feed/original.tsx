/** @jsxImportSource #jsx */
/** How a message was sent that was not wholly understood: on its card, and as a page if the body is long. */
import type { Deps } from "../../../../deps.ts";
import type { FieldError } from "../../../../http/problem.ts";
import { MAX_CAME_BYTES } from "../../../../rewrites/came.ts";
import type { Glance } from "../../../../store/glances.ts";
import type { KeptIntake } from "../../../../store/intake.ts";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { keptOf } from "./kept.ts";
import { topicPath } from "../glance.ts";
import { TopicFrame } from "../topic.tsx";
import { Link } from "../../frame/link.tsx";
import { Panel } from "../../../elements/panel.tsx";

/** How much of a body its card shows, in characters. */
export const ON_CARD = 1_000;

export const camePath = (topic: Glance["topic"], id: number): string => topicPath(topic, `/came/${id}`);

/** `to`: the page that shows all of it. */
export const WhatCame = ({ view, kept, to }: { view: View; kept: KeptIntake; to: string }): Safe => {
  const { came: texts } = view.texts.topics;
  const isShort = kept.came === undefined || kept.came.length <= ON_CARD;
  return (
    <>
      {isTold(kept) && (
        <details class="past">
          <summary>{texts.title}</summary>
          <Came view={view} kept={kept} />
          {!isShort && <a href={to}>{texts.all}</a>}
        </details>
      )}
    </>
  );
};

/** A body may have been dropped for newer ones. */
const isTold = ({ ignored, came }: KeptIntake): boolean => ignored.length > 0 || came !== undefined;

const Came = ({ view, kept: { ignored, came } }: { view: View; kept: KeptIntake }): Safe => {
  const { came: texts } = view.texts.topics;
  return (
    <div class="came">
      {ignored.length > 0 && (
        <>
          <p class="hint">{texts.leftOut}</p>
          <ul class="tight">
            {ignored.map((one) => (
              <li>
                <Field {...one} />
              </li>
            ))}
          </ul>
        </>
      )}
      {came !== undefined && (
        <>
          <p class="hint" dir="auto">
            {[came.userAgent, came.contentType].filter((word) => word !== undefined).join(" · ")}
          </p>
          <pre dir="auto">
            {came.body}
            {came.body.length < came.length && "…"}
          </pre>
          {came.isCut && <p class="hint">{texts.cut(MAX_CAME_BYTES / 1_024)}</p>}
          <p class="hint">{texts.masked}</p>
        </>
      )}
    </div>
  );
};

/** A field that was left out, and why: in the words of the API, which are English. */
export const Field = ({ path, message }: FieldError): Safe => (
  <>
    <code>
      <bdi>{path}</bdi>
    </code>{" "}
    <span lang="en">{message.split("`").map((part, n) => (n % 2 === 1 ? <code>{part}</code> : part))}</span>
  </>
);

/** Undefined if there is no such message, or nothing was kept of how it was sent. */
export async function camePage(
  { store }: Pick<Deps, "store">,
  desk: Desk,
  glance: Glance,
  id: number,
): Promise<Safe | undefined> {
  const { topic } = glance;
  const message = await store.messages.find(topic.id, id);
  const kept = message && (await keptOf(store, topic.id, [message], MAX_CAME_BYTES)).get(message.seq);
  if (kept === undefined || !isTold(kept)) return undefined;
  const { view } = desk;
  const { came: texts } = view.texts.topics;
  return (
    <TopicFrame desk={desk} glance={glance} tab="feed">
      <Panel heading="came" title={texts.of(id)}>
        <div class="in">
          <Came view={view} kept={kept} />
        </div>
      </Panel>
      <p>
        <Link desk={desk} to={topicPath(topic)} class="btn" words={texts.back} />
      </p>
    </TopicFrame>
  );
}
