/** Slack's incoming webhooks (https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks/#handling_errors). */
import { insisted, recognized } from "../../rewrites/rewrite.ts";
import { HEADERS, type Dialect } from "./dialect.ts";

/** Slack's words for errors, by status; to others it adds our sentence, because users see only the log of their tool. */
const WORDS = new Map([
  [404, "no_service"],
  [429, "rate_limited"],
]);

export const slack: Dialect = {
  hear: (body, about) => {
    // what TrueNAS posts to Slack says more to code that knows TrueNAS
    const draft = recognized(body, about) ?? insisted("slack", body, about);
    return draft && { draft };
  },
  taken: () => new Response("ok", { headers: { "content-type": "text/plain", ...HEADERS } }),
  refused: ({ status, detail }) => ({
    type: "text/plain",
    body: WORDS.get(status) ?? `${status >= 500 ? "rollup_error" : "invalid_payload"}: ${detail}`,
  }),
};
