/** Rules for the tools of home networks that no fixture shows (REWRITES.md §8). */
import { expect, test } from "bun:test";
import type { Draft } from "../../src/drafts/draft.ts";
import { recognized } from "../../src/rewrites/rewrite.ts";
import { fixtures } from "./fixtures.ts";
import { NOW } from "./support.ts";

const told = (payload: unknown): Draft => {
  const draft = recognized(payload, { now: NOW });
  if (draft === undefined) throw new Error("no source fits");
  return draft;
};

const servarr = (eventType: string, part: Record<string, unknown>) => ({ eventType, instanceName: "Sonarr", ...part });
const episode = (seasonNumber: number, episodeNumber: number) => ({ seasonNumber, episodeNumber, title: "t" });
const series = { title: "The Expanse" };
const nas = (text: string) => ({ text: `TrueNAS @ nas  \n  \n${text}` });
const jellyfin = (NotificationType: string, part = {}) => ({
  NotificationType,
  ServerId: "1",
  ServerName: "attic",
  ...part,
});
const lunasea = (action: string, message: string) => ({ action, data: { message, tautulli_update_version: null } });
const review = (part: Record<string, unknown>) => ({ type: "new", before: {}, after: { camera: "yard", ...part } });
const proxmox = (severity: string, type: string) => ({
  title: "T",
  message: "m",
  severity,
  fields: { type, hostname: "pve1" },
});
const unifi = (name: string, severity: number, UNIFIcategory: string) =>
  ({ app: "network", alarm_id: "1", name, severity, message: "m", parameters: { UNIFIhost: "gw", UNIFIcategory } }); // prettier-ignore

// prettier-ignore
const rows: [what: string, payload: unknown, told: Partial<Draft>][] = [
  ["episodes of two seasons",              servarr("Grab", { series, episodes: [episode(1, 10), episode(2, 1)] }),           { title: "Grabbed: The Expanse S01E10 and 1 more" }],
  ["a film without a year",                servarr("Grab", { movie: { title: "Arrival" } }),                                 { title: "Grabbed: Arrival" }],
  ["an app by its name",                   servarr("Grab", { instanceName: "4K-radarr", movie: { title: "Arrival" } }),       { tags: ["radarr"] }],
  ["an app by a name before its subject",  servarr("SeriesAdd", { instanceName: "Whisparr 2", series }),                      { tags: ["whisparr"], message: "Whisparr 2" }],
  ["an app by its manual",                 servarr("Health", { instanceName: "Films", wikiUrl: "https://wiki.servarr.com/radarr/system#x" }), { tags: ["radarr"] }],
  ["an app by what it manages",            servarr("Grab", { instanceName: "Films", movie: { title: "Arrival" } }),           { tags: ["radarr"] }],
  ["a notice of health",                   servarr("Health", { level: "notice", message: "m", type: "A" }),                  { level: "info", status: "firing" }],
  ["health without a check",               servarr("Health", { level: "error", message: "m" }),                              { title: "Sonarr: m", level: "error" }],
  ["an event that came later",             servarr("SeriesMonitored", { series }),                                           { title: "Series monitored: The Expanse", level: "info", message: "Sonarr" }],
  ["an upgrade's deleted file",            servarr("EpisodeFileDelete", { series, deleteReason: "upgrade" }),                { title: "File deleted: The Expanse", priority: "low" }],
  ["new and cleared alerts of a NAS",      nas("New alert:\n\n  * a\n\nThe following alert has been cleared:\n\n  * b\n\nCurrent alerts:\n\n  * a"), { title: "nas: a", message: "a\nCleared:\n• b", status: "firing" }],
  ["a cleared alert of a NAS that is hit", nas("The following alert has been cleared:\n\n  * a\n\nCurrent alerts:\n\n  * Pool is DEGRADED"), { title: "nas: 1 alert cleared, 1 left", level: "error", priority: "normal", status: "firing" }],
  ["other words of a NAS",                 nas("Something else"),                                                            { message: "Something else" }],
  ["escapes of HTML and Markdown",         nas("New alerts:\n\n  * a\\_b &lt;c&gt; &amp;amp; d"),                            { title: "nas: a_b <c> &amp; d" }],
  ["a type of Jellyfin that came later",   jellyfin("LyricsAdded", { Name: "Sinnerman", Artist: "Nina Simone" }),            { title: "Lyrics added: Nina Simone – Sinnerman" }],
  ["a cancelled task of Jellyfin",         jellyfin("TaskCompleted", { TaskName: "Scan", ResultStatus: "Cancelled" }),       { title: "Scan: cancelled", level: "warning" }],
  ["Tautulli without a subject",           lunasea("play", "mara plays."),                                                   { title: "mara plays", message: "mara plays" }],
  ["Tautulli with more lines",             lunasea("created", "Tautulli (Attic)\nArrival was added.\nA film"),               { title: "Arrival was added", message: "A film\nTautulli (Attic)" }],
  ["a sub label of Frigate that is text",  review({ label: "person", sub_label: "Mara" }),                                   { title: "Person: Yard", message: "Mara" }],
  ["a detection of Frigate",               review({ severity: "detection", data: { objects: ["cat", "cat"] } }),             { title: "Cat: Yard", priority: "low" }],
  ["a warning of a backup",                proxmox("warning", "vzdump"),                                                     { title: "pve1: T", level: "warning", status: "firing", dedup_key: "proxmox:pve1:vzdump" }],
  ["fencing",                              proxmox("error", "fencing"),                                                      { level: "error", priority: "high" }],
  ["what an admin does",                   unifi("Config Modified", 5, "Audit"),                                             { level: "info", priority: "normal" }],
  ["what UniFi calls medium",              unifi("High Latency Detected", 4, "Internet and WAN"),                            { level: "warning" }],
  ["a fire",                               { timestamp: NOW, alarm: { triggers: [{ key: "audio_alarm_smoke" }] } },          { title: "Audio alarm smoke", level: "error", priority: "high" }],
  ["a container that is up to date",       { watcher: "local", name: "web", image: {}, updateAvailable: false },             { title: "web: up to date", status: "resolved" }],
  ["a list of one container",              [{ watcher: "local", name: "web", updateKind: { remoteValue: "2" } }],            { title: "web: 2 is available" }],
  ["an event of authentik as Python prints it", { severity: "warning", user_username: "a", body: "suspicious_request: {'message': 'm', 'count': 3, 'ok': True, 'list': ['x']}" }, { title: "Suspicious request", message: "Message: m\nCount: 3\nOk: True" }],
];
test.each(rows)("%s", (_, payload, expected) => {
  expect(told(payload)).toMatchObject({ message: expect.any(String) as string, ...expected });
});

