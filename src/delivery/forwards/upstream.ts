/**
 * The server that wakes the iPhone app of ntfy (NTFY.md §3): it is told that a topic of this server has something new, by a hash of
 * the topic's address and the id of the message, which the app then fetches here. Made by upstream.ts beside this folder, never by
 * people.
 */
import { Type } from "@sinclair/typebox";
import { sha256 } from "../../util/ids.ts";
import { text } from "../../util/schema.ts";
import { usualVerdict } from "./answers.ts";
import { kind } from "./kind.ts";

export const upstream = kind({
  name: "upstream",
  title: { en: "ntfy’s app for iPhones", de: "App von ntfy für iPhones" },
  settings: Type.Object({ server: text({ description: "The setting PEAL_NTFY_UPSTREAM." }) }),
  secrets: [],
  form: { server: { label: "Server" } },
  destination: ({ server }) => server,
  repeats: "again",
  // each message has a topic and an id of its own
  digests: false,
  // ntfy doesn't tell of these either: the app would show an empty notification
  skips: ({ source }) => source === "ntfy:delete" || source === "ntfy:clear",
  request: ({ message, base }, { server }) =>
    message === undefined
      ? { method: "GET", url: `${server}/v1/health`, headers: {} }
      : {
          url: `${server}/${sha256(`${base}/${message.topic.key}`)}`,
          headers: { "x-poll-id": message.ntfyId },
          body: "",
        },
  verdict: (response, push) => {
    const usual = usualVerdict(response, push, MENDS);
    // ntfy counts for an address
    return usual.kind === "retry" && response.status === 429 ? { ...usual, scope: "lane" } : usual;
  },
});

const MENDS = {
  service: "The ntfy server of PEAL_NTFY_UPSTREAM",
  credentials: "The server of PEAL_NTFY_UPSTREAM takes no requests from here.",
  address: "Check PEAL_NTFY_UPSTREAM.",
};
