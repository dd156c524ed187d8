/** @jsxImportSource #jsx */
/** What a kept request would become: the card of the feed, and the notification of a phone. */
import { fileUrl } from "../../../files/file.ts";
import { messageOf } from "../../../delivery/push/compose.ts";
import type { Hook, KeptRequest } from "../../../hooks/hook.ts";
import type { Preview } from "../../../hooks/preview.ts";
import { feedUrl } from "../../../http/urls.ts";
import type { Message } from "../../../messages/message.ts";
import { MessageCard } from "../../feed/card.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { Phone } from "./phone.tsx";

/** A kept request, with what it would become as it is shown. */
export interface Previewed {
  request: KeptRequest;
  html: Safe;
}

interface Props {
  desk: Desk;
  hook: Pick<Hook, "namespace" | "topic">;
  previewed: Preview;
}

export const Becomes = ({ desk, hook, previewed }: Props): Safe => {
  const { view } = desk;
  if ("refused" in previewed)
    return (
      <p class="wrong">
        <Icon view={view} name="error" />
        {previewed.refused}
      </p>
    );
  const { request, draft } = previewed;
  const topic = { ...hook.topic, namespace: hook.namespace };
  const feed = feedUrl(view.base, topic);
  const { level, priority } = draft;
  const message: Message = { ...{ id: request.n, seq: 0, createdAt: request.at, level, priority }, json: "" };
  const card = { message, draft, earlier: [], moreEarlier: false, ...(draft.status === "firing" && { firing: {} }) };
  return (
    <div class="becomes">
      <MessageCard
        view={view}
        card={card}
        imageHosts={[]}
        now={desk.now}
        tagHref={(tag) => `${feed}?${new URLSearchParams({ tag }).toString()}`}
        link={feed}
        fileHref={(file) => fileUrl(view.base, topic, file)}
        acknowledgeAt=""
      />
      <Phone view={view} notification={messageOf({ message, draft, topic }, view.url)} />
    </div>
  );
};
