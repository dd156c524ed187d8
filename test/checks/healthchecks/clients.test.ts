/**
 * Clients of Healthchecks, replayed from their sources: their requests, header by header, and a decoder of the fields that each
 * reads (CHECKINS.md §10). The sources are named where a client begins.
 */
import { type TSchema, Type } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newCheck, ping, type TestCheck } from "../../support/checks.ts";
import { answers, converse, rawRequest, statuses } from "../../support/raw.ts";
import { startPeal, type Peal } from "../../support/server.ts";
import { asker, decoded, ISO, orNull } from "./asking.ts";

let peal: Peal;
let full: string;
let read: string;
let up: TestCheck;
let down: TestCheck;
beforeAll(async () => {
  peal = await startPeal();
  full = (await peal.mint("full")).key;
  read = (await peal.mint("read")).key;
  up = await newCheck(peal, { name: "up", slug: "up", every: 3600, tags: ["nas"] });
  down = await newCheck(peal, { name: "down", cron: "30 2 * * *", timezone: "Europe/Berlin" });
  await newCheck(peal, { name: "never", every: 60 });
  await newCheck(peal, { name: "nothing is expected" });
  await ping(peal, up.ping_url);
  await ping(peal, `${down.ping_url}/fail`);
});
afterAll(async () => peal[Symbol.asyncDispose]());

const list = <T extends TSchema>(check: T) => Type.Object({ checks: Type.Array(check) });
const get = async (path: string, headers: Record<string, string>): Promise<unknown> =>
  (await peal.request(path, { headers })).json();

describe("Homepage's tile (gethomepage/homepage, src/widgets/healthchecks and utils/proxy/handlers/credentialed.js)", () => {
  const headers = (key: string) => ({ "content-type": "application/json", "x-api-key": key });

  test("counts the checks of a key that only reads", async () => {
    // api: "{url}/api/v3/{endpoint}/{uuid}", and without a uuid nothing stands behind the slash
    const { checks } = decoded(
      list(Type.Object({ status: Type.String() })),
      await get("/api/v3/checks/", headers(read)),
    );
    const count = (status: string) => checks.filter((check) => check.status === status).length;
    expect([count("up"), count("down"), checks.length]).toEqual([1, 1, 4]);
  });

  test("shows one check by its UUID, its unique key or its id here", async () => {
    const One = Type.Object({ status: Type.String(), last_ping: orNull(ISO) });
    const [, { checks: ofReader = [] }] = await asker(peal, read)("GET", "/checks/?slug=up");
    const [, { checks: ofOwner = [] }] = await asker(peal, full)("GET", "/checks/?slug=up");
    for (const name of [ofOwner[0]?.uuid, ofReader[0]?.unique_key, up.id]) {
      const check = decoded(One, await get(`/api/v3/checks/${name ?? ""}`, headers(read)));
      expect([check.status, Number.isNaN(Date.parse(check.last_ping ?? ""))]).toEqual(["up", false]);
    }
  });
});

test("Heimdall's tile counts what is up and down (linuxserver/Heimdall-Apps, Healthchecks/Healthchecks.php)", async () => {
  const headers = { accept: "application/json", "x-api-key": read };
  const { checks } = decoded(list(Type.Object({ status: Type.String() })), await get("/api/v3/checks/", headers));
  const count = (status: string) => checks.filter((check) => check.status === status).length;
  expect([count("up"), count("down")]).toEqual([1, 1]);
  // test(): what is not 200 is shown as an error, and a body without `checks` as inactive
  const refused = await peal.request("/api/v3/checks/", { headers: { ...headers, "x-api-key": "" } });
  expect([refused.status, await refused.json()]).toEqual([401, { error: "missing api key" }]);
});

describe("Home Assistant's component (custom-components/healthchecksio: config_flow.py, coordinator.py, binary_sensor.py)", () => {
  const token = () => up.ping_url.split("/").at(-1) ?? "";

  test("is set up with the site, the ping endpoint `v1/ping` and the end of a ping URL", async () => {
    const [status] = await ping(peal, `${peal.url}/v1/ping/${token()}`);
    const response = await peal.request("/api/v1/checks/", { headers: { "x-api-key": read } });
    expect([status, response.status]).toEqual([200, 200]);
  });

  test.each(["full", "read"])("makes an entity of each check with a key of scope %s", async (scope) => {
    const Check = Type.Object({
      ...{ name: Type.String(), status: Type.String(), last_ping: orNull(ISO) },
      ...{ ping_url: Type.Optional(Type.String()), unique_key: Type.Optional(Type.String()) },
    });
    const answered = await get("/api/v1/checks/", { "x-api-key": scope === "full" ? full : read });
    const { checks } = decoded(list(Check), answered);
    // _attr_unique_id
    const ids = checks.map(({ ping_url, unique_key }) => ping_url?.split("/").at(-1) ?? unique_key);
    expect([ids.includes(undefined), new Set(ids).size]).toEqual([false, checks.length]);
    expect(checks.filter(({ status }) => status === "down").map(({ name }) => name)).toEqual(["down"]);
  });
});

