/** A client of Healthchecks' API, and the forms of what it is answered (https://github.com/healthchecks/healthchecks). */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { expect } from "bun:test";
import { heldClock } from "../../support/clock.ts";
import { inProcess, type TestServer } from "../../support/server.ts";

/** Asks with this key in `X-Api-Key`; returns the status and the JSON. */
export const asker =
  (peal: TestServer, key: string, version = "v3") =>
  async (method: string, path: string, body?: object | string): Promise<[number, Answered]> => {
    const response = await peal.request(`/api/${version}${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json" },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    return [response.status, (await response.json()) as Answered];
  };

/** What an answer may have; tests say what it has. */
export interface Answered {
  error?: string;
  uuid?: string;
  unique_key?: string;
  ping_url?: string;
  status?: string;
  checks?: Answered[];
  ignored?: { path: string; message: string }[];
  [field: string]: unknown;
}

export type Healthchecks = Awaited<ReturnType<typeof startHealthchecks>>;

/** A server with a key that may change checks and one that reads, and what asks it with the first. */
export async function startHealthchecks() {
  const clock = heldClock();
  const peal = await inProcess({ clock });
  const full = (await peal.mint("full")).key;
  const read = (await peal.mint("read")).key;
  const ask = async (method: string, path: string, body?: object | string, version = "v3") =>
    asker(peal, full, version)(method, path, body);
  /** Makes a check. */
  const made = async (body: object, version = "v3"): Promise<Answered & { uuid: string; ping_url: string }> => {
    const [status, check] = await ask("POST", "/checks/", body, version);
    expect([status, check]).toEqual([201, check]);
    return check as Answered & { uuid: string; ping_url: string };
  };
  const one = async (uuid: string, version = "v3") => (await ask("GET", `/checks/${uuid}`, undefined, version))[1];
  return {
    ...{ peal, clock, full, read, ask, made, one },
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
  };
}

/** The value as a client's decoder takes it. @throws Error that names what the client could not read */
export function decoded<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const [error] = Value.Errors(schema, value);
  if (error !== undefined) throw new Error(`${error.path}: ${error.message}, not ${JSON.stringify(error.value)}`);
  return value;
}

/** `isoformat` of Python, without fractions. */
export const ISO = Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\+00:00$" });
export const UUID = Type.String({ pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$" });
export const URL_FORM = Type.String({ pattern: "^http://127\\.0\\.0\\.1:\\d+/" });
export const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** All fields that `Check.to_dict` of Healthchecks gives a key that may change checks, and no other (hc/api/models.py, `CheckDict`). */
const common = {
  ...{ name: Type.String(), slug: Type.String(), tags: Type.String(), desc: Type.String(), grace: Type.Integer() },
  ...{ n_pings: Type.Integer(), started: Type.Boolean(), last_ping: orNull(ISO), next_ping: orNull(ISO) },
  status: Type.Union(["new", "up", "grace", "down", "paused", "started"].map((word) => Type.Literal(word))),
  ...{ manual_resume: Type.Boolean(), methods: Type.Union([Type.Literal(""), Type.Literal("POST")]) },
  ...{ subject: Type.String(), subject_fail: Type.String(), start_kw: Type.String(), success_kw: Type.String() },
  ...{ failure_kw: Type.String(), filter_subject: Type.Boolean(), filter_body: Type.Boolean() },
  ...{ filter_http_body: Type.Boolean(), filter_default_fail: Type.Boolean(), badge_url: URL_FORM },
  last_duration: Type.Optional(Type.Integer()),
  ...{ timeout: Type.Optional(Type.Integer()), schedule: Type.Optional(Type.String()) },
  tz: Type.Optional(Type.String()),
};
export const CheckDict = Type.Object(
  {
    ...common,
    ...{ uuid: UUID, ping_url: URL_FORM, update_url: URL_FORM, pause_url: URL_FORM, resume_url: URL_FORM },
    channels: UUID,
  },
  { additionalProperties: false },
);
/** The same for a key that only reads. */
export const ReadOnlyDict = Type.Object(
  { ...common, unique_key: Type.String({ pattern: "^[0-9a-f]{40}$" }) },
  { additionalProperties: false },
);
