/** The page of deliveries, and the words about a push wherever one is shown. `{}` in a text stands for a part of the page. */
import type { DeliveryState } from "../../../../delivery/delivery.ts";
import { lasting } from "../../lasting.ts";
import { number } from "../numbers.ts";

const pushes = (n: number) => `${number(n)} ${n === 1 ? "push" : "pushes"}`;
const after = (ms: number) =>
  ms < 1_000 ? `${number(ms)}\u00a0ms` : ms < 10_000 ? `${number(Math.round(ms / 100) / 10)}\u00a0s` : lasting(ms);

export const deliveries = {
  heading: ({ failed, waiting, all, isMore }: { failed: number; waiting: number; all: number; isMore: boolean }) => {
    const waits = `${isMore ? "more than " : ""}${number(waiting)} waiting`;
    if (failed > 0) return `${pushes(failed)} failed${waiting > 0 ? `, ${waits}` : ""}`;
    if (waiting > 0) return `${isMore ? "More than " : ""}${pushes(waiting)} waiting`;
    return all === 0 ? "No pushes yet" : "No failed pushes";
  },
  lede: "Why didn’t my phone ring? What happened to each message on each device in the last 7 days.",
  /** For one message, on all devices. */
  told: ({ accepted, failed, expired, cancelled, pending, all }: Record<DeliveryState | "all", number>) => {
    if (all === 0) return "No device was following the topic.";
    const parts = [
      `${number(accepted)} of ${number(all)} ${all === 1 ? "device" : "devices"} ${accepted === 1 ? "was" : "were"} notified`,
      failed > 0 && `${number(failed)} failed`,
      expired > 0 && `${number(expired)} expired`,
      cancelled > 0 && `${number(cancelled)} not sent`,
      pending > 0 && `${number(pending)} waiting`,
    ];
    return `${parts.filter((part) => part !== false).join(", ")}.`;
  },
  acknowledged: "Acknowledged {}.",
  /** On pages with a message: the link to its deliveries. */
  whoWasTold: "Who was notified",
  states: {
    waiting: "Waiting",
    held: "Held",
    accepted: "Accepted",
    failed: "Failed",
    expired: "Expired",
    cancelled: "Not sent",
  },
  counted: (n: number, isMore: boolean) => (isMore ? `${number(n)}+` : number(n)),
  platform: "Kind of device",
  platforms: { ios: "iPhone apps", android: "Android apps", web: "Browsers", forward: "Forwards" },
  anyPlatform: "All devices",
  onlyDevice: "Showing only pushes to {}.",
  onlyTopic: "Showing only topic {}.",
  showAll: "Show all deliveries",
  columns: { device: "Device", state: "State", said: "What the push service said", action: "Action" },
  removedDevice: "Removed device",
  deletedMessage: "Deleted message",
  untitled: (id: number) => `Message ${number(id)}`,
  retry: "Retry",
  retryOf: (message: string, device: string) => `Retry: ${message}, ${device}`,
  retryAll: "Retry all failed",
  retryAllOf: (message: string) => `Retry all failed: ${message}`,
  none: { title: "Nothing found", text: "No push like this in the last 7 days." },
  noneYet: {
    title: "No pushes yet",
    text: "A push is sent to every device that follows the message’s topic. Open a topic’s share link on a phone, tap Notify me, then publish.",
    topics: "Go to the topics",
  },
  lookedFar: "Nothing found so far. Older ones haven’t been searched yet.",
  service: { apple: "Apple", google: "Google", mozilla: "Mozilla", microsoft: "Microsoft" },
  say: {
    took: (service: string, ms: number) => `Accepted by ${service} in ${after(ms)}.`,
    tries: (n: number) => `On attempt ${number(n)}.`,
    shown: (ms: number) => `Shown after ${after(ms)}.`,
    repeated: "Repeats until someone acknowledges it.",
    answered: (service: string, status: number) => `${service} answered ${status}`,
    unreached: (service: string) => `${service} couldn’t be reached`,
    waits: "Queued.",
    nextAt: "Next attempt: {}.",
    sentAt: "To be sent: {}.",
    tried: (n: number) => `${number(n)} ${n === 1 ? "attempt" : "attempts"}.`,
    lost: "The device is lost. Open a share link on it and tap Notify me.",
    notConfigured: (service: string) => `peal has no credentials for ${service}.`,
    paused: (service: string) => `Pushes to ${service} are paused.`,
    asleep: (service: string) => `${service} isn’t responding.`,
  },
  /** Reasons of our own, as they are stored. */
  reasons: new Map([
    ["quiet hours", "Held by the device’s quiet hours."],
    ["its time ran out", "It expired before it could be sent."],
    ["below the priority it shows", "Below this device’s minimum priority."],
    ["muted", "The topic was muted."],
    ["unsubscribed", "The device no longer follows the topic."],
    ["the message was deleted", "The message was deleted."],
    ["somebody acknowledged it", "Someone had already acknowledged it."],
    ["a newer one took its place", "A newer one replaced it."],
    ["the device was removed", "The device was removed."],
    ["another test was asked for", "A newer test replaced it."],
    ["too many for the device", "The push service limits how many it accepts for this device."],
  ]),
  /** The meanings of push services' answers; their own words end the sentence. */
  meanings: {
    gone: "it no longer recognises this device",
    noToken: "it doesn’t recognise this device",
    otherApp: "the device belongs to another app or key",
    tooMany: "too many pushes at once",
    tooLarge: "the push is too large",
    refused: "it rejected this server’s credentials",
    broken: "it’s temporarily unavailable",
  },
  /** Why one could not be asked: what is stored is English. */
  unreached: new Map([
    ["connection refused", "connection refused"],
    ["connection closed", "connection closed"],
    ["host not reachable", "host unreachable"],
    ["network not reachable", "network unreachable"],
    ["connection timed out", "connection timed out"],
    ["no such host", "unknown host name"],
    ["the name could not be looked up", "DNS lookup failed"],
    ["the TLS handshake failed", "TLS handshake failed"],
    ["the proxy opened no tunnel", "the proxy didn’t open a tunnel"],
    ["the proxy cannot be reached", "the proxy is unreachable"],
    ["no answer in 15 s", "no answer in 15 s"],
    ["the server stops", "this server is stopping"],
    ["speaks no HTTP/2", "doesn’t support HTTP/2"],
    ["connection ended by GOAWAY", "connection ended by GOAWAY"],
    ["stream reset", "stream reset"],
    ["stream refused", "stream refused"],
    ["stream or connection ended", "stream or connection ended"],
    ["certificate not valid: it has expired", "certificate expired"],
    ["certificate not valid: not yet", "certificate not valid yet"],
    ["certificate not valid: it is of another name", "certificate is for another name"],
    ["certificate not valid: self-signed", "self-signed certificate"],
    ["certificate not valid: of an authority that is not trusted", "certificate not trusted"],
    ["certificate not valid: its chain is not complete", "certificate chain incomplete"],
  ]),
  notes: {
    offline: "Can’t reach any push service.",
    offlineDo: "Pushes are queued until the network is back. Check this machine’s internet connection and DNS.",
    unreachable: (service: string) => `${service} isn’t responding.`,
    unreachableDo: "Reason: {}. Messages are queued and peal keeps retrying. Nothing to do.",
    paused: (service: string) => `Pushes to ${service} are paused.`,
    notConfigured: (service: string) => `Pushes to ${service} are waiting: there are no credentials.`,
    notConfiguredDo: (settings: string) => `Set ${settings} and restart peal, or they’ll expire.`,
  },
  flash: {
    retried: (n: number) => `Retrying ${pushes(n)} now.`,
    left: (n: number, left: number) =>
      `Retrying ${pushes(n)}. ${number(left)} can’t be retried: the device is lost or no longer follows the topic, or someone acknowledged the message.`,
  },
};
