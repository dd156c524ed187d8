/** Topics on the dashboard. `{}` in a text stands for a part of the page. */
import { count, number } from "../numbers.ts";

const messages = (n: number): string => count(n, "message", "messages");
const devices = (n: number): string => count(n, "device", "devices");

export const topics = {
  find: "Find a topic",
  newOne: "New topic",
  topics: (n: number) => count(n, "topic", "topics"),
  devices,
  noMessage: "No messages yet.",
  publishFirst: "Publish the first one",
  archived: "Archived topics",
  notArchived: "Active topics",
  more: "More topics",
  fromStart: "First topics",
  noneFound: (words: string) => `No topics match “${words}”`,
  noneMore: "No more topics",
  noneArchived: "No archived topics",
  archivedWhy: "An archived topic is hidden from the list. Its link still works, and the next message brings it back.",
  clear: "Show all topics",
  empty: {
    title: "No topics yet",
    text: "A topic collects messages of one kind: backups, the front door, a server. The first message creates it.",
    inNamespace: "No topics yet.",
  },
  /** What the bars show. `errors` is absent if not all messages were looked at. */
  day: (n: number, errors?: number) =>
    `Last 24 hours: ${messages(n)}${errors === undefined || errors === 0 ? "" : `, errors in ${count(errors, "hour", "hours")}`}`,
  hour: (n: number) => messages(n),
  hourError: "including errors",
  deleteMessage: "Delete message",
  byHour: "By hour",
  came: {
    title: "Original request",
    of: (id: number) => `Original request for message ${number(id)}`,
    leftOut: "Left out:",
    all: "Show it all",
    cut: (kib: number) => `There was more: only the first ${number(kib)} KiB is kept.`,
    masked: "Values whose names look like secrets are hidden.",
    back: "Back to the messages",
  },
  leftOut: {
    note: (n: number, looked: number) =>
      looked === 1
        ? "The last message had fields that were left out"
        : `${number(n)} of the last ${messages(looked)} had fields that were left out`,
    /** After the field and the reason: the message that had it. */
    message: (id: number) => `message ${number(id)}`,
    more: "and more",
  },

  mutedUntil: "muted until {}",
  mute: {
    button: "Mute",
    name: (topic: string) => `Mute ${topic}`,
    question: (topic: string) => `Mute “${topic}”?`,
    lede: (n: number) =>
      `Nothing is sent to ${n === 0 ? "any device" : n === 1 ? "its device" : `its ${devices(n)}`}, not even urgent messages. They still appear in the feed.`,
    howLong: "How long",
    keep: "Cancel",
    wrong: "Choose how long, or a time in the future.",
    untilHint: (zone: string) => `Time in ${zone}`,
    hour: "For an hour",
    eight: "For 8 hours",
    day: "For a day",
    week: "For a week",
    until: "Until …",
    unmuteName: (topic: string) => `Unmute ${topic}`,
    namespace: (namespace: string) => `All of ${namespace} is muted until {}.`,
  },
  share: {
    name: (topic: string) => `Share ${topic}`,
    text: "Anyone with this link can read the topic, get its messages and acknowledge urgent ones. No account is needed, and nobody can publish with it.",
    ownMachine:
      "Phones can’t reach this local address. Open the dashboard at the address others use, or set PEAL_BASE_URL.",
    replaceTitle: "Replace the link",
    replaceText: (n: number) =>
      `The old link stops working immediately, for reading and for Atom.${n === 0 ? "" : n === 1 ? " You choose whether to keep its one device." : ` You choose which of the ${devices(n)} to keep.`}`,
    replace: "Replace link …",
  },
  replace: {
    question: (topic: string) => `Replace the link of “${topic}”?`,
    lede: "The old link and its Atom feed stop working immediately. Devices you keep aren’t affected.",
    keep: "Devices to keep",
    keepAll: (n: number) => `All ${devices(n)}`,
    keepNone: "None: unsubscribe all",
    button: "Replace link",
    back: "Keep old link",
  },
  tabs: {
    name: "Topic",
    feed: "Feed",
    publish: "Publish",
    share: "Share",
    devices: "Devices",
    settings: "Settings",
  },
  openFeed: "Open feed",
  publish: {
    title: "Publish",
    withKey: "With the key",
    anyKey: "any key",
    useKey: "Fill in",
    needsKey: (namespace: string) => `Needs a key for ${namespace} that can publish.`,
    makeKey: "Create one",
    placeholder: (prefix: string) =>
      `A key is shown only once, so only its first characters are here: replace ${prefix} with the whole key`,
    write: "Or write a message",
    title2: "Title",
    level: "Level",
    priorities: { low: "Low", normal: "Normal", high: "High", urgent: "Urgent" },
    send: "Publish",
    tools: "From a tool",
  },
  devicesTab: {
    none: "No device follows this topic",
    noneText: "Open the share link on a phone and choose Notify me.",
    toShare: "Show the link",
    everything: "Everything.",
    only: {
      low: "Everything.",
      normal: "Normal and above.",
      high: "Only high and urgent.",
      urgent: "Only urgent.",
    },
    quiet: (from: string, to: string) => `Quiet ${from}–${to}.`,
    muted: "Muted until {}.",
    mute: "Mute for a day",
    muteName: (device: string, topic: string) => `Mute for a day: ${topic} on ${device}`,
    unmuteName: (device: string, topic: string) => `Unmute ${topic} on ${device}`,
    remove: "Remove",
    removeName: (device: string, topic: string) => `Remove ${device} from ${topic}`,
    more: "More devices",
    all: "All devices",
  },
  settings: {
    title: "Settings",
    nameHint: "Letters, digits, dots, _ and -, case-sensitive. Scripts publish to it by this name.",
    description: "Description",
    descriptionHint: "Shown at the top of the feed.",
    retention: "Keep messages for",
    retentionHint: (days: number) =>
      `90 d, 12 w, or 0 for ever. Leave blank for the server default: ${days === 0 ? "for ever" : count(days, "day", "days")}.`,
    most: "Keep at most",
    mostHint: (n: number) =>
      `Number of messages; the oldest are deleted first. 0: no limit. Leave blank for the server default: ${n === 0 ? "no limit" : number(n)}.`,
    mute: "Mute until",
    muteHint: (zone: string) =>
      `Time in ${zone}. Until then, nothing is sent to any device, not even urgent messages. They still appear in the feed.`,
    create: "Create topic",
    archive: "Archive",
    archiveHint: "Hides it from the list. The next message brings it back.",
    unarchive: "Unarchive",
    delete: "Delete topic …",
    wrong: {
      name: "1 to 64 letters, digits, dots, _ or -. It can’t start with a dot.",
      looksLikeKey: "This looks like a topic key.",
      taken: (name: string) => `A topic named ${name} already exists.`,
      description: "At most 1,000 characters.",
      retention: "Enter a length of time: 90 d, 12 w, or 0 for ever.",
      most: "Enter a number of messages, for example 10000, or 0 for no limit.",
      muteUntil: "Enter a date and time, for example 2026-12-31 08:00.",
      full: "This namespace has reached its topic limit. Delete a topic nobody needs.",
      namespace: "Choose a namespace.",
      message: "Enter a message of 1 to 32,768 bytes.",
      title: "At most 256 characters.",
    },
  },
  delete: {
    question: (topic: string) => `Delete topic “${topic}”?`,
    messages: (n: number, isMore: boolean) => `${isMore ? "More than " : ""}${messages(n)}`,
    areGone: (n: number) => ` since {} ${n === 1 ? "is" : "are"} deleted.`,
    noMessages: "It has no messages.",
    devices,
    stop: (n: number) => ` ${n === 1 ? "stops" : "stop"} getting them`,
    link: "The share link and its Atom feed stop working.",
    remade: "A script that keeps publishing to {} creates a new, empty topic.",
    button: (n: number, isMore: boolean) =>
      n === 0 ? "Delete topic" : `Delete ${isMore ? "all messages" : messages(n)}`,
    keep: "Keep topic",
    inUse: (topic: string) => `“${topic}” is in use`,
    inUseText:
      "These checks send their alerts here. Give them another topic or delete them, then you can delete this one.",
  },
  flash: {
    made: (name: string) => `Topic ${name} created.`,
    madeBeside: (name: string, other: string) =>
      `Topic ${name} created. There’s also ${other}: topic names are case-sensitive, so these are two topics.`,
    saved: "Saved.",
    muted: (name: string) => `${name} is muted. Its messages still appear in the feed.`,
    unmuted: (name: string) => `${name} is unmuted.`,
    published: (name: string) => `Published to ${name}.`,
    replaced: (kept: number, dropped: number) =>
      `Link replaced. ${kept === 0 ? "No devices kept" : `${devices(kept)} kept`}, ${dropped === 0 ? "none" : number(dropped)} unsubscribed.`,
    deleted: (name: string) => `Topic ${name} deleted.`,
    archived: (name: string) => `${name} archived.`,
    unarchived: (name: string) => `${name} is back in the list.`,
    deviceRemoved: (device: string) => `${device} no longer gets this topic.`,
    deviceMuted: (device: string) => `Muted on ${device} for a day.`,
    deviceUnmuted: (device: string) => `Unmuted on ${device}.`,
  },
};
