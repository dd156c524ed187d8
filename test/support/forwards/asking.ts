/** Pushes to forwards, and the kinds as the engine calls them. */
import { Value } from "@sinclair/typebox/value";
import type { ForwardPush, ForwardVerdict, Kind } from "../../../src/delivery/forwards/kind.ts";
import type { ProviderRequest, ProviderResponse } from "../../../src/delivery/transport/answer.ts";
import type { Draft } from "../../../src/drafts/draft.ts";
import { HOUR } from "../../../src/util/clock.ts";
import { aPush, NOW } from "../../delivery/pushes.ts";
import type { Answer } from "../push/http2.ts";
import type { Posted } from "./json.ts";

type Fields = Parameters<typeof aPush>[0] & { draft?: Partial<Draft>; ringMs?: number };

/** A push of a message whose text is that of its notification. `draft`: what else its sender said. */
export function aForwardPush({ draft, ringMs, ...fields }: Fields = {}): ForwardPush {
  const push = aPush(fields);
  const { title, body, level, priority, ack } = push.notification;
  const all: Draft = { ...{ title, message: body, level, priority, format: "text", source: "api" }, ...draft };
  const topic = push.notification.topic ?? { namespace: "home", key: "nas-0123456789abcdefghjkmnpqrs", name: "nas" };
  return {
    ...push,
    base: "https://peal.example",
    ringMs: ringMs ?? (ack && priority === "urgent" ? HOUR : 0),
    message: { id: 7, ntfyId: "0123456789ab", topic, draft: all, json: JSON.stringify(all) },
  };
}

/** A kind that asks once by HTTP, with settings that its own schema takes. */
export function asking(kind: Kind, to: Record<string, unknown>) {
  if (!("request" in kind)) throw new Error(`${kind.name} is asked by no request`);
  if (!Value.Check(kind.settings, to)) throw new Error(`no settings of ${kind.name}: ${JSON.stringify(to)}`);
  return {
    request: (push: ForwardPush): ProviderRequest => kind.request(push, to, NOW),
    verdict: (response: ProviderResponse, push = aForwardPush()): ForwardVerdict => kind.verdict(response, push, to),
    receipt: kind.receipt,
    to,
  };
}

/** The request as a service gets it. */
export function posted({ method = "POST", url, headers, body = "" }: ProviderRequest): Posted {
  const { pathname, search } = new URL(url);
  return { method, path: `${pathname}${search}`, headers, body: typeof body === "string" ? body : "" };
}

/** An answer of a fake, as the transport hands it on. */
export const heard = ({ status, headers = {}, body = "" }: Answer): ProviderResponse => ({
  ...{ status, headers },
  body: typeof body === "string" ? body : Buffer.from(body).toString(),
});
