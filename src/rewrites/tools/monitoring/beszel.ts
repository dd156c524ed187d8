/** Beszel: it posts through shoutrrr, as a title with a message or as one text (REWRITES.md §8). */
import { field, has, lineAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import type { Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";
import { line } from "../../text.ts";
import { link } from "../../urls.ts";

export const beszel: Source<"beszel"> = {
  name: "beszel",
  title: "Beszel",
  setup: {
    place: "Settings, Notifications, Webhook / Push notifications, Add URL",
    withHook: (url) => [{ label: "URL", value: shoutrrrUrl(url) }],
    notes: [
      "Don't use `generic+https://…`: with it Beszel puts its title into the text, and the message arrives as a note that never closes. After **Test",
      'URL** the topic shows "Beszel test".',
    ],
  },
  fits: (payload) => noticeIn(payload) !== undefined,
  tell(payload) {
    const notice = noticeIn(payload);
    if (notice === undefined) return undefined;
    const { title, text, address } = notice;
    const { title: said = line(title), isTest = false, about, ...look } = saidBy(title);
    const system = /\/system\/([^/?#]{1,64})$/.exec(address)?.[1];
    return {
      ...look,
      title: said,
      lines: [isTest ? "this notification works." : line(text)],
      tags: ["beszel", isTest ? "test" : undefined],
      url: link(address),
      key: about && `beszel:${system ?? ""}:${about}`,
      data: present({ system: system === undefined ? undefined : line(system) }),
    };
  },
};

interface Notice {
  title: string;
  text: string;
  address: string;
}

const TEST = "Test Alert";
const TEST_TEXT = "This is a notification from Beszel.";
const MAX_CHARACTERS = 1_000;
/** A title (a heading in Mattermost), a message and the link to Beszel; the title may be in a field instead. */
const TEXT = /^(?:##### )?([^\n]+)\n\n([^\n]+)\n\n(https?:\/\/\S+)$/;

/** No other field may be there: a title and a message alone are also a message for peal, so the words must be Beszel's. */
function noticeIn(payload: Fields): Notice | undefined {
  const isTitled = has(payload, "title", "message");
  if (!isTitled && !Object.hasOwn(payload, "text")) return undefined;
  const names = Object.keys(payload);
  if (isTitled ? names.length !== 2 : !names.every((name) => COMPANIONS.has(name))) return undefined;
  const message = field(payload, isTitled ? "message" : "text");
  const heading = field(payload, "title");
  if (typeof message !== "string" || message.length > MAX_CHARACTERS) return undefined;
  if (isTitled && (typeof heading !== "string" || heading.length > MAX_CHARACTERS)) return undefined;
  const [, title = "", text = "", address = ""] =
    TEXT.exec(isTitled ? `${lineAt(payload, "title") ?? ""}\n\n${message}` : message) ?? [];
  const isAlert = SAYINGS.some((saying) => saying.test(title)) && /\/system\/[^/?#]+$/.test(address);
  return isAlert || (title === TEST && text === TEST_TEXT) ? { title, text: text.trim(), address } : undefined;
}

/** Fields that shoutrrr adds for Mattermost and Rocket.Chat. */
const COMPANIONS = new Set(["text", "username", "channel", "icon_emoji", "icon_url"]);

const CONNECTION = /^Connection to (.{1,200}) is (down|up) (?:🔴|✅)$/u;
const THRESHOLD = /^(.{1,300}) (above|below) threshold$/;
const SMART = /^SMART (failure|warning) on (.{1,300}) (?:🔴|🟠)$/u;
const SAYINGS = [CONNECTION, THRESHOLD, SMART];

interface Said extends Look {
  title?: string;
  about?: string;
  isTest?: boolean;
}

function saidBy(title: string): Said {
  if (title === TEST) return { ...looks.NOTICE, title: "Beszel test", isTest: true };
  const [, system, state] = CONNECTION.exec(title) ?? [];
  if (system !== undefined)
    return state === "up"
      ? { ...looks.WELL, title: line(`${system} is up again`), about: "connection" }
      : { ...looks.BROKEN, title: line(`${system} is down`), about: "connection" };
  const [, measured, side] = THRESHOLD.exec(title) ?? [];
  if (measured !== undefined) {
    // a battery is the only thing that should be full
    const isOver = (side === "below") !== measured.endsWith(" battery");
    return { ...(isOver ? looks.WELL : looks.DOUBTFUL), about: line(measured) };
  }
  const [, worst, disk] = SMART.exec(title) ?? [];
  // Beszel reports when a disk gets worse, never when it is well again
  const look = worst === "failure" ? looks.TROUBLE : looks.WARNING;
  return disk === undefined ? look : { ...look, title: line(`SMART ${worst ?? ""} on ${disk}`) };
}

/**
 * Only with an address of this form does Beszel send its title apart from the text (`SendShoutrrrAlert`,
 * internal/alerts/alerts.go). Our own JSON can be a title and a message too, so the address names the sender, which shoutrrr
 * keeps.
 */
function shoutrrrUrl(url: string): string {
  const plain = url.startsWith("http://") ? "&disabletls=yes" : "";
  return `${url.replace(/^https?/, "generic")}?template=json&rewrite=beszel${plain}`;
}
