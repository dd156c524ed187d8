/** Slack's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/#handling_errors). */
import { insisted } from "../../rewrites/rewrite.ts";
import { HEADERS, type Dialect } from "./dialect.ts";

/** Its words for what went wrong, by status. */
const WORDS = new Map([
  [404, "no_service"],
  [429, "rate_limited"],
]);

export const slack: Dialect = {
  hear: (body, about) => {
    const draft = insisted("slack", body, about);
    return draft && { draft };
  },
  taken: () => new Response("ok", { headers: { "content-type": "text/plain", ...HEADERS } }),
  refused: ({ status }) => ({
    type: "text/plain",
    body: WORDS.get(status) ?? (status >= 500 ? "rollup_error" : "invalid_payload"),
  }),
};
