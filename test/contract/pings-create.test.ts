/** Checks that are made by their first ping (CHECKINS.md §2). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { checkOf, kindsOf, ping, pingKeyUrl, type TestCheck } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { begin, rawRequest, statuses } from "../support/raw.ts";
import { startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
let url: string;
beforeAll(async () => {
  peal = await startPeal();
  url = await pingKeyUrl(peal);
});
afterAll(async () => peal[Symbol.asyncDispose]());

async function bySlug(slug: string): Promise<TestCheck> {
  const { checks } = await answer<{ checks: TestCheck[] }>(200, await peal.api("GET", "/v1/home/checks?limit=200"));
  const found = checks.find((check) => check["slug"] === slug);
  if (found === undefined) throw new Error(`no check has the slug ${slug}`);
  return found;
}

// prettier-ignore
const made: [query: string, record: object][] = [
  ["",                                              { every: 86_400, grace: 3_600, topic_name: "checks" }], // the same as Healthchecks
  ["&every=6h&grace=10m",                           { every: 21_600, grace: 600 }],
  ["&every=30&grace=0",                             { every: 30, grace: 0 }],
  ["&cron=30%202%20*%20*%20*&tz=Europe/Berlin",     { cron: "30 2 * * *", timezone: "Europe/Berlin" }],
  ["&cron=30+2+*+*+*&tz=europe%2Fberlin",           { cron: "30 2 * * *", timezone: "Europe/Berlin" }],
  ["&cron=@daily",                                  { cron: "@daily" }],
  ["&every=1d&topic=backups&name=The%20backup",     { topic_name: "backups", name: "The backup" }],
];
test.each(made)("?create=1%s", async (query, record) => {
  const slug = `made-${made.findIndex(([one]) => one === query)}`;
  expect(await ping(peal, `${url}/${slug}`)).toEqual([404, "not found"]);
  expect(await ping(peal, `${url}/${slug}?create=1${query}`)).toEqual([201, "created"]);
  const { id } = await bySlug(slug);
  expect(await checkOf(peal, id)).toMatchObject({ slug, name: slug, state: "up", ...record });
  expect(await ping(peal, `${url}/${slug}/start?create=1&every=1h&topic=other`)).toEqual([200, "ok"]);
  expect(await ping(peal, `${url}/${slug}/log`)).toEqual([200, "ok"]);
  expect(await checkOf(peal, id)).toMatchObject(record); // a later ping changes nothing
  expect(await kindsOf(peal, id)).toEqual(["ok", "start", "log"]);
});

test.each([
  ["start", ["start"]],
  ["fail", ["fail", "down"]],
  ["3", ["fail", "down"]],
  ["log", ["log"]],
])("the first ping may be /%s, with a body", async (suffix, kinds) => {
  const target = `${url}/first-${suffix}-/${suffix}?create=1`;
  expect(await ping(peal, target, { method: "POST", body: "it said" })).toEqual([201, "created"]);
  const { id } = await bySlug(`first-${suffix}-`);
  expect(await kindsOf(peal, id)).toEqual(kinds);
  expect(await (await peal.api("GET", `/v1/home/checks/${id}/events/1/body`)).text()).toBe("it said");
});

test("the first ping may hold back its body", async () => {
  const target = `${new URL(url).pathname}/slowly?create=1&every=1h`;
  const { finish } = await begin(peal.url, "POST", target, {}, "it said");
  const { id } = await eventually("the check", async () => bySlug("slowly").catch(() => undefined));
  await eventually("the ping", async () => (await kindsOf(peal, id)).length > 0);
  expect(statuses(await finish())).toEqual([201]);
  expect(await kindsOf(peal, id)).toEqual(["ok", "log"]);
  expect(await (await peal.api("GET", `/v1/home/checks/${id}/events/2/body`)).text()).toBe("it said");
});

// prettier-ignore
test.each([
  ["every=1s",                   "invalid_every"],
  ["every=366d",                 "invalid_every"],
  ["every=often",                "invalid_every"],
  ["every=1h&every=2h",          "invalid_every"],
  ["grace=-1",                   "invalid_grace"],
  ["cron=99+*+*+*+*",            "invalid_cron"],
  ["cron=0+0+31+2+*",            "invalid_cron"],
  ["every=1h&cron=@daily",       "invalid_cron"],
  ["cron=@daily&tz=Mars/Olympus", "invalid_tz"],
  ["every=1h&tz=Europe/Berlin",  "invalid_tz"],
  ["topic=a%20b",                "invalid_topic"],
])("?create=1&%s makes nothing, and says why", async (query, code) => {
  const problem = await answer<{ code: string; detail: string }>(400, await peal.request(`${url}/bad?create=1&${query}`));
  expect(problem.code).toBe(code);
  expect(problem.detail).toContain(`\`${code.replace("invalid_", "")}\``);
  expect(await ping(peal, `${url}/bad`)).toEqual([404, "not found"]);
});

test("nothing is made without the key, with another value, or for an unknown topic key", async () => {
  const unknown = "0123456789abcdefghjkmnpqrs";
  expect(await ping(peal, `/v1/ping/pk_${unknown}/job?create=1`)).toEqual([404, "not found"]);
  for (const value of ["", "0", "true", "2"])
    expect(await ping(peal, `${url}/never?create=${value}`)).toEqual([404, "not found"]);
  for (const slug of ["start", "12", "Upper", "a".repeat(65)])
    expect(await ping(peal, `${url}/${slug}?create=1`)).toEqual([404, "not found"]);
  expect(await answer(404, await peal.request(`${url}/never?create=1&topic=x-${unknown}`))).toMatchObject({
    code: "unknown_topic",
  });
  expect(await ping(peal, `${url}/never`)).toEqual([404, "not found"]);
});

test("of many simultaneous first pings one makes the check, and all are recorded", async () => {
  const { pathname } = new URL(url);
  const sockets = Array.from({ length: 32 }, () => connect(Number(new URL(peal.url).port), "127.0.0.1"));
  await Promise.all(sockets.map(async (socket) => once(socket, "connect")));
  const heard = sockets.map(async (socket) => String((await once(socket, "data"))[0]));
  for (const socket of sockets) socket.write(rawRequest("GET", `${pathname}/raced/log?create=1`));
  const codes = (await Promise.all(heard)).flatMap(statuses);
  for (const socket of sockets) socket.destroy();
  expect(codes.sort()).toEqual([...Array<number>(31).fill(200), 201]);
  const { id } = await bySlug("raced");
  expect(await kindsOf(peal, id)).toEqual(Array<string>(32).fill("log"));
});

test("the topic of alerts is made with the first check that names it", async () => {
  expect(await ping(peal, `${url}/told/1?create=1&topic=nightly`)).toEqual([201, "created"]);
  const { topic, ping_url } = await bySlug("told");
  peal.secrets.add(ping_url.split("/").at(-1) ?? "");
  const [alert] = await peal.history({ namespace: "home", key: topic });
  expect(alert).toMatchObject({ topic_name: "nightly", source: "check", level: "error" });
});
