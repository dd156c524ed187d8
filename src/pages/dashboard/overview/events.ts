/** `GET /-/events`: hints for the pages that somebody who is signed in has open. */
import { sees, visitorOf } from "../../../accounts/visitor.ts";
import type { Deps } from "../../../deps.ts";
import { contextOf } from "../../../http/context.ts";
import { EVENT_STREAM } from "../../../messages/events/frame.ts";
import { emptyStream } from "../../../messages/events/reader.ts";

type EventDeps = Parameters<typeof visitorOf>[0] & Pick<Deps, "streams">;

/** @throws Problem 401 when nobody is signed in, 429 `too_many_streams` */
export async function openHints(deps: EventDeps, request: Request): Promise<Response> {
  const visitor = await visitorOf(deps, request);
  if (contextOf(request).head) return emptyStream(EVENT_STREAM);
  return deps.streams.openHints(request, { personId: visitor.person.id, sees: (id) => sees(visitor, id) });
}
