/**
 * A server as a household has it after two weeks: three namespaces, topics, messages of every level, checks in every
 * state, devices of each platform and one that is lost, deliveries in every state, keys, people. All of it was made
 * over HTTP, on a held clock that ends at `end`.
 */
import type { TestMessage } from "./client.ts";
import type { TestCheck } from "./checks.ts";
import { heldClock, type HeldClock } from "./clock.ts";
import { apnsToken, fcmToken, register, type TestDeliveries, type TestDelivery, type TestDevice } from "./devices.ts";
import { eventually } from "./eventually.ts";
import { CHECKS, checkOn, DAYS, endOf, runsOf } from "./household-checks.ts";
import { asked, MINUTE, type Step } from "./household-steps.ts";
import { CONNECTED_AGO, MESSAGES, type Told } from "./household-messages.ts";
import { fakeApns } from "./push/apns.ts";
import { authority } from "./push/ca.ts";
import { fakeFcm, fcmError, type FakeFcm } from "./push/fcm.ts";
import { fakePushService, type FakePushService } from "./push/webpush.ts";
import { inProcess, type InProcess } from "./server.ts";
import { cookieOf, login, person } from "./signin.ts";

export type Who = "admin" | "member";

export interface Household extends AsyncDisposable {
  peal: InProcess;
  clock: HeldClock;
  /** The cookies of Jonas, an admin, and of Mara, who sees `home` and `media`. */
  cookies: Readonly<Record<Who, string>>;
  /** Their ids. */
  people: Readonly<Record<Who, string>>;
  /** Topic keys by namespace and name, such as `home/nas`. */
  topics: ReadonlyMap<string, string>;
  checks: ReadonlyMap<string, TestCheck>;
  devices: ReadonlyMap<string, TestDevice>;
  /** Ids of API keys. */
  keys: ReadonlyMap<string, string>;
  /** What a server needs to continue with its data and its push services. */
  env: Readonly<Record<string, string>>;
}

const DAY_MS = 1_440 * MINUTE;

interface Fakes {
  fcm: FakeFcm;
  web: FakePushService;
}

