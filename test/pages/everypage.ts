/** Every page on the server of a household, on an empty one, and on one that has not been claimed. */
import { household, type Household, type Who } from "../support/household.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { iphone } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface ListedPage {
  /** The name of its screenshot. */
  name: string;
  path: string;
  /** Absent: not signed in. An empty server has only an admin. */
  as?: Who;
  /** The expected status; 200 unless given. */
  status?: number;
}
/** `begun`: reached over https, with one phone; `plain`: over http by a name in the local network. */
export type Server = "full" | "empty" | "fresh" | "begun" | "plain";

/** A page with its server, its address and the cookie of the visitor. */
type Placed = ListedPage & { server: Server; url: string; cookie: string };

export interface EveryPage extends AsyncDisposable {
  servers: Readonly<Record<Server, TestServer>>;
  pages: readonly Placed[];
  /** Further pages of that server. */
  placed(server: Server, more: readonly ListedPage[]): readonly Placed[];
}

/**
 * Starts the servers. With `end` they run inside this process, with the clock stopped at that time; otherwise as
 * separate processes at the current time.
 */
export async function everyPage(end?: number): Promise<EveryPage> {
  const dataDir = await mkdtemp(join(tmpdir(), "peal-test-"));
  const home = await household(end ?? Date.now(), dataDir);
  const start = async (options: { env?: Record<string, string>; dataDir?: string; unclaimed?: true }) =>
    end === undefined ? startPeal(options) : inProcess({ ...options, clock: heldClock(end), ca: authority.cert });
  // separate processes continue with the data that was written by one in this process, where a clock can be held
  if (end === undefined) await home.peal.running.stop();
  const env = { ...home.env, NODE_EXTRA_CA_CERTS: authority.file };
  const full = end === undefined ? await startPeal({ env, dataDir }) : home.peal;
  const [empty, fresh, begun, plain] = await Promise.all([
    start({}),
    start({ unclaimed: true }),
    start({ env: { ...env, PEAL_BASE_URL: "https://peal.example" } }),
    start({ env: { PEAL_BASE_URL: "http://nas.example:8123" } }),
  ]);
  const servers = { full, empty, fresh, begun, plain };
  const adminOf = async (server: TestServer) => ({ admin: await signedIn(server), member: "" });
  const cookies = {
    ...{ full: home.cookies, fresh: undefined },
    ...{ empty: await adminOf(empty), begun: await adminOf(begun), plain: await adminOf(plain) },
  };
  const secure = await connected(begun);
  const unknown = await unknownTo(plain);
  const hooked = await hooks(plain);
  const forwarded = await forwards(plain, hooked.topic);
  const placed: EveryPage["placed"] = (server, listed) =>
    listed.map((page) => ({
      ...{ ...page, server, url: servers[server].url + page.path },
      cookie: page.as === undefined ? "" : (cookies[server]?.[page.as] ?? ""),
    }));
  const listed = listedPages(home, await empty.topic("hello"), { unknown, hooked, secure, forwarded });
  const pages = Object.entries(listed).flatMap(([name, some]) => placed(name as Server, some));
  return {
    ...{ servers, pages, placed },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(Object.values(servers).map(async (server) => server[Symbol.asyncDispose]()));
      await home[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Connects a phone, which has joined in the set-up and got its test. */
async function connected(server: TestServer): Promise<TestTopic> {
  const topic = await server.topic("hello");
  const { ref } = await iphone(server, [topic], { name: "Jonas’ iPhone" });
  const desk = deskAs(server, await signedIn(server, { name: "Jonas" }));
  await desk.post("/-/setup/phone", { device: ref });
  await eventually("its test", async () => (await desk.get("/-/setup/phone")).text.includes("Test push accepted"));
  return topic;
}

/** Makes a topic with a body of unknown shape, and with fields that were left out. */
async function unknownTo(server: TestServer): Promise<TestTopic> {
  const topic = await server.topic("hello");
  const sensors = Array.from({ length: 60 }, (_, n) => ({ sensor: `hwmon${n}`, celsius: 40 + n, limit: 95 }));
  const url = `https://admin:password@heating.example/status?token=abc&view=${"long".repeat(40)}`;
  for (const body of [
    { boiler: { state: "locked", code: "F.28", url }, api_key: "abc", sensors },
    { titel: "Washing machine", message: "The programme has ended.", url: "washer/3" },
    { message: "The door is open.", level: "purple" },
  ])
    await server.api("POST", `/home/${topic.name}`, body);
  return topic;
}

interface Hooked {
  topic: TestTopic;
  /** Ids: of a hook that got requests, and of one that waits for its first. */
  used: string;
  waits: string;
}

/** Makes a hook to which a tool posted, and one to which nothing was posted. */
async function hooks(server: TestServer): Promise<Hooked> {
  const topic = await server.topic("library");
  const make = async (body: object) =>
    answer<{ id: string; url: string }>(201, await server.api("POST", "/v1/home/hooks", { topic: topic.key, ...body }));
  const map = {
    title: "{series.title}: {episodes.0.title}",
    key: "{series.id}",
    resolved: { from: "status", in: ["ok"] },
  };
  const waits = await make({ name: "Doorbell" });
  const used = await make({ name: "Library", map: { ...map, level: { from: "event", is: { Grabbed: "success" } } } });
  for (const [n, [series, title]] of [
    ["Severance", "Cold Harbor"],
    ["Andor", "One Way Out"],
  ].entries())
    await answer(
      201,
      await server.request(new URL(used.url).pathname, {
        method: "POST",
        headers: { "content-type": "application/json", "user-agent": "Library/4.0" },
        body: JSON.stringify({
          ...{
            event: "Grabbed",
            status: n === 0 ? "ok" : "new",
            isUpgrade: false,
            path: "/tv/a-long-way/to/go/for/it",
          },
          ...{ series: { id: n, title: series }, episodes: [{ id: 10 + n, title, airDate: "2026-11-20" }] },
          text: `${series ?? ""} is here, in a text that is longer than one line of a phone is wide`,
        }),
      }),
    );
  return { topic, used: used.id, waits: waits.id };
}

/** Makes a forward that follows the topic, and whose server is not there; returns its ref. */
async function forwards(server: TestServer, { key }: TestTopic): Promise<string> {
  const settings = { server: "https://ntfy.example", topic: "family", token: "tk_0123456789abcdefghijklmnopqrs" };
  const made = await server.api("POST", "/v1/home/forwards", { kind: "ntfy", settings, name: "Family", topics: [key] });
  return (await answer<{ id: string }>(201, made)).id;
}

function listedPages(
  home: Household,
  none: TestTopic,
  { unknown, hooked, secure, forwarded }: { unknown: TestTopic; hooked: Hooked; secure: TestTopic; forwarded: string },
): Readonly<Record<Server, readonly ListedPage[]>> {
  const { topics, checks, devices, keys, people } = home;
  const found = (map: ReadonlyMap<string, string>, name: string): string => {
    const id = map.get(name);
    if (id === undefined) throw new Error(`the household has no ${name}`);
    return id;
  };
  const feed = `/home/homelab/${found(topics, "home/homelab")}`;
  const topic = (name: string, tab = "") => `/-/topics/${found(topics, name)}${tab}`;
  const check = (name: string, tab = "") => `/-/checks/${checks.get(name)?.id ?? ""}${tab}`;
  const hook = (id: string, tab = "") => `/-/topics/${hooked.topic.key}/hooks/${id}${tab}`;
  const device = (name: string, tab = "") => `/-/devices/${devices.get(name)?.ref ?? ""}${tab}`;
  const admin = (name: string, path: string, status = 200): ListedPage => ({ name, path, as: "admin", status });
  const member = (name: string, path: string, status = 200): ListedPage => ({ name, path, as: "member", status });

  const full: ListedPage[] = [
    { name: "feed", path: feed },
    { name: "feed-filtered", path: `${feed}?level=error&q=nas` },
    { name: "feed-older", path: `${feed}?before=4` },
    { name: "feed-nothing-found", path: `${feed}?q=nothing` },
    { name: "docs", path: "/docs" },
    { name: "unknown-feed", path: "/home/a-0123456789abcdefghjkmnpqrs", status: 404 },
    { name: "unknown-address", path: "/nothing/at/all/here", status: 404 },
    { name: "login", path: "/-/login" },
    { name: "already-claimed", path: "/-/setup" },
    admin("confirm", "/-/confirm?to=/-/keys"),
    admin("overview", "/-/"),
    admin("overview-lab", "/-/?ns=lab"),
    member("overview-member", "/-/"),
    admin("messages", "/-/messages"),
    admin("messages-lab", "/-/messages?ns=lab"),
    member("messages-member", "/-/messages"),
    admin("messages-open", "/-/messages?open=true"),
    admin("messages-found", "/-/messages?q=backup&level=error"),
    admin("messages-nothing-found", "/-/messages?q=nothing"),
    admin("messages-older", "/-/messages?before=20"),
    admin("topics", "/-/topics"),
    admin("topics-nothing-found", "/-/topics?q=nothing"),
    admin("topics-archived", "/-/topics?archived=true"),
    admin("topic-new", "/-/topics/new"),
    admin("topic", topic("home/homelab")),
    admin("topic-publish", topic("home/homelab", `/publish?key=${found(keys, "nas-01")}`)),
    admin("topic-share", topic("home/homelab", "/share")),
    admin("topic-replace", topic("home/homelab", "/replace")),
    admin("topic-devices", topic("home/homelab", "/devices")),
    admin("topic-settings", topic("home/homelab", "/settings")),
    admin("topic-mute", topic("home/homelab", "/mute")),
    admin("topic-delete", topic("home/homelab", "/delete")),
    admin("topic-in-use", topic("home/checks", "/delete")),
    admin("topic-muted", topic("home/paperless")),
    admin("checks", "/-/checks"),
    admin("checks-down", "/-/checks?state=down"),
    admin("check-new", "/-/checks/new"),
    admin("check-up", check("home/nas-backup")),
    admin("check-down", check("home/photos-sync")),
    admin("check-failed", check("lab/proxmox-vzdump")),
    admin("check-late", check("media/jellyfin-scan")),
    admin("check-running", check("home/paperless-export")),
    admin("check-paused", check("home/restic-prune")),
    admin("check-never", check("lab/truenas-replication")),
    admin("check-edit", check("home/nas-backup", "/edit")),
    admin("check-rotate", check("home/nas-backup", "/rotate")),
    admin("check-delete", check("home/photos-sync", "/delete")),
    admin("devices", "/-/devices"),
    admin("device-iphone", device("Jonas’ iPhone")),
    admin("device-android", device("Mara’s Pixel")),
    admin("device-browser", device("Work laptop")),
    admin("device-lost", device("Kitchen tablet")),
    admin("device-delete", device("Mara’s Pixel", "/delete")),
    admin("keys", "/-/keys"),
    admin("key-revoke", `/-/keys/${found(keys, "nas-01")}/revoke`),
    admin("deliveries", "/-/deliveries"),
    admin("deliveries-failed", "/-/deliveries?state=failed"),
    admin("settings", "/-/settings"),
    member("settings-member", "/-/settings"),
    admin("settings-password", "/-/settings/password"),
    admin("mute-all", "/-/settings/mute"),
    admin("namespace-delete", "/-/settings/namespaces/lab/delete"),
    admin("person-new", "/-/settings/people/new"),
    admin("person", `/-/settings/people/${people.member}`),
    admin("person-remove", `/-/settings/people/${people.member}/remove`),
    admin("first-topic-missing", "/-/setup/message"),
    admin("unknown-topic", "/-/topics/a-0123456789abcdefghjkmnpqrs", 404),
    member("admins-only", "/-/settings/people/new", 403),
  ];
  const empty: ListedPage[] = [
    { name: "feed-empty", path: `/home/${none.name}/${none.key}` },
    admin("overview-empty", "/-/"),
    admin("messages-empty", "/-/messages"),
    admin("topics-empty", "/-/topics"),
    admin("topic-empty", `/-/topics/${none.key}`),
    admin("topic-devices-empty", `/-/topics/${none.key}/devices`),
    admin("checks-empty", "/-/checks"),
    admin("devices-empty", "/-/devices"),
    admin("keys-empty", "/-/keys"),
    admin("deliveries-empty", "/-/deliveries"),
    admin("settings-empty", "/-/settings"),
    admin("first-message", "/-/setup/message"),
    admin("first-phone", "/-/setup/phone"),
  ];
  const fresh: ListedPage[] = [
    { name: "claim", path: "/-/setup" },
    { name: "not-claimed", path: "/home/x", status: 503 },
  ];
  return {
    ...{ full, empty, fresh },
    begun: [
      admin("first-phone-connected", "/-/setup/phone"),
      { name: "feed-secure", path: `/home/${secure.name}/${secure.key}` },
    ],
    plain: [
      { name: "feed-plain", path: `/home/${unknown.name}/${unknown.key}` },
      admin("first-phone-plain", "/-/setup/phone"),
      admin("topic-came", `/-/topics/${unknown.key}`),
      admin("topic-came-whole", `/-/topics/${unknown.key}/came/1`),
      admin("hook", hook(hooked.used)),
      admin("hook-waits", hook(hooked.waits)),
      admin("hook-map", hook(hooked.used, "/map")),
      admin("hook-edit", hook(hooked.used, "/edit")),
      admin("hook-rotate", hook(hooked.used, "/rotate")),
      admin("hook-delete", hook(hooked.used, "/delete")),
      admin("hooks", `/-/topics/${hooked.topic.key}/publish`),
      admin("forward-new", `/-/devices/new?topic=${hooked.topic.key}`),
      admin("forward-webhook", `/-/devices/new?kind=webhook&topic=${hooked.topic.key}`),
      admin("forward-ntfy", "/-/devices/new?kind=ntfy"),
      admin("forward", `/-/devices/${forwarded}`),
      admin("forward-change", `/-/devices/${forwarded}/forward`),
      admin("forward-delete", `/-/devices/${forwarded}/delete`),
      admin("topic-forwards", `/-/topics/${hooked.topic.key}/devices`),
      admin("devices-forwards", "/-/devices"),
    ],
  };
}
