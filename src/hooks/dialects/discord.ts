/** Discord's webhooks (https://discord.com/developers/docs/: resources/webhook#execute-webhook, …/opcodes-and-status-codes). */
import type { Draft } from "../../drafts/draft.ts";
import { insisted } from "../../rewrites/rewrite.ts";
import { rfc3339 } from "../../util/clock.ts";
import type { Hook } from "../hook.ts";
import { snowflake } from "../json.ts";
import { formedJson, HEADERS, jsonOf, storedOf, type Dialect } from "./dialect.ts";

/** Discord's error codes, by status. */
// prettier-ignore
const CODES = new Map<number, [code: number, message: string]>([
  [400, [50035, "Invalid Form Body"]],
  [404, [10015, "Unknown Webhook"]],
  [413, [40005, "Request entity too large. Try sending something smaller in size"]],
  [422, [50035, "Invalid Form Body"]],
]);

export const discord: Dialect = {
  hear: (body, about) => {
    const draft = insisted("discord", body, about);
    return draft && { draft };
  },
  taken: (taken, { hook, query }) => {
    if (query.get("wait") !== "true") return new Response(null, { status: 204, headers: HEADERS });
    const { id, json, at } = storedOf(taken);
    return jsonOf(200, {
      ...{ id: String(id), type: 0, content: (JSON.parse(json) as Draft).message },
      ...{ channel_id: idOf(hook), webhook_id: idOf(hook), timestamp: rfc3339(at), edited_timestamp: null },
      author: { id: idOf(hook), username: nameOf(hook), avatar: null, discriminator: "0000", bot: true },
      ...{ attachments: [], embeds: [], mentions: [], mention_roles: [], components: [] },
      ...{ mention_everyone: false, pinned: false, tts: false, flags: 0 },
    });
  },
  refused: ({ status, detail, headers }) => {
    if (status === 429)
      return formedJson({
        message: "You are being rate limited.",
        retry_after: Number(headers["retry-after"] ?? 1),
        global: false,
      });
    const [code, message] = CODES.get(status) ?? [0, detail];
    return formedJson({ message, code });
  },
  shown: (hook) =>
    jsonOf(200, {
      ...{ id: idOf(hook), type: 1, name: nameOf(hook), avatar: null },
      ...{ channel_id: idOf(hook), guild_id: null, application_id: null },
    }),
};

const idOf = ({ createdAt }: Hook): string => snowflake(createdAt);
const nameOf = ({ settings, topic }: Hook): string => settings.name ?? topic.name;