describe("Ansible's collection (ansible-collections/community.healthchecksio: plugins/module_utils/healthchecksio.py)", () => {
  /** `HealthchecksioHelper.send`. A GET too has the body `null`, which fetch refuses to send. */
  const send = async (method: string, path: string, data?: object) => {
    const response = await peal.request(`/api/v1/${path}`, {
      method,
      headers: { "x-api-key": full },
      ...(method === "POST" && { body: JSON.stringify(data ?? null) }),
    });
    return [response.status, await response.json()] as [number, Record<string, unknown>];
  };
  const PARAMS = {
    ...{ name: "ansible", tags: "nas weekly", desc: "made by a play", timeout: 3600, grace: 600, manual_resume: false },
    ...{ methods: "", channels: "", unique: ["name"], slug: "", management_api_base_url: "x", ping_api_token: null },
  };

  test("makes a check, and by the next run finds it as it wants it", async () => {
    const bodied = rawRequest("GET", "/api/v1/checks", { "x-api-key": full }, "null");
    expect(statuses(await converse(peal.url, bodied, answers(1)))).toEqual([200]);
    const [status, made] = await send("POST", "checks/", PARAMS);
    expect(status).toBe(201);
    // _find_existing_check: what it compares, besides channels and grace
    const [, { checks }] = (await send("GET", "checks")) as [number, { checks: Record<string, unknown>[] }];
    const [found] = checks.filter((check) => check["name"] === PARAMS.name);
    const { name, tags, desc, timeout, manual_resume, methods, slug } = PARAMS;
    expect(found).toMatchObject({ name, tags, desc, timeout, manual_resume, methods, slug });
    expect((await send("POST", "checks/", PARAMS))[0]).toBe(200);

    // get_uuid: the end of the ping URL is what it names the check by from then on
    const uuid = String(made["ping_url"]).split("/").at(-1) ?? "";
    expect(await send("POST", `checks/${uuid}/pause`)).toMatchObject([200, { status: "paused" }]);
    expect((await send("GET", `checks/${uuid}/pings`))[1]).toEqual({ pings: [] });
    expect((await send("GET", `checks/${uuid}/flips`))[1]).toMatchObject({ flips: [{ up: 0 }] });
    expect((await send("DELETE", `checks/${uuid}`))[0]).toBe(200);
    expect((await send("DELETE", `checks/${uuid}`))[0]).toBe(404);
  });

  test("asks by tags, and for badges and channels", async () => {
    expect(await send("GET", "checks?tag=nas")).toMatchObject([200, { checks: [{ name: "up" }] }]);
    expect(await send("GET", "badges")).toMatchObject([200, { badges: { "*": {}, nas: {} } }]);
    expect(await send("GET", "channels")).toMatchObject([200, { channels: [{ name: "checks" }] }]);
  });
});

describe("Terraform's provider (kristofferahl/terraform-provider-healthchecksio, by way of kristofferahl/go-healthchecksio)", () => {
  /** What encoding/json needs to fill `HealthcheckResponse`: `null` leaves a string as it is. */
  const text = Type.Optional(orNull(Type.String()));
  const int = Type.Optional(orNull(Type.Integer()));
  const Response = Type.Object({
    ...{
      channels: text,
      desc: text,
      grace: int,
      last_ping: text,
      methods: text,
      name: text,
      slug: text,
      next_ping: text,
    },
    ...{
      pause_url: text,
      n_pings: int,
      ping_url: text,
      schedule: text,
      status: text,
      tags: text,
      timeout: int,
      tz: text,
    },
    update_url: Type.String(),
  });
  const Channel = Type.Object({ id: Type.String(), kind: Type.String(), name: Type.String() });
  const client = async (method: string, path: string, body?: object) => asker(peal, full, "v1")(method, path, body);
  /** `HealthcheckResponse.ID` */
  const idOf = ({ update_url }: { update_url: string }) => update_url.split("/").at(-1) ?? "";

  test("creates, reads back, updates, pauses and deletes a check", async () => {
    // `channels` and `methods` are always sent
    const wanted = { channels: "", grace: 300, methods: "", name: "terraform", tags: "iac prod", timeout: 900 };
    const [status, made] = await client("POST", "/checks/", wanted);
    expect(status).toBe(201);
    const id = idOf(decoded(Response, made));
    const read = async () => {
      const { checks } = decoded(list(Response), (await client("GET", "/checks/"))[1]);
      return checks.find((check) => idOf(check) === id);
    };
    expect(await read()).toMatchObject({ name: "terraform", tags: "iac prod", timeout: 900, grace: 300 });
    const cron = { channels: "", methods: "", name: "terraform", schedule: "0 4 * * *", tz: "Europe/Berlin" };
    decoded(Response, (await client("POST", `/checks/${id}`, cron))[1]);
    expect(await read()).toMatchObject({ schedule: "0 4 * * *", tz: "Europe/Berlin", tags: "iac prod" });
    expect(await client("POST", `/checks/${id}/pause`)).toMatchObject([200, { status: "paused" }]);
    decoded(Response, (await client("DELETE", `/checks/${id}`))[1]);
    expect(await read()).toBeUndefined();
    decoded(Type.Object({ channels: Type.Array(Channel) }), (await client("GET", "/channels/"))[1]);
  });

  test("reads an error where one is answered", async () => {
    for (const [key, body] of [
      ["X".repeat(32), {}],
      [full, { timeout: 1 }],
    ] as const) {
      const [status, answered] = await asker(peal, key, "v1")("POST", "/checks/", body);
      expect(status).toBeGreaterThanOrEqual(300);
      decoded(Type.Object({ error: Type.String({ minLength: 1 }) }), answered);
    }
  });
});
