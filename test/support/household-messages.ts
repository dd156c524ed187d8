/** What the programs of the household published. */

export interface Told {
  /** Such as `home/nas`. */
  topic: string;
  /** Minutes before the end. */
  ago: number;
  body: { message: string; title?: string } & Record<string, unknown>;
  /** How many devices it is sent to, once there are any. */
  pushes?: number;
}

const RESTIC = `repository 3f9a21c0 opened (version 2, compression level auto)
using parent snapshot 81b2c6d4
Files:         412 new,    96 changed, 318204 unmodified
Dirs:           18 new,    41 changed,  27310 unmodified
Added to the repository: 3.218 GiB (2.904 GiB stored)
processed 318712 files, 1.204 TiB in 11:58
snapshot 9c04e7aa saved
keep 7 daily, 4 weekly, 12 monthly snapshots
ID        Time                 Host    Tags    Reasons
-------------------------------------------------------------
5d1be0f2  2026-10-31 02:31:07  nas-01          monthly snapshot
7702ab1c  2026-11-08 02:30:58  nas-01          weekly snapshot
9c04e7aa  2026-11-20 02:31:12  nas-01          daily snapshot
-------------------------------------------------------------
3 snapshots`;

const PAPERLESS = `- Stadtwerke, invoice 10/2026, **tagged “bills”**
- Health insurance, letter of 18 November
- School, swimming lessons from January

The scanner left a page it could not read. Run it again with:

\`\`\`
docker exec paperless document_consumer --ocr-mode=redo \\
  /consume/scan-0412.pdf
\`\`\``;

const link = (label: string, url: string) => ({ label, url });
const SRV = { dedup_key: "srv", status: "firing", tags: ["disk", "nas-01"] };
const FULL = [
  link("Open dashboard", "https://grafana.home.example/d/disks"),
  link("Snapshots", "https://nas.home.example/"),
];

/** Messages from before the devices were connected are sent to none. */
export const CONNECTED_AGO = 300;

// prettier-ignore
export const MESSAGES: readonly Told[] = [
  { topic: "home/homelab", ago: 2_700, body: { level: "info", title: "nas-01 was started again", message: "Kernel 6.12.57, up after 71 s.", tags: ["nas-01"] } },
  { topic: "home/homelab", ago: 1_318, body: { level: "warning", title: "Drive sdc: 8 sectors waiting to be remapped", message: "WD Red 8 TB, serial ending 4K7Q. The drive still works. Order a replacement and run a long self-test tonight.", tags: ["smart", "nas-01"] } },
  { topic: "home/homelab", ago: 1_210, body: { level: "info", title: "Block lists updated", message: "1,204,118 domains, 312 more than last week.", priority: "low" } },
  { topic: "home/homelab", ago: 929,   body: { level: "success", title: "Backup to b2:homelab finished", message: RESTIC, tags: ["backup"] } },
  { topic: "home/backups", ago: 928,   body: { level: "success", title: "Backup to b2:homelab finished", message: "318712 files, 1.204 TiB in 11:58" } },
  { topic: "home/homelab", ago: 367,   body: { level: "warning", title: "Container immich_server exited", message: "Was running, now exited with code 137 on server docker-01.", tags: ["docker-01"], actions: [link("Open Komodo", "https://komodo.home.example/")] } },
  { topic: "media/komodo", ago: 366,   body: { level: "warning", title: "Container immich_server exited", message: "Was running, now exited with code 137 on server docker-01." } },
  { topic: "home/paperless", ago: 1_500, body: { level: "info", title: "2 documents filed", message: "Both were known." } },
  { topic: "home/nas",     ago: 330,   body: { level: "info", message: "Scrub of tank started." } },
  { topic: "media/jellyfin", ago: 320, body: { level: "info", title: "Jellyfin 10.11.4 is there", message: "Installed by Komodo." } },
  { topic: "home/homelab", ago: 280,   body: { level: "info", format: "markdown", title: "3 documents filed, 1 needs you", message: PAPERLESS }, pushes: 3 },
  { topic: "home/paperless", ago: 279, body: { level: "info", format: "markdown", title: "3 documents filed, 1 needs you", message: PAPERLESS }, pushes: 2 },
  { topic: "home/homelab", ago: 175,   body: { level: "info", title: "Someone is at the front door", message: "Seen for 12 s.", image: "https://cam.home.example/door.jpg", tags: ["doorbell"], ttl: 600 }, pushes: 3 },
  { topic: "home/homelab", ago: 138,   body: { level: "error", title: "Jellyfin is down", message: "No answer from docker-01.", dedup_key: "jellyfin", status: "firing" }, pushes: 3 },
  { topic: "home/homelab", ago: 132,   body: { level: "success", title: "Jellyfin is up", message: "Down for 6 min. Now 200 OK in 143 ms.", dedup_key: "jellyfin", status: "resolved", actions: [link("Open Jellyfin", "https://jellyfin.home.example/")] }, pushes: 3 },
  { topic: "media/jellyfin", ago: 131, body: { level: "success", title: "Jellyfin is up", message: "Down for 6 min. Now 200 OK in 143 ms." }, pushes: 1 },
  { topic: "home/homelab", ago: 59,    body: { ...SRV, level: "warning", title: "/srv on nas-01 is 88 % full", message: "88 % full, 31 GB free" }, pushes: 3 },
  { topic: "home/homelab", ago: 39,    body: { ...SRV, level: "warning", title: "/srv on nas-01 is 90 % full", message: "90 % full, 26 GB free" }, pushes: 3 },
  { topic: "lab/grafana",  ago: 30,    body: { level: "warning", title: "HostHighTemperature, 3 hosts", message: "pve-02: CPU 84 °C for 12 min\npve-03: CPU 81 °C for 7 min", tags: ["lab", "rack"], status: "firing", dedup_key: "heat" } },
  { topic: "home/homelab", ago: 29,    body: { level: "warning", title: "HostHighTemperature, 3 hosts", message: "pve-02: CPU 84 °C for 12 min\npve-03: CPU 81 °C for 7 min\nnas-01: back to 52 °C", tags: ["lab", "rack"], actions: [link("Open Alertmanager", "https://alerts.home.example/")] }, pushes: 3 },
  { topic: "home/homelab", ago: 18,    body: { ...SRV, level: "error", title: "/srv on nas-01 is 93 % full", message: "18 GB free. At this rate it is full tonight around 23:40.", actions: FULL }, pushes: 3 },
  { topic: "home/nas",     ago: 17,    body: { level: "error", title: "/srv on nas-01 is 93 % full", message: "18 GB free. At this rate it is full tonight around 23:40." }, pushes: 3 },
  { topic: "home/homelab", ago: 4,     body: { level: "error", priority: "urgent", ack: true, title: "UPS on battery, 11 minutes left", message: "Mains power went away at 14:05. Proxmox and the NAS shut themselves down when 5 minutes are left.", tags: ["power", "ups"], dedup_key: "ups", status: "firing" }, pushes: 3 },
];
