/**
 * A route is declared once, and its declaration reads, refuses and describes (keys/endpoint.ts has the order). Of Elysia only
 * the router is used: its `schema`, `resolve` and macros would judge a body before the key was looked at, and each of its
 * hooks costs every request (measured).
 */
import type { Static, TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import { readJson, readOptionalJson } from "./body.ts";
import type { Parameter, Query } from "./query.ts";

/** The method and path of a route: `GET /v1/:ns/topics`. */
export type Address = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

type Names<A extends string> = A extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : A extends `${string}:${infer Name}`
    ? Name
    : never;
/** The values of the parameters in an address; empty if their escapes are broken. */
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
  | "forwards"
  | "server";

/** What the OpenAPI document says of a route. */
export interface Documented {
  summary: string;
  description?: string;
  /** Answers that are not problems, by status. */
  answers: Readonly<Record<number, Answer>>;
  /** Statuses of the problems that its room throws; those of its declaration are added. */
  problems?: readonly number[];
  /** Parameters that a grammar of the room reads, which refuses nothing: those of pings, publishes and hooks. */
  grammar?: readonly Described[];
}

interface Answer {
  description: string;
  schema?: TSchema;
  /** The media type of the body; default `application/json`. */
  type?: string;
}

interface Described extends Pick<Parameter<unknown>, "schema" | "description" | "required"> {
  name: string;
  in?: "query" | "header";
}

/** A body: how the document describes it, and how it is read. */
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

/** The part of a declaration that the document and the router need. */
export interface Declared extends Documented {
  /** Who may call. */
  scope: string;
  limit?: readonly string[];
  query?: Query;
  body?: Pick<Body<unknown>, "required" | "content">;
}

/** Statuses that a key is refused with; 404 is for a namespace that cannot exist. */
const KEY_PROBLEMS = [401, 403, 404];

/** The `detail` of an Elysia route. `byKey`: it needs an API key of the scope. */
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
    responses: Object.fromEntries([...refused, ...answered]) as Record<string, object>,
  } as DocumentDecoration; // Elysia's type is for OpenAPI 3.0, our schemas are for 3.1
}
