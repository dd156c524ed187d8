/**
 * A route is declared once, and what it says of itself is what reads and refuses (keys/endpoint.ts has the order). Of
 * Elysia only the router is used: its `schema`, `resolve` and macros would judge a body before anybody has asked for the
 * key, and each of its hooks costs every request (measured).
 */
import type { Static, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { readJson, readOptionalJson } from "./body.ts";
import type { Parameter, Query } from "./query.ts";

/** Where a route stands: `GET /v1/:ns/topics`. */
export type Address = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

type Names<A extends string> = A extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : A extends `${string}:${infer Name}`
    ? Name
    : never;
/** What stands behind the colons of an address; empty where its escapes are broken. */
export type ParamsOf<A extends Address> = Readonly<Record<Names<A>, string>>;

export type Tag =
  | "publish"
  | "topics"
  | "messages"
  | "events"
  | "keys"
  | "scheduled"
  | "pings"
  | "checks"
  | "hooks"
  | "devices"
  | "server";

/** What a route says of itself in the OpenAPI document. */
export interface Documented {
  summary: string;
  description?: string;
  /** Answers that are no problem, by status. */
  answers: Readonly<Record<number, Answer>>;
  /** Statuses of the problems that its room throws; those of its declaration come by themselves. */
  problems?: readonly number[];
  /** What is read by a grammar of the room, which refuses nothing: of a ping, of a publish, of a hook. */
  grammar?: readonly Described[];
}

interface Answer {
  description: string;
  schema?: TSchema;
  /** Of the body; default `application/json`. */
  type?: string;
}

interface Described extends Pick<Parameter<unknown>, "schema" | "description" | "required"> {
  name: string;
  in?: "query" | "header";
}

/** A body as the document has it, and how it is read. */
export interface Body<T> {
  required: boolean;
  content: Readonly<Record<string, { schema: TSchema }>>;
  /** @throws Problem */
  read(request: Request): Promise<T>;
}

const JSON_PROBLEMS = [400, 413, 415, 422];

/** A JSON body of this schema. */
export const jsonBody = <T extends TSchema>(schema: T): Body<Static<T>> => ({
  required: true,
  content: { "application/json": { schema } },
  read: async (request) => readJson(request, schema),
});

/** A JSON body that may be left out: then it is `{}`. */
export const optionalJson = <T extends TSchema>(schema: T): Body<Static<T>> => ({
  required: false,
  content: { "application/json": { schema } },
  read: async (request) => readOptionalJson(request, schema),
});

/** What of a declaration the document and the router need. */
export interface Declared extends Documented {
  /** Who may call. */
  scope: string;
  limit?: readonly string[];
  query?: Query;
  body?: Pick<Body<unknown>, "required" | "content">;
}

/** Statuses that a key is refused with; 404 is for a namespace that cannot be. */
const KEY_PROBLEMS = [401, 403, 404];

/** The `detail` of an Elysia route. `byKey`: an API key of the scope is needed. */
export function described(tag: Tag, declared: Declared, byKey: boolean): DocumentDecoration {
  const { scope, limit, query, body, grammar = [], summary, description, answers, problems = [] } = declared;
  const inQuery = Object.entries(query ?? {}).map(([name, { schema, isList, description, required }]) => ({
    ...{ name, in: "query", schema },
    ...(isList && { style: "form", explode: false }),
    ...(description !== undefined && { description }),
    ...(required && { required }),
  }));
  const parameters = [...inQuery, ...grammar.map((each) => ({ in: "query", ...each }))];
  const answered = Object.entries(answers).map(([status, { description, schema, type = "application/json" }]) => [
    status,
    { description, ...(schema === undefined ? {} : { content: { [type]: { schema } } }) },
  ]);
  const refusals = [
    ...(byKey ? KEY_PROBLEMS : []),
    ...(query === undefined ? [] : [400]),
    ...(body !== undefined && "read" in body ? JSON_PROBLEMS : []),
    ...(limit === undefined ? [] : [429]),
    ...problems,
  ];
  const refused = [...new Set(refusals)].map((status) => [String(status), { $ref: "#/components/responses/Problem" }]);
  return {
    ...{ "x-scope": scope, tags: [tag], summary },
    ...(description === undefined ? {} : { description }),
    security: byKey ? [{ bearer: [scope] }, { basic: [scope] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body === undefined ? {} : { requestBody: { required: body.required, content: body.content } }),
    responses: Object.fromEntries([...answered, ...refused]) as Record<string, object>,
  } as DocumentDecoration; // Elysia's type is of OpenAPI 3.0, our schemas are of 3.1
}
