/** How messages were sent: what is kept beside them, and for those that came by a hook what the hook keeps. */
import type { Deps } from "../../../../deps.ts";
import type { KeptRequest } from "../../../../hooks/hook.ts";
import { keptBody } from "../../../../messages/body/body.ts";
import { contentOfTool } from "../../../../messages/reading/content.ts";
import { cameOf } from "../../../../messages/intake.ts";
import { draftOf, type Message } from "../../../../messages/message.ts";
import { isUnrecognised } from "../../../../rewrites/fallback.ts";
import type { KeptIntake } from "../../../../store/intake.ts";
import type { TopicId } from "../../../../topics/topic.ts";
import { defined } from "../../../../util/defined.ts";

/** What is kept, by `seq`, for those of these messages that have something; at most `characters` of each body. */
export async function keptOf(
  { intake, hooks }: Pick<Deps["store"], "intake" | "hooks">,
  topicId: TopicId,
  messages: readonly Message[],
  characters: number,
): Promise<ReadonlyMap<number, KeptIntake>> {
  const seqs = messages.map(({ seq }) => seq);
  const kept = new Map(await intake.of(seqs, characters));
  const unknown = messages.filter((message) => kept.get(message.seq)?.came === undefined && isUnknown(message));
  if (unknown.length === 0) return kept;
  const requests = await hooks.requestsOf(
    topicId,
    unknown.map(({ id }) => id),
  );
  for (const { id, seq } of unknown) {
    const request = requests.get(id);
    const came = request && (await cameWith(request, characters));
    if (came !== undefined) kept.set(seq, { ignored: kept.get(seq)?.ignored ?? [], came });
  }
  return kept;
}

/** Looked for in its text first: most messages are not. */
const isUnknown = (message: Message): boolean =>
  message.json.includes('"unrecognised"') && isUnrecognised(draftOf(message));

/** Undefined if no JSON is kept, or not all of it: secrets in the rest could not be recognized by their names. */
async function cameWith(request: KeptRequest, characters: number): Promise<KeptIntake["came"]> {
  const { body, contentType = "", userAgent, isCut } = request;
  if (body === undefined || isCut) return undefined;
  const content = await contentOfTool(contentType, await keptBody(request));
  if (content.kind !== "json") return undefined;
  const headers = new Headers(defined({ "content-type": contentType || undefined, "user-agent": userAgent }));
  const came = cameOf(content.value, "", headers);
  return { ...came, body: came.body.slice(0, characters), length: came.body.length };
}
