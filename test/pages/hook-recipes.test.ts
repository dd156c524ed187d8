/**
 * What the pages say to set in a tool that takes only a URL: its posts make one card, which closes where the tool
 * reports the end.
 */
import { afterAll, expect, test } from "bun:test";
import { join } from "node:path";
import { HOOK_TOOLS } from "../../src/pages/publishing/tools.ts";
import { said, type Setting } from "../../src/rewrites/tool-setup.ts";
import type { TestMessage } from "../support/client.ts";
import { newHook } from "../support/hooks.ts";
import { fixture, headersOf, rendered } from "../support/recipes.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

/** What a tool posts, and where. */
interface Posted {
  url: string;
  headers?: Record<string, string>;
  body: string | FormData;
}
const JSON_TYPE = { "content-type": "application/json" };

/** The value for a field of the tool, by its label. */
type Settings = (label: string) => string;
const valueOf =
  (settings: readonly Setting[]): Settings =>
  (label) =>
    settings.find((one) => one.label === label)?.value ?? "";
const json =
  (label: string, headers = JSON_TYPE) =>
  (setting: Settings, path: string): Posted => ({
    url: setting(label),
    headers: { ...headers, ...headersOf(path) },
    body: fixture(path),
  });

/**
 * What shoutrrr's generic service makes of its address (pkg/services/specialized/generic/generic.go): a bare text, or
 * with `template` JSON of the text and of the parameters that begin with `$`. It calls both JSON.
 */
function byShoutrrr(address: string, message: string): Posted {
  const url = new URL(address.replace(/^generic(?:\+http)?s?:/, "http:"));
  const isPlain = address.startsWith("generic+http:") || url.searchParams.get("disabletls") === "yes";
  const extra = [...url.searchParams].filter(([name]) => name.startsWith("$"));
  const body =
    url.searchParams.get("template") === "json"
      ? JSON.stringify({ message, ...Object.fromEntries(extra.map(([name, value]) => [name.slice(1), value])) })
      : message;
  for (const name of ["template", "disabletls", ...extra.map(([name]) => name)]) url.searchParams.delete(name);
  return { url: isPlain ? url.href : url.href.replace("http:", "https:"), headers: JSON_TYPE, body };
}

/** `SendShoutrrrAlert` of Beszel (internal/alerts/alerts.go). The fixture shows the result where the title has its own field. */
function byBeszel(setting: Settings, path: string): Posted {
  const { title, message } = JSON.parse(fixture(path)) as { title: string; message: string };
  const url = new URL(setting("URL"));
  const isTitled = url.protocol === "generic:" && url.searchParams.has("template");
  if (isTitled) url.searchParams.append("$title", title);
  return byShoutrrr(url.href, isTitled ? message : `${title}\n\n${message}`);
}

const byProxmox = (setting: Settings, path: string): Posted => ({
  url: setting("URL"),
  headers: { "content-type": setting("Header Content-Type") },
  body: rendered(setting("Body"), path),
});

/** Its service for Slack posts only the text (alert/service/slack.py). */
const byTrueNas = (setting: Settings, path: string): Posted => {
  const { text } = JSON.parse(fixture(path)) as { text: string };
  return { url: setting("Webhook URL"), headers: JSON_TYPE, body: JSON.stringify({ text }) };
};

const byWatchtower = (setting: Settings, path: string): Posted => {
  const { environment } = Bun.YAML.parse(setting("docker-compose.yml")) as { environment: Record<string, string> };
  // without these two it posts lines of its log
  expect(environment).toMatchObject({
    WATCHTOWER_NOTIFICATION_REPORT: "true",
    WATCHTOWER_NOTIFICATION_TEMPLATE: "json.v1",
  });
  return byShoutrrr(environment["WATCHTOWER_NOTIFICATION_URL"] ?? "", fixture(path));
};

const byDiun = (setting: Settings, path: string): Posted => {
  const { notif } = Bun.YAML.parse(setting("diun.yml")) as { notif: { webhook: { endpoint: string } } };
  return { url: notif.webhook.endpoint, headers: JSON_TYPE, body: fixture(path) };
};

const byPlex = (setting: Settings, path: string): Posted => {
  const body = new FormData();
  body.set("payload", fixture(path));
  return { url: setting("URL"), body };
};

type Row = [
  tool: string,
  posts: (setting: Settings, path: string) => Posted,
  began: [fixture: string, look: string, title: string],
  ended?: [fixture: string, look: string, title: string],
];
const TROUBLE = "error high firing";
const DONE = "success low resolved";
const GOOD = "success normal resolved";

