/** What a route says of itself in the OpenAPI document; nothing here validates. */
import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";

export interface Operation {
  tag:
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
  summary: string;
  description?: string;
  /** Needs an API key; `admin`: of that scope. */
  key?: boolean | "admin";
  /** Query parameters, and headers by `in`. */
  parameters?: { name: string; in?: "query" | "header"; required?: true; schema: TSchema; description?: string }[];
  body?: RequestBody;
  /** Answers that are no problem, by status. */
  answers: Record<number, Answer>;
  /** Statuses of problems it answers, beside those of a key: 401, 403, and 404 for a namespace that cannot be. */
  problems?: number[];
}

interface Answer {
  description: string;
  schema?: TSchema;
  /** Of the body; default `application/json`. */
  type?: string;
}

interface RequestBody {
  required: boolean;
  content: Record<string, { schema: TSchema }>;
}

/** A JSON body of this schema. */
export const jsonBody = (schema: TSchema, required = true): RequestBody => ({
  required,
  content: { "application/json": { schema } },
});

/** The `detail` of an Elysia route. */
export function operation({
  tag,
  summary,
  description,
  key,
  parameters,
  body,
  answers,
  problems = [],
}: Operation): DocumentDecoration {
  const refusals = [...(key === undefined || key === false ? [] : [401, 403, 404]), ...problems];
  const answered = Object.entries(answers).map(([status, { description, schema, type = "application/json" }]) => [
    status,
    { description, ...(schema === undefined ? {} : { content: { [type]: { schema } } }) },
  ]);
  const refused = [...new Set(refusals)].map((status) => [String(status), { $ref: "#/components/responses/Problem" }]);
  return {
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: key === undefined || key === false ? [] : [{ bearer: [] }, { basic: [] }],
    ...(parameters === undefined ? {} : { parameters: parameters.map((each) => ({ in: "query" as const, ...each })) }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: Object.fromEntries([...answered, ...refused]) as Record<string, object>,
  } as DocumentDecoration; // Elysia's type is of OpenAPI 3.0, our schemas are of 3.1
}
