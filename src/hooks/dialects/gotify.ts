/** What is posted to Gotify's `/message` (https://github.com/gotify/server, `api/message.go`, `model/error.go`). */
import type { Draft, Priority } from "../../drafts/draft.ts";
import { fieldNamed } from "../../messages/reading/fields.ts";
import { MAX_READ, type Fields } from "../../messages/reading/ntfy.ts";
import { object, objectAt, scalar, scalarAt } from "../../rewrites/fields.ts";
import { isObject } from "../../util/json.ts";
import { levelOfWords } from "../../rewrites/tone.ts";
import { rfc3339 } from "../../util/clock.ts";
import { formedJson, jsonOf, storedOf, type Dialect } from "./dialect.ts";

export const gotify: Dialect = {
  hear: (body) =>
    isObject(body) && namedIn(body, "message") !== undefined ? { fields: gotifyFields(body) } : undefined,
  taken: (taken) => {
    const { id, json, at } = storedOf(taken);
    const { message, title, priority } = JSON.parse(json) as Draft;
    return jsonOf(200, {
      ...{ id, appid: 1, message, title: title ?? "" },
      ...{ priority: NUMBERS[priority], date: rfc3339(at) },
    });
  },
  refused: ({ status, detail }) =>
    formedJson({ error: REASONS[status] ?? "Error", errorCode: status, errorDescription: detail }),
};

/**
 * Reason phrases of the statuses that a problem may have (RFC 9110 §15). Loading node:http for its `STATUS_CODES` alone takes 3 ms
 * of a start (measured).
 */
export const REASONS: Readonly<Record<number, string>> = {
  ...{ 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed" },
  ...{ 409: "Conflict", 413: "Payload Too Large", 414: "URI Too Long", 415: "Unsupported Media Type" },
  ...{ 416: "Range Not Satisfiable", 422: "Unprocessable Entity", 429: "Too Many Requests" },
  ...{ 500: "Internal Server Error", 503: "Service Unavailable" },
};

/** The numbers as Gotify's own apps sound them: none, low, default, high. */
export const NUMBERS: Record<Priority, number> = { low: 2, normal: 5, high: 8, urgent: 10 };

/** Our priority for Gotify's, a number from 0 to 10; most tools send 5. Anything else passes unchanged and is read as in other bodies. */
function priorityOf(priority: unknown): unknown {
  const number = Number(scalar(priority) ?? NaN);
  if (Number.isNaN(number)) return priority;
  if (number < 4) return "low";
  if (number < 8) return "normal";
  return number < 10 ? "high" : "urgent";
}

/** The value of the first name that means this field. */
const namedIn = (body: Fields, name: string): unknown =>
  body[Object.keys(body).find((each) => fieldNamed(each) === name) ?? name];

const firstLine = (text: string): string => text.slice(0, MAX_READ).trim().split("\n", 1)[0] ?? "";

/** The fields of a message of Gotify. Other fields of ours that a client adds count too. */
export function gotifyFields({ extras: given, ...body }: Fields): Fields {
  const extras = object(given);
  const notification = objectAt(extras, "client::notification");
  const format = scalarAt(objectAt(extras, "client::display"), "contentType");
  const url = scalarAt(objectAt(notification, "click"), "url");
  const image = scalarAt(notification, "bigImageUrl");
  const priority = namedIn(body, "priority");
  const headline = ["title", "message"].map((name) => firstLine(scalar(namedIn(body, name)) ?? ""));
  const level = levelOfWords(headline.join("\n"));
  return {
    // Gotify has no field for the level, and Uptime Kuma says it with a 🔴; a client that sends one of ours is heard
    ...(level !== undefined && { level }),
    ...(format === "text/markdown" && { format: "markdown" }),
    ...(url !== undefined && { url }),
    ...(image !== undefined && { image }),
    ...Object.fromEntries(Object.entries(body).filter(([name]) => fieldNamed(name) !== "priority")),
    ...(priority !== undefined && { priority: priorityOf(priority) }),
  };
}