// prettier-ignore
const rows: Row[] = [
  ["Sonarr, Radarr, Lidarr, Readarr, Prowlarr", json("Webhook URL"),
    ["servarr/radarr-health", "warning normal firing", "Radarr: Indexers unavailable due to failures: NZBgeek"],
    ["servarr/radarr-health-restored", GOOD, "Resolved: Radarr: Indexers unavailable due to failures: NZBgeek"]],
  ["Seerr, Overseerr, Jellyseerr", json("Webhook URL"),
    ["seerr/pending", "info normal firing", "New Movie Request: Arrival (2016)"],
    ["seerr/available", GOOD, "Movie Request Now Available: Arrival (2016)"]],
  ["Plex", byPlex,
    ["plex/database-corrupted", "error high", "Attic: database is corrupted"]],
  ["GitHub", json("Payload URL"),
    ["github/workflow-failed", TROUBLE, "acme/shop: CI failed on main"],
    ["github/workflow-passed", DONE, "acme/shop: CI passed on main"]],
  ["Gitea, Forgejo", json("Target URL"),
    ["gitea/forgejo-run-failed", TROUBLE, "ana/infra: deploy.yml failed on main"],
    ["gitea/forgejo-run-recovered", DONE, "ana/infra: deploy.yml passed on main"]],
  ["GitLab", json("URL"),
    ["gitlab/pipeline-failed", TROUBLE, "ops/infra: pipeline failed on main"],
    ["gitlab/pipeline-passed", DONE, "ops/infra: pipeline passed on main"]],
  ["Komodo", json("URL"),
    ["komodo/container-exited", TROUBLE, "jellyfin has exited"],
    ["komodo/container-running", GOOD, "jellyfin is running again"]],
  ["Diun", byDiun,
    ["diun/update", "info low", "postgres:17 has been updated"]],
  ["Watchtower", byWatchtower,
    ["watchtower/failed", TROUBLE, "attic: 1 updated, 1 failed"],
    ["watchtower/updated", DONE, "attic: 2 updated"]],
  ["Beszel", byBeszel,
    ["beszel/down", TROUBLE, "nas is down"],
    ["beszel/up", GOOD, "nas is up again"]],
  ["Beszel", byBeszel,
    ["beszel/disk-above", "warning normal firing", "nas disk usage above threshold"],
    ["beszel/disk-below", GOOD, "nas disk usage below threshold"]],
  ["Beszel", byBeszel,
    ["beszel/test", "info normal", "Beszel test"]],
  ["Proxmox VE, Backup Server", byProxmox,
    ["proxmox/vzdump-failed", TROUBLE, "pve1: backup failed"],
    ["proxmox/vzdump-ok", DONE, "pve1: backup successful"]],
  ["Proxmox VE, Backup Server", byProxmox,
    ["proxmox/pbs-verify-failed", TROUBLE, "pbs: Verify Datastore 'tank' failed"],
    ["proxmox/pbs-verify-ok", DONE, "pbs: Verify Datastore 'tank' successful"]],
  ["TrueNAS", byTrueNas,
    ["truenas/new-alert", TROUBLE, "nas.home.example: Pool tank state is DEGRADED"],
    ["truenas/all-cleared", GOOD, "nas.home.example: all alerts are cleared"]],
  ["authentik", json("Webhook URL"),
    ["authentik/configuration-error", "error high", "Failed to evaluate property-mapping: 'groups'"]],
  ["authentik", json("Webhook URL"),
    ["authentik/login-failed", "warning normal", "Login failed: mara"]],
  ["Tautulli", json("LunaSea Webhook URL"),
    ["tautulli/server-down", TROUBLE, "The Plex Media Server is down"],
    ["tautulli/server-up", GOOD, "The Plex Media Server is back up"]],
  // its generic destination calls the body text (Destinations/Generic/GenericClient.cs)
  ["Jellyfin", json("Webhook Url", { "content-type": "text/plain; charset=utf-8" }),
    ["jellyfin/task-failed", TROUBLE, "Scan Media Library: failed"],
    ["jellyfin/task-completed", DONE, "Scan Media Library: done"]],
];

const cards = async (url: string) => (await (await fetch(url)).text()).match(/<article/g)?.length;
const look = ({ level, priority, status }: TestMessage) =>
  [level, priority, status].filter((word) => typeof word === "string").join(" ");

for (const [index, [tool, posts, began, ended]] of rows.entries())
  test(`${tool}: ${began[2]}${ended === undefined ? "" : ", until it is over"}`, async () => {
    const topic = await peal.topic(`recipe-${index}`);
    const { url } = await newHook(peal, { topic: topic.key });
    const settings = valueOf(HOOK_TOOLS.find(({ title }) => title === tool)?.withHook(url) ?? []);
    const events = ended === undefined ? [began] : [began, ended];
    for (const [path] of events) {
      const { url: to, headers = {}, body } = posts(settings, path);
      expect((await fetch(to, { method: "POST", headers, body })).status).toBe(201);
    }
    const messages = await peal.history(topic);
    expect(messages.map((one) => [look(one), one["title"]])).toEqual(events.map(([, ...shown]) => shown));
    expect(await cards(topic.url)).toBe(1);
    expect(messages.map((one) => [one["tags"], one.message]).join(" ")).not.toMatch(/unrecognised|mismatch|\{"/);
  });

test("every tool that the pages name is tried here", () => {
  expect([...new Set(rows.map(([tool]) => tool))]).toEqual(HOOK_TOOLS.map(({ title }) => title));
});

test("docs/sources/others.md says the same as the page", async () => {
  const docs = await Bun.file(join(import.meta.dir, "../../docs/sources/others.md")).text();
  const sections = new Map(docs.split(/^## /m).map((section) => [section.slice(0, section.indexOf("\n")), section]));
  for (const { title, place, withHook } of HOOK_TOOLS) {
    const section = sections.get(title)?.replaceAll(/^ {2}/gm, "") ?? "";
    expect(section).toContain(`\n${said(place, "en")}:\n`);
    for (const { label, value, isChoice } of withHook("https://peal.example/v1/hook/h_…")) {
      const shown = isChoice === true ? ` **${value}**` : `\n\n\`\`\`text\n${value}\n\`\`\``;
      expect(section).toContain(`- ${said(label, "en")}:${shown}\n`);
    }
  }
});

test("what is set in Beszel uses TLS where the hook's URL does", () => {
  const urls = ["https://peal.example", "http://nas.lan:8080"].map((origin) =>
    valueOf(HOOK_TOOLS.find(({ name }) => name === "beszel")?.withHook(`${origin}/v1/hook/h_1`) ?? [])("URL"),
  );
  expect(urls).toEqual([
    "generic://peal.example/v1/hook/h_1?template=json&rewrite=beszel",
    "generic://nas.lan:8080/v1/hook/h_1?template=json&rewrite=beszel&disabletls=yes",
  ]);
});
