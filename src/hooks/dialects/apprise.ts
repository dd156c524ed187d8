/** What is posted to Apprise API's `/notify/{key}` (https://github.com/caronc/apprise-api, `api/views.py`). */
import { MAX_READ, type Fields } from "../../messages/reading/ntfy.ts";
import { list, scalar } from "../../rewrites/fields.ts";
import { isObject } from "../../util/json.ts";
import { formedJson, HEADERS, jsonOf, type Dialect } from "./dialect.ts";

/** Apprise's names, and the fields that they mean. */
const NAMES = new Map([
  ["body", "message"],
  ["type", "level"],
  ["tag", "tags"],
]);

export const apprise: Dialect = {
  hear: (body) => (isObject(body) && Object.hasOwn(body, "body") ? { fields: fieldsOf(body) } : undefined),
  taken: (_, { request }) =>
    wantsJson(request)
      ? jsonOf(200, { error: null, details: [] })
      : new Response("Sent", { headers: { "content-type": "text/plain", ...HEADERS } }),
  refused: ({ detail }) => formedJson({ error: detail }),
};

/** Apprise API's `is_json_response`: a client that asks for nothing is answered in the form it sent. */
const wantsJson = ({ headers }: Request): boolean => {
  const accept = headers.get("accept") ?? "*/*";
  return /json/i.test(accept.includes("*/*") ? (headers.get("content-type") ?? "") : accept);
};

const fieldsOf = (body: Fields): Fields =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]): [string, unknown] => {
      const ours = NAMES.get(name) ?? name;
      return [ours, ours === "tags" ? tagsOf(value) : value];
    }),
  );

/** Apprise's tags, in either form, choose who is notified; here they are tags. */
const tagsOf = (value: unknown): unknown[] =>
  (Array.isArray(value) ? list(value) : [value]).flatMap((each) =>
    (scalar(each) ?? "").slice(0, MAX_READ).split(/[\s,|&+]+/),
  );
