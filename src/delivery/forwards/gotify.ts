/** An application of a Gotify server (https://gotify.net/api-docs#/message/createMessage). */
import { Type } from "@sinclair/typebox";
import type { Priority } from "../../drafts/draft.ts";
import { defined } from "../../util/defined.ts";
import { text } from "../../util/schema.ts";
import { cut } from "../../util/text/text.ts";
import { jsonOf, type ProviderResponse, stringOf } from "../transport/answer.ts";
import { usualVerdict } from "./answers.ts";
import { type ForwardPush, type ForwardVerdict, kind } from "./kind.ts";

export const gotify = kind({
  name: "gotify",
  title: "Gotify",
  settings: Type.Object({
    server: text({ minLength: 1, maxLength: 2_000, description: "Address of the server." }),
    token: text({ pattern: "^[!-~]{1,200}$", description: "Token of the application." }),
  }),
  secrets: ["token"],
  form: {
    server: { label: "Server", example: "https://gotify.example.com" },
    token: {
      label: { en: "Application token", de: "Token der Anwendung" },
      hint: { en: "In Gotify: Apps, Create application.", de: "In Gotify: Apps, Create application." },
      example: "AxVh8zPQ9n2bK1c",
    },
  },
  destination: ({ server }) => server.replace(/\/+$/, ""),
  repeats: "again",
  digests: true,
  request: (push, { server, token }) => ({
    url: `${server.replace(/\/+$/, "")}/message`,
    headers: { "content-type": "application/json", "x-gotify-key": token },
    body: JSON.stringify(bodyOf(push)),
  }),
  verdict: verdictOf,
});

/** Source: Gotify's API documentation; its errors are `{error, errorCode, errorDescription}`. */
function verdictOf(response: ProviderResponse, push: ForwardPush): ForwardVerdict {
  const { id, errorDescription } = jsonOf(response);
  if (response.status === 200 && typeof id !== "number")
    return {
      kind: "pause",
      reason: "not Gotify",
      tell: "What answers there is not a Gotify server: check its address.",
    };
  if (response.status === 200) return { kind: "accepted", id: String(id) };
  return usualVerdict(response, push, MENDS, { said: stringOf(errorDescription) });
}

const MENDS = {
  service: "Gotify",
  credentials: "Check the token: it must be that of an application, not of a client.",
  address: "Check the address of the server.",
};

/** Gotify has no limit; its apps get slow with long texts. */
const MAX_CHARACTERS = 16_000;
/** Gotify's Android app is silent up to 3, and rings from 8 (https://github.com/gotify/android#message-priorities). */
const PRIORITIES: Readonly<Record<Priority, number>> = { low: 2, normal: 5, high: 8, urgent: 10 };

function bodyOf({ notification, message, shrunk }: ForwardPush): object {
  const { title, body, priority, url, image } = notification;
  const shown = defined({
    click: url === undefined ? undefined : { url },
    bigImageUrl: image,
  });
  return {
    title,
    message: cut(body, MAX_CHARACTERS >> shrunk),
    priority: PRIORITIES[priority],
    extras: {
      "client::display": { contentType: message?.draft.format === "markdown" ? "text/markdown" : "text/plain" },
      ...(Object.keys(shown).length > 0 && { "client::notification": shown }),
    },
  };
}
