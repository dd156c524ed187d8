/** The markup of chats as plain text: Slack's mrkdwn, the Markdown of the others, a little HTML (REWRITES.md §8). */
import { rfc3339 } from "../util/clock.ts";
import { masked, parseUrl } from "./urls.ts";

const MARKED = /[<>*_~`|:&#[\\]/;
const FENCE = /```(?:[\w+-]{0,20}\n)?/g;
const ANGLES = /<([^<>\n]{1,4096})>/g;
/** Bounded, like all that follow: what is not closed must not be read to its end from each of its characters. */
const LINK = /!?\[([^[\]\n]{1,300})\]\(\s?<?(https?:\/\/[^\s()<>]{1,4096})>?\s?\)/g;
const LINE_START = /^(?:#{1,6} |-# |>>> |(?:>|&gt;) ?)/gm;
const CODE = /`{1,2}([^`\n]{1,500})`{1,2}/g;
const EMPHASIS = /(?<![\w*_~|\\])(\*{1,3}|__?|~~?|\|\|)(?=\S)([^\n]{0,300}?[^\s\\])\1(?![\w*_~]|\.\w)/g;
/** It is invisible: Healthchecks puts it before text that is not markup. */
const JOINER = "\u034f";
/** One or more with nothing between them; `std::string::npos` has none. */
const EMOJI = /(?<![\w:])(?::[a-z+-][a-z0-9_+-]{0,40}:)+(?![\w:])/g;
const ESCAPED = /\\([*_~`|])/g;
const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp));/gi;

/** The URLs that are shown, in their order. `text`: the result of `unmaskedProse`. */
export const linksIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s"'<>()|[\]]{1,4096}/g)].slice(0, 20).map(([url]) => url);

/** The text without markup and without anything that may be secret. `opened`: the message's link, which is not shown again. */
export function plain(text: string, opened?: string): string {
  if (!MARKED.test(text)) return masked(text);
  const unmarked = withoutAngles(text.replace(FENCE, ""), opened)
    .replace(LINK, (_, label: string, url: string) => linked(url, label, opened))
    .replace(LINE_START, "")
    .replace(CODE, "$1")
    .replace(EMPHASIS, "$2")
    .replace(EMPHASIS, "$2")
    .replace(EMOJI, symbols)
    .replace(ESCAPED, "$1")
    .replace(ENTITY, (entity: string, decimal?: string, hex?: string, name?: string) =>
      character(entity, decimal === undefined ? parseInt(hex ?? "", 16) : Number(decimal), name),
    );
  return masked(unmarked.replaceAll(JOINER, "").replace(/ {2,}/g, " ").replace(/^ | $/gm, "")).trim();
}

const symbols = (run: string): string =>
  run
    .split(":")
    .map((name) => SYMBOLS.get(name) ?? "")
    .join("");

/** `label (url)`, or only one of them if the other adds nothing. */
function linked(address: string, label: string | undefined, opened: string | undefined): string {
  const url = parseUrl(address)?.href ?? "";
  const text = label?.trim() ?? "";
  if (text === "") return url;
  const isSaid = url === "" || url === opened || same(url, text);
  return isSaid ? text : `${text} (${url})`;
}

const bare = (url: string) => url.replace(/^https?:\/\//, "").replace(/\/$/, "");
const same = (url: string, text: string): boolean => bare(url) === bare(text);

/** Tags that break the line, or end an element with its own line. */
const BREAK = /^(?:br|hr|\/(?:p|div|li|tr|h[1-6]|pre|blockquote))\b/i;
const TAG =
  /^\/?(?:a|b|i|u|s|p|em|del|div|pre|sub|sup|code|font|span|strong|small|center|blockquote|h[1-6]|[ou]l|li|table|t(?:body|head|[rdh])|img)\b/i;

function withoutAngles(text: string, opened: string | undefined): string {
  let href: string | undefined;
  return text.replace(ANGLES, (whole: string, inside: string) => {
    if (BREAK.test(inside)) return "\n";
    if (/^\/a\b/i.test(inside)) {
      const url = href === undefined ? "" : (parseUrl(href)?.href ?? "");
      href = undefined;
      return url === "" || url === opened ? "" : ` (${url})`;
    }
    if (/^a\b/i.test(inside)) href = /\bhref=["']?([^"'\s]+)/i.exec(inside)?.[1];
    return TAG.test(inside) ? (/^li\b/i.test(inside) ? "• " : "") : reference(whole, inside, opened);
  });
}

/** What Slack and Discord write between `<` and `>`: a link, a mention, a time, a custom emoji. */
function reference(whole: string, inside: string, opened: string | undefined): string {
  const bar = inside.indexOf("|");
  const [target, label] = bar < 0 ? [inside, undefined] : [inside.slice(0, bar), inside.slice(bar + 1)];
  if (/^https?:\/\//i.test(target)) return linked(target, label, opened);
  if (/^(?:mailto|tel):/i.test(target)) return label ?? target.slice(target.indexOf(":") + 1);
  // peal decides who is notified: mentions of everybody are left out
  if (/^!\w/.test(target)) return label ?? "";
  const sign = /^([@#][!&]?)\w+$/.exec(target)?.[1];
  if (sign !== undefined)
    return label === undefined ? (CALLED.get(sign) ?? "") : `${sign[0] ?? ""}${label.replace(/^[@#]/, "")}`;
  const emoji = /^a?(:\w{1,40}:)\d+$/.exec(target)?.[1];
  const seconds = Number(/^t:(\d{1,11})(?::\w)?$/.exec(target)?.[1]);
  return (
    emoji ??
    (Number.isNaN(seconds)
      ? whole
      : `${rfc3339(seconds * 1000)
          .slice(0, 16)
          .replace("T", " ")} UTC`)
  );
}

/** What a mention becomes whose id means nothing here. */
const CALLED = new Map([
  ["@", "@user"],
  ["@!", "@user"],
  ["@&", "@role"],
  ["#", "#channel"],
]);

const NAMED = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", " "],
]);

function character(entity: string, code: number, name: string | undefined): string {
  if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? entity;
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

/** Emoji that say something; all others are decoration and left out. */
// prettier-ignore
const SYMBOLS = new Map(
  (
    "white_check_mark ✅ heavy_check_mark ✔ ballot_box_with_check ☑ large_green_circle 🟢 green_circle 🟢 large_green_square 🟩 " +
    "x ❌ red_circle 🔴 large_red_square 🟥 no_entry ⛔ octagonal_sign 🛑 rotating_light 🚨 sos 🆘 fire 🔥 boom 💥 skull 💀 " +
    "warning ⚠️ large_yellow_circle 🟡 yellow_circle 🟡 large_orange_circle 🟠 orange_circle 🟠 exclamation ❗ bangbang ‼️ question ❓ " +
    "large_blue_circle 🔵 blue_circle 🔵 information_source ℹ️ bell 🔔 mega 📣 eyes 👀 tada 🎉 rocket 🚀 package 📦 lock 🔒 key 🔑 " +
    "hourglass ⌛ hourglass_flowing_sand ⏳ alarm_clock ⏰ repeat 🔁 wrench 🔧 zap ⚡ arrow_up ⬆️ arrow_down ⬇️ arrow_right ➡️ " +
    "chart_with_upwards_trend 📈 chart_with_downwards_trend 📉 +1 👍 thumbsup 👍 -1 👎 thumbsdown 👎 heart ❤️"
  )
    .match(/\S+ \S+/g)
    ?.map((pair) => pair.split(" ") as [string, string]),
);
