/** `/v1/summary`: a namespace in flat numbers, as widgets of home dashboards read them (docs/widgets.md). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { newCheck } from "../support/checks.ts";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { answer } from "../support/client.ts";
import { fencesOf, pageAt } from "../support/page.ts";
import { inProcess, type InProcess } from "../support/server.ts";

let clock: HeldClock;
let peal: InProcess;
beforeAll(async () => {
  clock = heldClock();
  peal = await inProcess({ clock });
});
afterAll(async () => peal[Symbol.asyncDispose]());

type Summary = Record<string, unknown>;
const summary = async (): Promise<Summary> => answer<Summary>(200, await peal.api("GET", "/v1/summary"));

test("it counts checks by state, messages by level and what is open, and each sum is right", async () => {
  expect(await summary()).toMatchObject({ namespace: "home", status: "ok", checks: 0, messages_24h: 0 });
  const up = await newCheck(peal, { name: "up", every: "1d" });
  const down = await newCheck(peal, { name: "down", every: "1d" });
  const paused = await newCheck(peal, { name: "paused", every: "1d" });
  await newCheck(peal, { name: "new", every: "1d" });
  const late = await newCheck(peal, { name: "late", every: "1m", grace: "1h" });
  for (const { ping_url } of [up, late]) await peal.request(ping_url);
  await peal.request(`${down.ping_url}/fail`);
  await answer(200, await peal.api("POST", `/v1/home/checks/${paused.id}/pause`));
  const topic = await peal.topic("levels");
  for (const level of ["info", "success", "warning", "error", "error"])
    await peal.publish(topic, { message: "m", level });
  await peal.publish(topic, { message: "m", dedup_key: "x", status: "firing" });
  clock.advance(120_000);
  const found = await summary();
  expect(found).toMatchObject({
    ...{ status: "down", checks: 5, checks_up: 1, checks_late: 1, checks_down: 1, checks_paused: 1, checks_new: 1 },
    ...{ incidents_open: 1, alerts_open: 1, pushes_failed_24h: 0 },
    // the alert of the check that is down is an error as well
    ...{
      messages_24h: 7,
      messages_24h_info: 2,
      messages_24h_success: 1,
      messages_24h_warning: 1,
      messages_24h_error: 3,
    },
  });
  expect(found["last_message_at"]).toMatch(/^\d{4}-/);
  expect(found).not.toHaveProperty("last_backup_at");
});

test("a key that reads and the operator read it, a publish key does not", async () => {
  const ask = async (scope: "read" | "full" | "publish") => {
    const { key } = await peal.mint(scope);
    return (await peal.request("/v1/summary", { headers: { authorization: `Bearer ${key}` } })).status;
  };
  expect([await ask("read"), await ask("full"), await ask("publish")]).toEqual([200, 200, 403]);
  expect((await peal.request("/v1/summary")).status).toBe(401);
  expect((await peal.local("/v1/summary?namespace=home")).status).toBe(200);
});

const FIELD = /field: (\w+)|\.JSON\.\w+ "(\w+)"|data\.summary\?\.(\w+)/g;
test.each(["Homepage", "Glance", "Homarr"])(
  "the fields of the widget for %s exist, in the answer and in the document",
  async (tool) => {
    const [, section = ""] =
      new RegExp(`^## ${tool}\\n([^]*?)(?=^## |\\s*$(?![^]))`, "m").exec(pageAt("docs/widgets.md")) ?? [];
    const fields = [...section.matchAll(FIELD)].map(([, ...groups]) => groups.find(Boolean) ?? "");
    expect(fields.length).toBeGreaterThan(2);
    const found = await summary();
    expect(fields.filter((field) => !(field in found))).toEqual([]);
  },
);

test("the definition for Homarr is JSON, and asks for the summary", () => {
  const definition = fencesOf(pageAt("docs/widgets.md")).find(({ language }) => language === "json")?.text ?? "";
  expect(JSON.parse(definition)).toMatchObject({ requests: { summary: { path: "/v1/summary" } } });
});

test("the page explains every field", async () => {
  const page = pageAt("docs/widgets.md");
  const named = Object.keys(await summary()).filter((field) => field !== "namespace" && !/^messages_24h_/.test(field));
  expect(named.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});
