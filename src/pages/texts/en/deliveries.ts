/** The page of deliveries, and what is said of a push wherever one is shown. Where a text has `{}`, a part of the page follows. */
import type { DeliveryState } from "../../../delivery/delivery.ts";
import { lasting } from "../lasting.ts";
import { number } from "./numbers.ts";

const pushes = (n: number) => `${number(n)} ${n === 1 ? "push" : "pushes"}`;
const after = (ms: number) =>
  ms < 1_000 ? `${number(ms)}\u00a0ms` : ms < 10_000 ? `${number(Math.round(ms / 100) / 10)}\u00a0s` : lasting(ms);

export const deliveries = {
  title: "Deliveries",
  heading: ({ failed, waiting, all, isMore }: { failed: number; waiting: number; all: number; isMore: boolean }) => {
    const waits = `${isMore ? "more than " : ""}${number(waiting)} ${waiting === 1 ? "waits" : "wait"}`;
    if (failed > 0) return `${pushes(failed)} failed${waiting > 0 ? `, ${waits}` : ""}`;
    if (waiting > 0)
      return isMore ? `More than ${pushes(waiting)} wait` : `${pushes(waiting)} ${waiting === 1 ? "waits" : "wait"}`;
    return all === 0 ? "No pushes yet" : "No push failed";
  },
  lede: "Why did my phone stay silent? Every message and what became of it on each device, for 7 days.",
  /** Of one message, on all devices. */
  told: ({ accepted, failed, expired, cancelled, pending, all }: Record<DeliveryState | "all", number>) => {
    if (all === 0) return "No device followed the topic then.";
    const parts = [
      `${number(accepted)} of ${number(all)} ${all === 1 ? "device" : "devices"} ${accepted === 1 ? "was" : "were"} told`,
      failed > 0 && `${number(failed)} failed`,
      expired > 0 && `${number(expired)} came too late`,
      cancelled > 0 && `${number(cancelled)} ${cancelled === 1 ? "was" : "were"} not sent`,
      pending > 0 && `${number(pending)} ${pending === 1 ? "waits" : "wait"}`,
    ];
    return `${parts.filter((part) => part !== false).join(", ")}.`;
  },
  acknowledged: "Acknowledged {}.",
  /** Of a message, elsewhere: leads there. */
  whoWasTold: "Who was told",
  show: "Show",
  all: "All",
  states: {
    waiting: "Waiting",
    held: "Held",
    accepted: "Accepted",
    failed: "Failed",
    expired: "Too late",
    cancelled: "Not sent",
  },
  counted: (n: number, isMore: boolean) => (isMore ? `${number(n)}+` : number(n)),
  platform: "Kind of device",
  platforms: { ios: "iPhone apps", android: "Android apps", web: "Browsers" },
  anyPlatform: "All devices",
  onlyDevice: "Only what went to {}.",
  onlyTopic: "Only the topic {}.",
  showAll: "Show all deliveries",
  columns: { device: "Device", state: "State", said: "What the push service said", action: "Action" },
  removedDevice: "Removed device",
  deletedMessage: "A message that was deleted",
  untitled: (id: number) => `Message ${number(id)}`,
  retry: "Retry",
  retryOf: (message: string, device: string) => `Retry: ${message}, ${device}`,
  retryAll: "Retry all failed",
  retryAllOf: (message: string) => `Retry all failed: ${message}`,
  older: "Older",
  none: { title: "Nothing like this", text: "In the last 7 days there was no such push." },
  noneYet: {
    title: "No push was sent yet",
    text: "A push goes to every device that follows the message’s topic. Open a topic’s share link on a phone, tap Notify me, then publish.",
    topics: "Go to the topics",
  },
  lookedFar: "Nothing found so far. Older ones were not looked at yet.",
  service: { apple: "Apple", google: "Google", mozilla: "Mozilla", microsoft: "Microsoft" },
  say: {
    took: (service: string, ms: number) => `${service} took it in ${after(ms)}.`,
    tries: (n: number) => `On try ${number(n)}.`,
    shown: (ms: number) => `Shown after ${after(ms)}.`,
    repeated: "Repeated until somebody acknowledges it.",
    answered: (service: string, status: number) => `${service} answered ${status}`,
    unreached: (service: string) => `${service} could not be reached`,
    waits: "It is sent as soon as it is its turn.",
    nextAt: "Next try: {}.",
    sentAt: "To be sent: {}.",
    tried: (n: number) => `${number(n)} ${n === 1 ? "try" : "tries"}.`,
    lost: "The device is lost. Open a share link on it and tap Notify me.",
    notConfigured: (service: string) => `peal has no credentials for ${service}.`,
    paused: (service: string) => `Pushes to ${service} are paused.`,
    asleep: (service: string) => `${service} does not answer.`,
  },
  /** Reasons of our own, as they are stored. */
  reasons: new Map([
    ["quiet hours", "Held by the device’s quiet hours."],
    ["its time ran out", "Its time ran out before it could be sent."],
    ["below the priority it shows", "The device takes only more important messages."],
    ["muted", "The topic was muted."],
    ["unsubscribed", "The device no longer follows the topic."],
    ["the message was deleted", "The message was deleted."],
    ["somebody acknowledged it", "Somebody had acknowledged it."],
    ["a newer one took its place", "A newer one took its place."],
    ["the device was removed", "The device was removed."],
    ["another test was asked for", "Another test took its place."],
    ["too many for the device", "The push service wants fewer for this device."],
  ]),
  /** What push services mean; the sentence goes on with their own words. */
  meanings: {
    gone: "it does not know the device any more",
    noToken: "it knows no such device",
    otherApp: "the device belongs to another app or key",
    tooMany: "too many pushes at a time",
    tooLarge: "the push is too large",
    refused: "it refuses this server’s credentials",
    broken: "it is out of order for the moment",
  },
  /** Why one could not be asked: what is stored is English. */
  unreached: new Map(
    [
      "connection refused",
      "connection closed",
      "host not reachable",
      "network not reachable",
      "connection timed out",
      "no such host",
      "the name could not be looked up",
      "the TLS handshake failed",
      "the proxy opened no tunnel",
      "the proxy cannot be reached",
      "no answer in 15 s",
      "the server stops",
      "speaks no HTTP/2",
      "connection ended by GOAWAY",
      "stream reset",
      "stream refused",
      "stream or connection ended",
      "certificate not valid: it has expired",
      "certificate not valid: not yet",
      "certificate not valid: it is of another name",
      "certificate not valid: self-signed",
      "certificate not valid: of an authority that is not trusted",
      "certificate not valid: its chain is not complete",
    ].map((reason) => [reason, reason]),
  ),
  notes: {
    offline: "No push service can be reached.",
    offlineDo:
      "What is to be pushed waits, and is sent once the network is back. Does this machine reach the internet, and does it resolve names (DNS)?",
    unreachable: (service: string) => `${service} does not answer.`,
    unreachableDo: "The reason: {}. What is meant for it waits, and peal tries again by itself. Nothing to do.",
    paused: (service: string) => `Pushes to ${service} are paused.`,
    notConfigured: (service: string) => `Pushes to ${service} wait: there are no credentials.`,
    notConfiguredDo: (settings: string) => `Set ${settings} and restart, or they will be too late.`,
  },
  chart: {
    title: "Last 14 days",
    label: ({ accepted, failed, expired }: { accepted: number; failed: number; expired: number }) =>
      `In 14 days ${pushes(accepted)} accepted, ${number(failed)} failed, ${number(expired)} too late`,
    day: (day: string, { accepted, failed, expired }: { accepted: number; failed: number; expired: number }) =>
      `${day}: ${number(accepted)} accepted, ${number(failed)} failed, ${number(expired)} too late`,
    good: "accepted",
    bad: "failed or too late",
    utc: "Days in UTC",
  },
  flash: {
    retried: (n: number) => `${pushes(n)} ${n === 1 ? "waits" : "wait"} again and ${n === 1 ? "is" : "are"} sent now.`,
    left: (n: number, left: number) =>
      `${pushes(n)} sent again. ${number(left)} cannot be: the device is lost, or no longer follows the topic, or somebody acknowledged the message.`,
  },
};
