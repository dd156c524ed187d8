/** Every route states who may use it and what it accepts, and complies (ARCHITECTURE.md §3). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Scope, SCOPES } from "../../src/keys/key.ts";
import { createApp } from "../../src/server/app.ts";
import { newCheck } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { person, SAME_SITE, signedIn } from "../support/signin.ts";

interface Schema {
  type?: string;
  items?: { enum?: string[] };
  enum?: string[];
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
}
interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}
interface Operation {
  parameters?: Parameter[];
  security?: Record<string, string[]>[];
  "x-scope"?: string;
}

/** The next smaller scopes, and for those that exclude each other the other one. */
const SMALLER: Record<string, readonly Scope[]> = {
  ...{ admin: ["full"], full: ["publish", "read"], publish: ["read"], read: ["publish"] },
};
const TOKEN = "0123456789abcdefghjkmnpqrs";

let peal: InProcess;
let operations: { method: string; path: string; operation: Operation }[];
let topic: string;
let message: string;
let check: string;
const keys = new Map<string, string>();
beforeAll(async () => {
  peal = await inProcess();
  ({ key: topic } = await peal.topic("walked"));
  message = String((await peal.publish({ namespace: "home", name: "walked" }, { message: "m" }))?.id);
  check = (await newCheck(peal)).id;
  for (const scope of SCOPES) keys.set(scope, (await peal.mint(scope)).key);
  const { paths } = await answer<{ paths: Record<string, Record<string, Operation>> }>(
    200,
    await peal.request("/openapi.json"),
  );
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** The route's path with the address of an existing topic, message and check, and plausible values for the rest. */
const filled = (path: string): string =>
  path
    .replace("{ns}", "home")
    .replace("{version}", "v3")
    .replace("/checks/{id}", `/checks/${check}`)
    .replace(/\/messages\/\{id\}/, `/messages/${message}`)
    .replace(/\{(?:key|topic)\}/, topic)
    .replace("{file}", `${TOKEN}.svg`)
    .replaceAll(/\{\w+\}/g, TOKEN);

const ask = async (method: string, path: string, key?: string): Promise<Response> =>
  peal.request(path, { method, ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }) });

interface Mounted {
  method: string;
  path: string;
  hooks: { detail?: { "x-scope"?: string } };
  handler: { who?: string };
}
const mounted = () => createApp(peal.running.deps).routes as unknown as Mounted[];

test("each route of the app states who may use it", () => {
  const routes = mounted();
  expect(routes.length).toBeGreaterThan(150);
  // routes that only answer 405 where a less specific template would match accept nothing
  const refusing = createApp(peal.running.deps).table.shadowed();
  const isRefusing = (route: Mounted) =>
    refusing.some(({ method, path }) => method === route.method && path === route.path);
  const mute = routes.filter(
    (route) => route.hooks.detail?.["x-scope"] === undefined && route.handler.who === undefined && !isRefusing(route),
  );
  expect(mute.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});

test("pages enforce what their mount states: visitors are redirected to the login, people who are not admins are kept out", async () => {
  await person(peal, { name: "jonas" }); // the first person is an admin
  const cookie = await signedIn(peal, { namespaces: ["home"] });
  let kept = 0;
  for (const { method, path, handler } of mounted()) {
    const { who = "everybody" } = handler;
    if (who === "everybody") continue;
    const headers = { accept: "text/html", ...SAME_SITE };
    const address = path.replaceAll(/:\w+/g, "1");
    const stranger = await peal.request(address, { method, headers });
    const isForm = method === "POST";
    expect([method, path, stranger.status]).toEqual([method, path, isForm ? 401 : 303]);
    if (!isForm) expect(stranger.headers.get("location")).toStartWith("/-/login?to=");
    if (!who.startsWith("admin")) continue;
    const { status } = await peal.request(address, { method, headers: { ...headers, cookie } });
    expect([method, path, [403, 404].includes(status)]).toEqual([method, path, true]);
    kept++;
  }
  expect(kept).toBeGreaterThan(15);
});

test("routes enforce what their document states about keys: 401 without one, 403 with the next smaller scope", async () => {
  let refused = 0;
  for (const { method, path, operation } of operations) {
    const [scope] = operation.security?.[0]?.["bearer"] ?? [];
    expect([method, path, operation["x-scope"] ?? ""]).not.toContain("");
    if (scope === undefined) continue;
    expect([method, path, scope]).toEqual([method, path, operation["x-scope"] ?? ""]);
    expect([method, path, (await ask(method, filled(path))).status]).toEqual([method, path, 401]);
    for (const smaller of SMALLER[scope] ?? []) {
      const { status } = await ask(method, filled(path), keys.get(smaller));
      expect([method, path, smaller, status]).toEqual([method, path, smaller, 403]);
      refused++;
    }
  }
  expect(refused).toBeGreaterThan(70);
});

/** A value that the schema refuses; undefined if it accepts any text. */
function outside({ type, items, enum: words = items?.enum, minimum, maximum, maxLength, pattern }: Schema) {
  if (words !== undefined) return "none-of-them";
  if (type === "integer")
    return String((maximum ?? 0) < Number.MAX_SAFE_INTEGER ? (maximum ?? 0) + 1 : (minimum ?? 0) - 1);
  if (maxLength !== undefined) return "x".repeat(maxLength + 1);
  return pattern === undefined ? undefined : " ";
}

test("each documented parameter is read: out of range it is refused by name", async () => {
  let refused = 0;
  for (const { method, path, operation } of operations)
    for (const { name, in: where, schema } of operation.parameters ?? []) {
      const value = outside(schema);
      // pings, publishes and hooks refuse nothing: their rooms have their own parsers
      if (where !== "query" || value === undefined || ["ping token", "publish"].includes(operation["x-scope"] ?? ""))
        continue;
      const asked = `${filled(path)}?${new URLSearchParams({ [name]: value }).toString()}`;
      const response = await ask(method, asked, operation.security?.length === 0 ? undefined : keys.get("admin"));
      expect([method, path, name, response.status]).toEqual([method, path, name, 400]);
      expect(await response.json()).toMatchObject({ code: `invalid_${name}` });
      refused++;
    }
  expect(refused).toBeGreaterThan(25);
});
