/** The OpenAPI document (API.md §2): a form that tools accept, and every path that a client may ask. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { startPeal, type Peal } from "../support/server.ts";

interface Operation {
  operationId?: string;
  tags?: string[];
  summary?: string;
  parameters?: { name: string; in: string; required?: boolean }[];
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

test("it is OpenAPI 3.1, of this server, and the page shows the same", async () => {
  const document = await answer<{ openapi: string; servers: object[] }>(200, await peal.request("/openapi.json"));
  expect(document).toMatchObject({ openapi: "3.1.0", servers: [{ url: peal.url }] });
  const page = await (await peal.request("/docs")).text();
  for (const [template] of paths) expect(page).toContain(template);
});

test("no two templates are the same but for the names of their parameters", () => {
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

test("each operation has a place and a name; pages and assets that have none are left out", () => {
  for (const [template, methods] of paths)
    for (const [method, { tags = [], summary = "" }] of Object.entries(methods))
      expect([method, template, tags.length, summary === ""]).toEqual([method, template, 1, false]);
  expect(paths.map(([template]) => template).filter((template) => template.startsWith("/-"))).toEqual([]);
});

test("each operation has an id of its own, which generators make a name of", () => {
  const ids = paths.flatMap(([, methods]) => Object.values(methods).map(({ operationId = "" }) => operationId));
  expect(ids.filter((id) => !/^[a-z]+[A-Z][A-Za-z0-9]*$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a publish says which fields stand in the query and in headers, and how strictness is asked for", () => {
  const { parameters = [] } = Object.fromEntries(paths)["/{ns}/{topic}"]?.["post"] ?? {};
  const lacking = (where: string, ...names: string[]) =>
    names.filter((name) => !parameters.some((each) => each.in === where && each.name === name));
  expect(lacking("query", "title", "level", "dedup_key", "delay", "rewrite")).toEqual([]);
  expect(lacking("header", "Prefer", "Idempotency-Key", "X-Title", "X-Priority", "X-Dedup-Key")).toEqual([]);
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
