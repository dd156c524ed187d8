/** All commands of peal, by task. Each one's code is loaded only when it is asked for: a server starts in milliseconds. */
import type { Section } from "./program.ts";

export const SECTIONS: readonly Section[] = [
  {
    title: "The server",
    commands: [
      ["serve", async () => (await import("./serve.ts")).serve],
      ["health", async () => (await import("./health.ts")).health],
      ["doctor", async () => (await import("./doctor.ts")).doctor],
      ["integrity", async () => (await import("./integrity.ts")).integrity],
      ["config", async () => (await import("./config.ts")).config],
      ["setup-code", async () => (await import("./setup-code.ts")).setupCode],
      ["compact", async () => (await import("./compact.ts")).compact],
      ["openapi", async () => (await import("./openapi.ts")).openapi],
      ["version", async () => (await import("./version.ts")).version],
    ],
  },
  {
    title: "Copies",
    commands: [
      ["backup", async () => (await import("./backup.ts")).backup],
      ["restore", async () => (await import("./restore.ts")).restore],
    ],
  },
  {
    title: "Messages",
    commands: [
      ["send", async () => (await import("./send.ts")).send],
      ["tail", async () => (await import("./tail.ts")).tail],
    ],
  },
  {
    title: "Jobs that check in",
    commands: [
      ["ping", async () => (await import("./ping.ts")).ping],
      ["run", async () => (await import("./run.ts")).run],
    ],
  },
  {
    title: "Checks",
    commands: [
      ["checks list", async () => (await import("./checks.ts")).checksList],
      ["checks show", async () => (await import("./checks.ts")).checksShow],
      ["checks create", async () => (await import("./checks.ts")).checksCreate],
      ["checks update", async () => (await import("./checks.ts")).checksUpdate],
      ["checks delete", async () => (await import("./checks.ts")).checksDelete],
      ["checks pause", async () => (await import("./checks-act.ts")).checksPause],
      ["checks resume", async () => (await import("./checks-act.ts")).checksResume],
      ["checks snooze", async () => (await import("./checks-act.ts")).checksSnooze],
      ["checks ack", async () => (await import("./checks-act.ts")).checksAck],
      ["checks rotate", async () => (await import("./checks-act.ts")).checksRotate],
      ["checks test", async () => (await import("./checks-act.ts")).checksTest],
      ["checks ping-key", async () => (await import("./checks-act.ts")).checksPingKey],
      ["checks events", async () => (await import("./checks-log.ts")).checksEvents],
      ["checks incidents", async () => (await import("./checks-log.ts")).checksIncidents],
      ["checks preview", async () => (await import("./checks-log.ts")).checksPreview],
    ],
  },
  {
    title: "Topics and hooks",
    commands: [
      ["topics list", async () => (await import("./topics.ts")).topicsList],
      ["topics show", async () => (await import("./topics.ts")).topicsShow],
      ["topics create", async () => (await import("./topics.ts")).topicsCreate],
      ["topics rename", async () => (await import("./topics.ts")).topicsRename],
      ["topics mute", async () => (await import("./mute.ts")).topicsMute],
      ["topics unmute", async () => (await import("./mute.ts")).topicsUnmute],
      ["topics archive", async () => (await import("./topics.ts")).topicsArchive],
      ["topics unarchive", async () => (await import("./topics.ts")).topicsUnarchive],
      ["topics rotate", async () => (await import("./topics.ts")).topicsRotate],
      ["topics delete", async () => (await import("./topics.ts")).topicsDelete],
      ["hooks list", async () => (await import("./hooks.ts")).hooksList],
      ["hooks show", async () => (await import("./hooks.ts")).hooksShow],
      ["hooks create", async () => (await import("./hooks.ts")).hooksCreate],
      ["hooks rename", async () => (await import("./hooks.ts")).hooksRename],
      ["hooks rotate", async () => (await import("./hooks.ts")).hooksRotate],
      ["hooks requests", async () => (await import("./hooks-requests.ts")).hooksRequests],
      ["hooks delete", async () => (await import("./hooks.ts")).hooksDelete],
    ],
  },
  {
    title: "Devices and deliveries",
    commands: [
      ["devices", async () => (await import("./devices.ts")).devices],
      ["devices test", async () => (await import("./devices.ts")).devicesTest],
      ["deliveries", async () => (await import("./deliveries.ts")).deliveries],
      ["deliveries retry", async () => (await import("./deliveries.ts")).deliveriesRetry],
    ],
  },
  {
    title: "Namespaces, keys and people",
    commands: [
      ["namespaces list", async () => (await import("./namespaces.ts")).namespacesList],
      ["namespaces create", async () => (await import("./namespaces.ts")).namespacesCreate],
      ["namespaces rename", async () => (await import("./namespaces.ts")).namespacesRename],
      ["namespaces delete", async () => (await import("./namespaces.ts")).namespacesDelete],
      ["namespaces mute", async () => (await import("./mute.ts")).namespacesMute],
      ["namespaces unmute", async () => (await import("./mute.ts")).namespacesUnmute],
      ["keys list", async () => (await import("./keys.ts")).keysList],
      ["keys create", async () => (await import("./keys.ts")).keysCreate],
      ["keys revoke", async () => (await import("./keys.ts")).keysRevoke],
      ["admin list", async () => (await import("./admin.ts")).adminList],
      ["admin create", async () => (await import("./admin.ts")).adminCreate],
      ["admin update", async () => (await import("./admin.ts")).adminUpdate],
      ["admin password", async () => (await import("./admin.ts")).adminPassword],
      ["admin sessions", async () => (await import("./admin.ts")).adminSessions],
      ["admin remove", async () => (await import("./admin.ts")).adminRemove],
    ],
  },
  {
    title: "This machine",
    commands: [
      ["login", async () => (await import("./login.ts")).login],
      ["completion", async () => (await import("./completion.ts")).completion],
      ["man", async () => (await import("./man.ts")).man],
    ],
  },
];
