/** Which of the routes below `/-/` require the password once more, compared with docs/dashboard.md. */
import { afterAll, expect, test } from "bun:test";
import { deskAs } from "../support/desk.ts";
import { pageAt } from "../support/page.ts";
import { guarded } from "./guarded.ts";

const all = await guarded();
afterAll(async () => all[Symbol.asyncDispose]());
const { clock, cookies, peal, routes, ask } = all;

const both = (path: string) => [`GET ${path}`, `POST ${path}`];
/** The routes, by the rows of that page. */
const ASKED: Record<string, readonly string[]> = {
  topics: ["replace", "delete"].flatMap((what) => both(`/-/topics/:key/${what}`)),
  checks: both("/-/checks/:id/rotate"),
  hooks: both("/-/topics/:key/hooks/:id/rotate"),
  keys: ["POST /-/keys", "POST /-/setup/message"],
  "delete a namespace, people": [
    ...both("/-/settings/namespaces/:name/delete"),
    ...["new", ":id", ":id/password", ":id/remove"].flatMap((what) => both(`/-/settings/people/${what}`)),
  ],
  backups: ["GET /-/settings/backups/:name"],
  "your own sessions, your own password": both("/-/settings/password"),
};

test("the password is required once more after 10 minutes, by these and by no others", async () => {
  clock.advance(10 * 60_000);
  const admin = deskAs(peal, cookies.admin);
  const asking: string[] = [];
  const isLast = (name: string) => Number(/\/(?:logout|end)$/.test(name)); // these end the session that sends the request
  for (const route of routes.toSorted((a, b) => isLast(a.name) - isLast(b.name))) {
    if (route.template === "/-/events") continue; // never ends
    const { location } = await ask(admin, route);
    if (location?.startsWith("/-/confirm") === true) asking.push(route.name);
  }
  expect(asking.toSorted()).toEqual(Object.values(ASKED).flat().toSorted());
});

test("docs/dashboard.md names them", () => {
  const rows = pageAt("docs/dashboard.md").matchAll(/^\| ([^|]+?) +\|[^|]+\| ([^|]+?) +\|$/gm);
  const named = [...rows].filter(([, , asks = ""]) => !/^(?:no|-+|asks .*)$/.test(asks));
  expect(named.map(([, what]) => what)).toEqual(Object.keys(ASKED));
});
