/** The OpenAPI document (API.md §2): valid for tools, and with every path that a client may request. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { ROWS } from "../../src/messages/reading/fields.ts";
import { answer } from "../support/client.ts";
import { startPeal, type Peal } from "../support/server.ts";

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content?: Record<string, object> };
  responses?: Record<string, object>;
}

let peal: Peal;
let paths: [template: string, methods: Record<string, Operation>][];
beforeAll(async () => {
  peal = await startPeal();
  const document = await answer<{ paths: Record<string, Record<string, Operation>> }>(
    200,
    await peal.request("/openapi.json"),
  );
  paths = Object.entries(document.paths);
});
afterAll(async () => peal[Symbol.asyncDispose]());

test("it is OpenAPI 3.1 for this server, and the page shows the same", async () => {
  const document = await answer<{ openapi: string; servers: object[] }>(200, await peal.request("/openapi.json"));
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: peal.url }] });
  const page = await (await peal.request("/docs")).text();
  for (const [template] of paths) expect(page).toContain(template);
});

test("no two templates differ only in the names of their parameters", () => {
  const shapes = paths.map(([template]) => template.replaceAll(/\{[^}]+\}/g, "{}"));
  expect(shapes.filter((shape, n) => shapes.indexOf(shape) !== n)).toEqual([]);
});

test("each operation describes the parameters of its path, and no others", () => {
  for (const [template, methods] of paths) {
    const named = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
    for (const [method, { parameters = [] }] of Object.entries(methods)) {
      const described = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      expect([method, template, described]).toEqual([method, template, named]);
    }
  }
});

test("each operation has a tag and a name; pages and assets without them are left out", () => {
  for (const [template, methods] of paths)
    for (const [method, { tags = [], summary = "" }] of Object.entries(methods))
      expect([method, template, tags.length, summary === ""]).toEqual([method, template, 1, false]);
  expect(paths.map(([template]) => template).filter((template) => template.startsWith("/-"))).toEqual([]);
});

test("each operation has its own id, from which generators make a name", () => {
  const ids = paths.flatMap(([, methods]) => Object.values(methods).map(({ operationId = "" }) => operationId));
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

/** The operations with this tag, that is all paths for a publish or a ping. */
const tagged = (tag: string) =>
  paths.flatMap(([template, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags?.[0] === tag)
      .map(([method, operation]) => ({ method, template, ...operation })),
  );

test("each publish says which fields the query and headers may set, and how to request strict handling", () => {
  const publishes = tagged("publish");
  const places = publishes.map(({ method, template }) => `${method} ${template}`);
  for (const template of ["/{ns}/{topic}", "/v1/{ns}/{key}/publish"])
    expect(places).toContainValues([`post ${template}`, `put ${template}`]);
  for (const { parameters = [], requestBody } of publishes) {
    const lacking = (where: string, ...names: string[]) =>
      names.filter((name) => !parameters.some((each) => each.in === where && each.name === name));
    const fields = ROWS.map(({ field }) => field);
    expect(lacking("query", "rewrite", "link", ...fields)).toEqual([]);
    const headers = fields.map((field) => `x-${field.replaceAll("_", "-")}`);
    expect(parameters.filter(({ name }) => headers.includes(name.toLowerCase()))).toHaveLength(headers.length);
    expect(lacking("header", "Prefer", "Idempotency-Key", "X-Title", "X-Dedup-Key")).toEqual([]);
    const types = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
    expect(Object.keys(requestBody?.content ?? {})).toContainValues(types);
  }
});

test("it contains each address for a ping, with what a job may say: a body, except for GET", () => {
  const pings = tagged("pings");
  const shapes = [
    "/v1/ping/{token}",
    "/v1/ping/{token}/{suffix}",
    "/v1/ping/{token}/{suffix}/{outcome}",
    "/api/push/{token}",
  ];
  expect(pings.map(({ method, template }) => `${method} ${template}`).toSorted()).toEqual(
    shapes.flatMap((shape) => ["get", "post", "put"].map((method) => `${method} ${shape}`)).toSorted(),
  );
  for (const { method, template, parameters = [], requestBody } of pings) {
    expect([template, method, requestBody !== undefined]).toEqual([template, method, method !== "get"]);
    const name = template.startsWith("/api/push/") ? "status" : "rid";
    expect(parameters.some((each) => each.in === "query" && each.name === name)).toBe(true);
  }
});

test.each([
  ["/openapi.json", "get"],
  ["/docs", "get"],
  ["/{ns}/{topic}", "get,post,put"],
  ["/{ns}/{name}/{key}", "get"],
  ["/{ns}/{key}/events", "get"],
  ["/{ns}/{key}/feed.atom", "get"],
  ["/{ns}/{key}/feed.json", "get"],
])("%s is in it: %s", (template, methods) => {
  const described = Object.keys(Object.fromEntries(paths)[template] ?? {});
  expect(described.sort().join()).toBe(methods);
});

test.each(["/{ns}/{topic}", "/{ns}/{key}/feed.atom", "/{ns}/{key}/feed.json", "/v1/{ns}/{key}/messages"])(
  "%s says how to ask for older messages, and what it refuses",
  (template) => {
    const { parameters = [], responses = {} } = Object.fromEntries(paths)[template]?.["get"] ?? {};
    expect(parameters.filter(({ name }) => name === "before")).toMatchObject([{ in: "query" }]);
    for (const status of ["200", "400", "404", "429", "503"]) expect(responses).toHaveProperty(status);
  },
);