test.each([
  ["health without a check", servarr("Health", { level: "error", message: "m" })],
  ["fencing, which is told once", proxmox("error", "fencing")],
])("%s has no key with which it could be closed", (_, payload) => {
  const draft = told(payload);
  expect(draft.level).toBe("error");
  expect(draft).not.toHaveProperty("dedup_key");
  expect(draft).not.toHaveProperty("status");
});

test("an import replaces the card of what had to be done by hand", () => {
  const download = { series, downloadId: "nzo_1" };
  const asked = told(servarr("ManualInteractionRequired", download));
  const done = told(servarr("Download", download));
  expect([asked.status, done.status]).toEqual(["firing", undefined]);
  expect(done.dedup_key).toBe(asked.dedup_key ?? "no key");
});

const PAIRS: [trouble: string, over: string][] = [
  ["servarr/sonarr-health", "servarr/sonarr-health-restored"],
  ["servarr/radarr-health", "servarr/radarr-health-restored"],
  ["seerr/pending", "seerr/approved"],
  ["seerr/issue-created", "seerr/issue-resolved"],
  ["jellyfin/task-failed", "jellyfin/task-completed"],
  ["tautulli/server-down", "tautulli/server-up"],
  ["proxmox/vzdump-failed", "proxmox/vzdump-ok"],
  ["truenas/new-alert", "truenas/all-cleared"],
  ["unifi/internet-down", "unifi/internet-restored"],
  ["watchtower/failed", "watchtower/updated"],
  ["frigate/review-new", "frigate/review-end"],
];
test.each(PAIRS)("%s is closed by %s", (trouble, over) => {
  const [opened, closed] = [trouble, over].map((path) => fixtures.find((each) => each.path === path)?.expected);
  expect([opened?.status, closed?.status]).toEqual(["firing", "resolved"]);
  expect(opened?.dedup_key).toBeString();
  expect(closed?.dedup_key).toBe(opened?.dedup_key ?? "no key");
});
