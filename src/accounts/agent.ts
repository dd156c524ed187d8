/** The address and the browser from which a session is used, as they are stored and as people read them. */
import { contextOf } from "../http/context.ts";
import type { Session } from "./session.ts";

/** Longer ones say nothing more. */
const MAX_AGENT = 256;

/** The agent of this request. */
export const agentOf = (request: Request): Pick<Session, "address" | "agent"> => ({
  address: contextOf(request).address,
  agent: (request.headers.get("user-agent") ?? "").slice(0, MAX_AGENT),
});

/** The agent of an app that a person has named: `Gotify: Pixel 9`. No browser's text begins so. */
export const appAgent = (name: string): string => `Gotify: ${name}`.slice(0, MAX_AGENT);
const APP = /^(Gotify): (.*)$/;

/** The name of an app; undefined: it is a browser's session. */
export const appName = ({ agent }: Pick<Session, "agent">): string | undefined => APP.exec(agent)?.[2];

/** In this order, because the text of each also names those after it. */
const BROWSERS: readonly (readonly [string, RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|Chromium)\//],
  ["Safari", /\bVersion\/.* Safari\//],
  ["curl", /^curl\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Linux", /\bLinux\b/],
];

/** `Firefox` and `Linux`, `Gotify` and `Pixel 9`: proper names, the same in every language; absent if the text does not say. */
export function agentWords(agent: string): { browser?: string; system?: string } {
  const [, app, device = ""] = APP.exec(agent) ?? [];
  if (app !== undefined) return { browser: app, ...(device !== "" && { system: device }) };
  const of = (names: typeof BROWSERS) => names.find(([, sign]) => sign.test(agent))?.[0];
  const browser = of(BROWSERS);
  const system = of(SYSTEMS);
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
}