/** `dataDir`: if absent, a temporary one that is deleted with the household. */
export async function household(end: number, dataDir?: string): Promise<Household> {
  const clock = heldClock(end - (DAYS + 1) * DAY_MS);
  const [apns, fcm, web] = await Promise.all([fakeApns({ clock }), fakeFcm({ clock }), fakePushService({ clock })]);
  const env = { ...apns.env, ...fcm.env, ...web.env, TZ: "Europe/Berlin" };
  const peal = await inProcess({ clock, env, ca: authority.cert, ...(dataDir !== undefined && { dataDir }) });
  const stop = async () => {
    await peal[Symbol.asyncDispose]();
    await Promise.all([apns, fcm, web].map(async (fake) => fake[Symbol.asyncDispose]()));
  };
  try {
    const lived = await live(peal, clock, end, { fcm, web });
    return { peal, clock, env, ...lived, [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function live(peal: InProcess, clock: HeldClock, end: number, fakes: Fakes) {
  const passTo = async (at: number) => pass(peal, clock, at);
  const play = async (steps: readonly Step[]) => {
    for (const { ago, run } of steps.toSorted((one, other) => other.ago - one.ago)) {
      await passTo(end - ago * MINUTE);
      await run();
    }
  };
  for (const name of ["media", "lab"]) await asked(peal, "POST", "/-/local/namespaces", { name });
  const keys = new Map<string, string>();
  for (const [name, scope] of [
    ["nas-01", "publish"],
    ["Home Assistant", "full"],
  ] as const)
    keys.set(name, (await asked<{ id: string }>(peal, "POST", "/v1/keys?namespace=home", { name, scope })).id);

  const checks = new Map<string, TestCheck>();
  for (const spec of CHECKS) checks.set(spec.name, await checkOn(peal, spec, end));
  const devices = new Map<string, TestDevice>();
  await play([
    ...runsOf(peal, checks),
    ...endOf(peal, checks),
    ...MESSAGES.map((told) => ({ ago: told.ago, run: async () => tell(peal, told) })),
    { ago: CONNECTED_AGO, run: async () => connect(peal, fakes, devices) },
  ]);
  const topics = await topicsOf(peal);
  const until = new Date(end + 2 * DAY_MS).toISOString();
  await asked(peal, "PATCH", `/v1/home/${topics.get("home/paperless") ?? ""}`, { muted_until: until });
  await passTo(end);
  const people = {
    admin: await person(peal, { name: "Jonas" }),
    member: await person(peal, { name: "Mara", namespaces: ["home", "media"] }),
  };
  const cookies = {
    admin: cookieOf(await login(peal, { name: "Jonas" })),
    member: cookieOf(await login(peal, { name: "Mara" })),
  };
  return { devices, keys, checks, topics, people, cookies };
}

/** Advances the clock in steps, so that each deadline on the way is handled at its time. */
async function pass(peal: InProcess, clock: HeldClock, at: number): Promise<void> {
  const nextAt = async () => (await peal.running.deps.store.checks.nextAt()) ?? Infinity;
  while (clock.now() < at) {
    clock.advance(Math.min(await nextAt(), at) - clock.now());
    await eventually("nothing to be due", async () => (await nextAt()) > clock.now());
  }
}

/** Publishes, and waits until its pushes are sent, or report what they wait for. */
async function tell(peal: InProcess, { topic: at, body, pushes }: Told): Promise<void> {
  const told = await asked<TestMessage>(peal, "POST", `/${at}`, body);
  if (pushes === undefined) return;
  const path = `/v1/${at.split("/")[0] ?? ""}/${told.topic}/messages/${told.id}/deliveries`;
  await eventually(`pushes of ${at} ${told.id}`, async () => {
    const { deliveries } = await asked<TestDeliveries>(peal, "GET", path);
    return deliveries.length === pushes && deliveries.every(isTold);
  });
}
const isTold = ({ state, attempts, waits_for, last_reason }: TestDelivery): boolean =>
  state !== "pending" || attempts !== 0 || waits_for !== undefined || last_reason !== undefined;

async function topicsOf(peal: InProcess): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const ns of ["home", "media", "lab"]) {
    const { topics } = await asked<{ topics: { name: string; topic: string }[] }>(
      peal,
      "GET",
      `/v1/${ns}/topics?limit=100`,
    );
    for (const { name, topic } of topics) found.set(`${ns}/${name}`, topic);
  }
  return found;
}

/** One accepts everything, one filters, one is told to wait, one is lost with its first push. */
async function connect(peal: InProcess, { fcm, web }: Fakes, devices: Map<string, TestDevice>): Promise<void> {
  const topics = await topicsOf(peal);
  const add = async (body: { name: string; platform: string; token: string }, ...names: string[]) => {
    const followed = names.map((name) => ({
      ...{ namespace: name.split("/")[0] ?? "", key: topics.get(name) ?? "" },
      ...{ name, url: "" },
    }));
    devices.set(body.name, await register(peal, body, followed));
  };
  const browser = () => {
    const { endpoint: token, keys } = web.subscribe();
    return { platform: "web", token, keys };
  };
  const phone = { name: "Jonas’ iPhone", platform: "ios", token: apnsToken() };
  await add(phone, "home/homelab", "home/nas", "home/paperless");
  const choosy = { min_priority: "high", quiet_hours: { from: "22:00", to: "07:00", timezone: "Europe/Berlin" } };
  const pixel = { name: "Mara’s Pixel", platform: "android", token: fcmToken(), ...choosy };
  await add(pixel, "home/homelab", "home/paperless");
  await add({ name: "Desk", ...browser() }, "home/nas", "media/jellyfin");
  const busy = browser();
  web.script.always(busy.token, { status: 429, headers: { "retry-after": "1200" } });
  await add({ name: "Work laptop", ...busy }, "home/homelab");
  const lost = { name: "Kitchen tablet", platform: "android", token: fcmToken() };
  fcm.script.always(lost.token, fcmError("UNREGISTERED"));
  await add(lost, "home/nas");
}
