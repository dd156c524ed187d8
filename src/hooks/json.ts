/** The JSON of hooks and of their requests (API.md §9). */
import { decode } from "../http/body.ts";
import type { Shown } from "../tokens/shown.ts";
import { type Millis, optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { sha256 } from "../util/ids.ts";
import type { Hook, KeptRequest } from "./hook.ts";
import type { HookRecord, RequestRecord } from "./schema.ts";

export function hookJson(hook: Hook, shown: Shown): HookRecord {
  const { id, namespace, topic, settings, createdAt, requests, lastUsedAt, oldTokenUntil } = hook;
  const isOldKnown = oldTokenUntil !== undefined && oldTokenUntil > shown.now;
  return defined<HookRecord>({
    ...{ id, namespace, name: settings.name, topic: topic.key, topic_name: topic.name },
    ...addresses(hook, shown),
    old_url_until: isOldKnown ? rfc3339(oldTokenUntil) : undefined,
    ...{ as: settings.as, map: settings.map, defaults: settings.defaults },
    ...{ get: settings.get === true, keep_requests: settings.isForgetful !== true },
    requests,
    last_used_at: optionalRfc3339(lastUsedAt),
    ...{ last_used_from: hook.lastUsedFrom, last_source: hook.lastSource },
    created_at: rfc3339(createdAt),
  });
}

type Addresses = Partial<Pick<HookRecord, "url" | "discord_url" | "apprise_url" | "gotify_token">>;

/** None if the secret that they were derived from was lost: the hook still works. */
function addresses(
  { id, tokenGeneration, tokenHash, gotifyHash, createdAt }: Hook,
  { base, tokens }: Shown,
): Addresses {
  const token = tokens.ofHook(id, tokenGeneration);
  const gotify = tokens.ofGotify(id, tokenGeneration);
  if (sha256(token) !== tokenHash) return {};
  return {
    url: `${base}/v1/hook/${token}`,
    discord_url: `${base}/api/webhooks/${snowflake(createdAt)}/${token}`,
    apprise_url: `${base}/v1/apprise/notify/${token}`,
    // an application that came from a Gotify server keeps the token that it has there, which peal knows by its hash alone
    ...(sha256(gotify) === gotifyHash && { gotify_token: gotify }),
  };
}

const DISCORD_EPOCH = 1_420_070_400_000;

/** A Discord id of that time: tools check for one (https://discord.com/developers/docs/reference#snowflakes). */
export const snowflake = (at: Millis): string => String(BigInt(Math.max(0, at - DISCORD_EPOCH)) << 22n);

export function requestJson(request: KeptRequest): RequestRecord {
  const { n, at, method, from, query, headers, source, files, body } = request;
  const text = body === undefined ? undefined : decode(withoutTorn(body));
  return defined<RequestRecord>({
    ...{ n, at: rfc3339(at), method, from },
    ...{ content_type: request.contentType, user_agent: request.userAgent, query, headers },
    ...{ source, message_id: request.messageId, body_bytes: request.bodyBytes ?? 0 },
    body: text,
    body_base64: body === undefined || text !== undefined ? undefined : Buffer.from(body).toString("base64"),
    body_cut: request.isCut,
    files: files && [...files],
  });
}

/** Drops the beginning of a letter whose end was cut off. */
function withoutTorn(body: Uint8Array): Uint8Array {
  const last = body.findLastIndex((byte, at) => at < body.length - 4 || (byte & 0xc0) !== 0x80);
  const first = body[last] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return body.length - last < length ? body.subarray(0, last) : body;
}
