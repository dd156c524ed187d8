/** The pages of devices. Where a text has `{}`, a part of the page follows. */
import type { Priority } from "../../../messages/message.ts";
import { number } from "./numbers.ts";

const devicesCount = (n: number) => `${number(n)} ${n === 1 ? "device" : "devices"}`;

export const devices = {
  title: "Devices",
  heading: ({ active, lost }: { active: Counted; lost: Counted }) => {
    if (active.n + lost.n === 0) return "No devices yet";
    if (active.isMore || lost.isMore)
      return `More than ${devicesCount(active.n)}${lost.n > 0 ? `, and ${number(lost.n)} lost` : ""}`;
    const all = devicesCount(active.n + lost.n);
    return lost.n === 0 ? all : active.n === 0 ? `${all}, lost` : `${all}, ${number(lost.n)} of them lost`;
  },
  lede: "A device joins by opening a share link and tapping {}.",
  notifyMe: "Notify me",
  connect: "Connect a device",
  show: "Show",
  all: "All",
  onlyLost: "Lost",
  list: "Devices",
  lost: "Lost",
  lostKept: "kept for 30 days so that you know why",
  older: "Older",
  none: { title: "No device like this", text: "None follows a topic here." },
  noneYet: {
    title: "How the first phone joins",
    steps: [
      "Open a topic and take its share link, as a QR code for the phone’s camera.",
      "Open it on the phone. On an iPhone: Share, Add to Home Screen, open it from there.",
      "Tap Notify me. The phone is listed here, and gets every message of the topic.",
    ],
    https: "Phones take pushes only from a page that came by https.",
    toTopics: "Choose a topic",
  },
  unnamed: "Device without a name",
  kind: { ios: "iPhone or iPad app", android: "Android app", web: "Browser" },
  kindOf: (kind: string, service: string) => `${kind}, pushes by ${service}`,
  since: "Here since {}.",
  accepted: "Accepted {}.",
  never: "No push was accepted yet.",
  error: "Last error {}: {}",
  topics: (n: number) => (n === 0 ? "No topics" : `${number(n)} ${n === 1 ? "topic" : "topics"}`),
  takes: {
    low: "everything",
    normal: "normal and above",
    high: "high and urgent only",
    urgent: "urgent only",
  } satisfies Record<Priority, string>,
  quiet: (from: string, to: string) => `quiet ${from}–${to}`,
  noQuiet: "no quiet hours",
  lostAt: "Lost {}: {}",
  gone: (service: string) => `${service} does not know it any more, usually because the app was removed`,
  ended: (service: string) => `${service} says its subscription ended, usually because site data was cleared`,
  lostDo: "Open a share link on it and tap Notify me.",
  test: "Test",
  testOf: (name: string) => `Send a test to ${name}`,
  sendTest: "Send test",
  remove: "Remove",
  removeOf: (name: string) => `Remove ${name}`,
  tested: {
    pending: "The test is on its way.",
    reload: "Reload the page to see what became of it.",
    accepted: (service: string) => `Test push accepted by ${service}.`,
    failed: (service: string) => `${service} refused the test push.`,
    expired: "The test push could not be sent in time.",
    cancelled: "The test push was not sent.",
    answer: "Answer:",
    at: "Asked for {}.",
    lostWhy: "It is lost: no push reaches it.",
  },
  follows: "Topics",
  add: "Add topic",
  topic: "Topic",
  topicHint: "Its share link, or what stands at its end.",
  noTopicToAdd: "It follows every topic that you see.",
  noTopics: "It follows no topic, so nothing is sent to it. After 30 days it is forgotten.",
  elsewhere: (n: number) => `It also follows ${number(n)} ${n === 1 ? "topic" : "topics"} of other namespaces.`,
  asSet: "As set for this device",
  ruled: {
    low: "Everything",
    normal: "Normal and above",
    high: "High and urgent only",
    urgent: "Urgent only",
  } satisfies Record<Priority, string>,
  mutedUntil: "Muted until {}",
  change: "Change",
  changeOf: (topic: string) => `Change ${topic}`,
  removeTopicOf: (topic: string, name: string) => `Remove ${topic} from ${name}`,
  least: "At least",
  mute: "Mute",
  mutes: {
    keep: "As it is",
    off: "Not muted",
    "1": "For an hour",
    "8": "For 8 hours",
    "24": "For a day",
    "168": "For a week",
  },
  save: "Save",
  rules: "What gets through",
  name: "Name",
  everything: "Everything",
  quietFrom: "Quiet from",
  quietTo: "until",
  zone: "Zone",
  quietHint:
    "In the device’s zone. Messages wait until the end; urgent ones come through at once. Leave both empty for no quiet hours.",
  onlyAdmins:
    "It follows topics of namespaces that you do not see: an admin changes its name and its quiet hours, or removes it.",
  pushes: "Last pushes",
  allPushes: "All",
  noPushes: "No push in the last 7 days.",
  removeDevice: "Remove device …",
  ask: {
    question: (name: string) => `Remove “${name}”?`,
    topics: (n: number) => `It stops following ${number(n)} ${n === 1 ? "topic" : "topics"}, and gets no more pushes.`,
    waiting: "What waits for it is not sent.",
    again: "It joins again when somebody opens a share link on it and taps Notify me.",
    button: "Remove device",
    keep: "Keep device",
  },
  wrong: {
    topic: "That is no topic that you see. Paste its share link.",
    full: "The topic takes no more devices, or the device no more topics.",
    name: "A name has 1 to 100 characters.",
    quiet: "Quiet hours need a start and an end that differ, such as 22:00 and 07:00.",
    zone: "There is no such time zone. Write it like Europe/Berlin.",
    other: (detail: string) => detail,
  },
  flash: {
    saved: "Saved.",
    added: (topic: string, name: string) => `${name} follows ${topic} now.`,
    dropped: (topic: string, name: string) => `${name} no longer follows ${topic}.`,
    removed: (name: string) => `${name} is removed.`,
    lost: (name: string) => `${name} is lost: no push reaches it. Open a share link on it and tap Notify me.`,
  },
};
interface Counted {
  n: number;
  isMore: boolean;
}
