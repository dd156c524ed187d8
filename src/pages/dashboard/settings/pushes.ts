/** "Can phones get push?": what is known without asking anybody, in words and with what to do. Pure. */
import type { Config } from "../../../config/config.ts";
import type { LaneStatus } from "../../../delivery/service.ts";
import { isOwnMachine } from "../../../http/urls.ts";
import type { View } from "../../view.ts";

export interface Answer {
  title: string;
  text: string;
  /** `off`: nothing is wrong, it is not used. */
  is: "yes" | "no" | "unknown" | "off";
}

export interface Known {
  config: Pick<Config, "baseUrl" | "push">;
  /** Accepted pushes of the last 7 days. */
  accepted: number;
  /** Of peal's own https: whether browsers accept the certificate for a host. Absent: it is somebody else's. */
  serves?: (host: string) => boolean;
  /** Lanes in which something waits, under the names that people know. */
  lanes: readonly { label: string; status: LaneStatus }[];
}

export function pushAnswers({ texts, url }: Pick<View, "texts" | "url">, known: Known): Answer[] {
  const { push: words } = texts.settings;
  const { accepted, lanes, serves } = known;
  const { baseUrl, push } = known.config;
  const own = (name: "ios" | "android", isSet: boolean): Answer => ({
    title: words[name].title,
    text: isSet ? words[name].ready : words[name].off,
    is: isSet ? "yes" : "off",
  });
  return [
    { title: words.https.title, ...https(words, baseUrl ?? url, serves) },
    baseUrl === undefined
      ? { title: words.base.title, text: words.base.no, is: "off" }
      : { title: words.base.title, text: words.base.yes, is: "yes" },
    { title: words.web.title, text: words.web.ready, is: "yes" },
    accepted > 0
      ? { title: words.accepted.title, text: words.accepted.yes(accepted), is: "yes" }
      : { title: words.accepted.title, text: words.accepted.never, is: "unknown" },
    ...lanes.flatMap(({ label, status }): Answer[] => {
      if (status.kind === "paused") return [{ title: label, text: words.paused(label, status.tell), is: "no" }];
      if (status.kind === "unreachable") {
        const reason = texts.deliveries.unreached.get(status.reason) ?? status.reason;
        return [{ title: label, text: words.unreachable(label, reason), is: "no" }];
      }
      return [];
    }),
    own("ios", push.apns !== undefined),
    own("android", push.fcm !== undefined),
  ];
}

function https(
  words: View["texts"]["settings"]["push"],
  address: string,
  serves: Known["serves"],
): Pick<Answer, "text" | "is"> {
  const { protocol, hostname } = new URL(address);
  if (protocol === "https:" && serves?.(hostname.replace(/^\[|\]$/g, "")) === false)
    return { text: words.https.refused(address), is: "no" };
  if (protocol === "https:") return { text: words.https.yes(address), is: "yes" };
  return { text: isOwnMachine(address) ? words.https.local(address) : words.https.no(address), is: "no" };
}
