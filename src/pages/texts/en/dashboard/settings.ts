/** Settings: the server, its namespaces and people, and each person's own. */
import { count, number } from "../numbers.ts";

const topics = (n: number) => count(n, "topic", "topics");
const checks = (n: number) => count(n, "check", "checks");
const keys = (n: number) => count(n, "key", "keys");

export const settings = {
  title: "Settings",
  onThisPage: "On this page",
  address: {
    title: "Address",
    configured: "Base URL",
    notConfigured: "not set: links use the address each visitor used",
    browser: "Your browser",
    same: "Share links, ping URLs and QR codes use the same address as your browser.",
    other:
      "Share links, ping URLs and QR codes use the base URL, but you’re using another address. Is the base URL still right?",
    set: "Share links, ping URLs and QR codes use the address each visitor used. Set one for everyone, then restart peal:",
    setHere:
      "Share links, ping URLs and QR codes use the address each visitor used. Phones can’t reach the local address you’re using now. Set one for everyone, then restart peal:",
  },
  push: {
    title: "Can phones get push?",
    yes: "Yes",
    no: "No",
    unknown: "Unknown",
    off: "Not used",
    https: {
      title: "Address uses HTTPS",
      yes: (url: string) => `${url}: browsers allow push here.`,
      no: (url: string) =>
        `${url}: browsers allow push over HTTPS only. Put a reverse proxy with a certificate in front, then set PEAL_BASE_URL.`,
      local: (url: string) => `${url}: browsers allow push on this machine only. Phones need HTTPS.`,
    },
    base: {
      title: "Address is set",
      yes: "Every notification links to PEAL_BASE_URL.",
      no: "PEAL_BASE_URL isn’t set: a notification links to the address its device registered with. That works as long as the address doesn’t change.",
    },
    web: {
      title: "Browsers and installed apps",
      ready: "peal has created its own VAPID keys. There’s nothing to set.",
    },
    ios: {
      title: "Own app on iPhone (APNs)",
      off: "Only needed for your own peal app: PEAL_APNS_KEY, PEAL_APNS_KEY_ID, PEAL_APNS_TEAM_ID, PEAL_APNS_TOPIC. The web app works without it.",
      ready: "The key is set.",
    },
    android: {
      title: "Own app on Android (FCM)",
      off: "Only needed for your own peal app: PEAL_FCM_CREDENTIALS. The web app works without it.",
      ready: "The credentials are set.",
    },
    accepted: {
      title: "Push services accept messages",
      yes: (n: number) => `${count(n, "push was", "pushes were")} accepted in the last 7 days.`,
      never: "None was accepted in the last 7 days. Add a device and send it a test.",
    },
    paused: (lane: string, tell: string) => `${lane} is paused. ${tell}`,
    unreachable: (lane: string, reason: string) => `${lane} isn’t responding: ${reason}. peal keeps retrying.`,
  },
  mute: {
    title: "Mute everything",
    text: "For maintenance. Messages are still stored, but nothing is pushed, not even urgent ones.",
    /** `{}`: a time. */
    until: "All namespaces are muted until {}.",
    /** Names of namespaces. */
    some: (names: string) => `Muted now: ${names}.`,
    hour: "1 hour",
    hours: "4 hours",
    tomorrow: "Until tomorrow, 08:00",
    question: "Mute everything?",
    urgentToo: "Urgent messages stay silent too: nobody’s phone rings for them.",
    isKept: "Messages are still stored and shown on every page.",
    howLong: "For how long?",
    button: "Mute everything",
    keep: "Cancel",
  },
  namespaces: {
    title: "Namespaces",
    new: "New namespace",
    nameHint: "The first part of its topics’ addresses. a–z, 0–9, _ and -, at most 32 characters.",
    add: "Create namespace",
    wrong: "1 to 32 characters: a–z, 0–9, _ and -, starting with a letter or digit. Some names are reserved.",
    taken: (name: string) => `A namespace named ${name} already exists.`,
    size: (size: { topics: number; checks: number; keys: number }) =>
      `${topics(size.topics)}, ${checks(size.checks)}, ${keys(size.keys)}`,
    none: "No namespaces yet. Topics, checks and keys belong to one.",
    remove: "Delete …",
    removeName: (name: string) => `Delete namespace ${name}`,
    question: (name: string) => `Delete namespace “${name}”?`,
    messages: (n: number, isMore: boolean) => `${isMore ? "More than " : ""}${count(n, "message", "messages")}`,
    inTopics: (n: number) => ` in ${topics(n)} deleted.`,
    checks: (n: number) => `${checks(n)} deleted: pings return 404, and nobody is alerted when a job doesn’t run.`,
    keys: (n: number) => `${keys(n)} ${n === 1 ? "stops" : "stop"} working immediately.`,
    subscriptions: (n: number, isMore: boolean) =>
      `${isMore ? "More than " : ""}${count(n, "device subscription", "device subscriptions")} ${n === 1 ? "ends" : "end"}. The devices stay for other topics.`,
    links: "Share links and their Atom feeds stop working.",
    ownKey: "This includes the key from PEAL_ADMIN_KEY. A restart doesn’t bring it back.",
    people: "People who can see only this namespace will see none.",
    free: "The name becomes available again. A namespace created with it starts empty.",
    go: (name: string) => `Delete ${name}`,
    keep: "Keep namespace",
  },
  people: {
    title: "People",
    add: "Add person",
    admin: "admin",
    you: "you",
    seesAll: "Sees everything.",
    sees: (names: string) => `Sees ${names}.`,
    seesNone: "Sees no namespace.",
    noPassword: "Signs in through the proxy only.",
    /** `{}`: a time. */
    lastHere: "Last seen {}.",
    never: "Never signed in.",
    editName: (name: string) => `Edit ${name}`,
    newTitle: "Add a person",
    passwordHint: "At least 12 characters. Give it to them in person; they can change it.",
    passwordProxied: "Leave blank if only your proxy signs them in.",
    isAdmin: "Admin: can see everything and change these settings",
    namespaces: "Can see",
    all: "All namespaces, including future ones",
    only: "Only these:",
    lastAdmin: "There must be at least one admin. Make someone else an admin first.",
    noneChosen: "Choose at least one namespace, or all.",
    unknownNamespace: (names: string) => `Namespace ${names} no longer exists.`,
    setPassword: "Set password",
    setPasswordText: (name: string) => `${name} will be signed out everywhere and must sign in with the new password.`,
    remove: "Remove …",
    question: (name: string) => `Remove ${name}?`,
    signedOut: "They’ll be signed out everywhere immediately.",
    stays: "Topics, checks, keys and devices stay: they belong to namespaces.",
    keep: (name: string) => `Keep ${name}`,
  },
  password: {
    title: "Change your password",
    hint: "At least 12 characters. A short sentence works well.",
    text: "All your other browsers will be signed out.",
    proxied: "Your proxy signs you in. A password is for when it doesn’t.",
  },
  sessions: {
    title: "Sessions",
    others: "Sign out everywhere else",
    this: "this browser",
    /** `{}`: a date and an address. */
    since: "Since {}, from {}.",
    /** `{}`: dates and an address. */
    used: "Since {}, last used {} from {}.",
    unknown: "Unknown browser",
    device: (browser: string, system: string) => `${browser} on ${system}`,
    signOutName: (device: string) => `Sign out ${device}`,
    proxied: "Your proxy signs you in, so there’s no session to end here.",
  },
  backups: {
    title: "Backups",
    now: "Back up now",
    running: "A backup is running. It will appear here when it’s done.",
    kept: (n: number, nights: number | undefined) =>
      nights === undefined
        ? `None is created at night (PEAL_BACKUP). The last ${number(n)} are kept in `
        : `One is created every night. The last ${number(nights)} of these, and the last ${number(n)} created here, are kept in `,
    keptAfter: ", on the same disk: copy the folder to another machine. To restore one, stop peal and run ",
    none: "None yet",
    noneText: "A backup is a copy of the whole database: messages, keys, people, settings. It doesn’t include files.",
    before: (version: string) => `created automatically before the upgrade to ${version}`,
    checked: "verified when created",
    nightly: "created at night, and verified",
    download: "Download",
    downloadName: (when: string) => `Download the backup from ${when}`,
    secret: "Each one contains the whole database, so you’ll be asked for your password.",
    notIn:
      " isn’t included: copy that file once. Without it, ping URLs keep working after a restore but can no longer be shown.",
  },
  about: {
    title: "About",
    version: "Version",
    upFor: (version: string) => `peal ${version}`,
    store: "Store",
    bytes: (database: string, free: string) => `${database}; ${free} free on the disk`,
    metrics: "Metrics",
    metricsOff: ", switched off (PEAL_METRICS=off)",
    metricsLoopback:
      ", open on this machine only. For other machines, set PEAL_METRICS to a token of at least 32 characters",
    metricsToken: ", with the token from PEAL_METRICS as Bearer",
    health: "Health",
    well: "healthy",
    api: "API",
    source: "Source",
    licence: "free software under the MIT licence; icons from Lucide (ISC)",
    alerterFailing: "Checks aren’t being monitored. Restart peal, and report it if it happens again.",
    diskLow: "The disk has less than 64 MB left. When it’s full, publishing is refused.",
  },
  flash: {
    muted: "All namespaces are muted. Messages are still stored.",
    unmuted: "All namespaces are unmuted.",
    namespaceMade: (name: string) => `Namespace ${name} created. Next: create a key for it under Keys.`,
    namespaceDeleted: (name: string) => `Namespace ${name} deleted.`,
    personAdded: (name: string) => `${name} can now sign in.`,
    personChanged: (name: string) => `${name} updated.`,
    personRemoved: (name: string) => `${name} removed and signed out everywhere.`,
    passwordSet: (name: string) => `${name} has a new password and is signed out everywhere.`,
    passwordChanged: "Password changed. All your other browsers are signed out.",
    sessionEnded: "That browser has been signed out.",
    sessionsEnded: (n: number) =>
      n === 0 ? "You aren’t signed in anywhere else." : `${count(n, "other browser", "other browsers")} signed out.`,
    backupMade: (size: string) => `Backup created and verified (${size}).`,
    backupRunning: "The backup is taking a while. It will appear below when it’s done.",
    backupFull: (needed: string, free: string) =>
      `The disk is full: a backup needs up to ${needed}, but only ${free} is free. No partial backup was left behind. Free up space, then try again.`,
    backupFailed: (reason: string) => `The backup failed, and no partial file was left behind: ${reason}`,
  },
};
