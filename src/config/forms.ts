/** The forms of the values of settings. Each parser returns the value, or undefined if the text has another form. */
import { isIP, isIPv6 } from "node:net";
import type { Bucket } from "../util/bucket.ts";
import type { ListenAddress } from "./config.ts";

const items = (text: string): string[] =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** A comma list; undefined if it is empty or an item has another form. */
function list<T>(text: string, item: (text: string) => T | undefined): T[] | undefined {
  const values = items(text).map(item);
  return values.length === 0 || values.includes(undefined) ? undefined : (values as T[]);
}

/** `host:port`, `[v6]:port`, `:port` (all interfaces) or `unix:/path`. Port 0: any free port. */
export function listenAddress(text: string): ListenAddress | undefined {
  if (text.startsWith("unix:")) return text.startsWith("unix:/") ? { kind: "unix", path: text.slice(5) } : undefined;
  const [, v6, host, digits] = /^(?:\[([^\]]+)\]|([^:[\]/\s]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535 || (v6 !== undefined && !isIPv6(v6))) return undefined;
  return { kind: "tcp", host: v6 ?? (host === undefined || host === "" ? "::" : host), port };
}

/** Several with commas. */
export const listenAddresses = (text: string): ListenAddress[] | undefined => list(text, listenAddress);

function webUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isWeb && url.hash === "" ? url : undefined;
}

/** An absolute http or https URL. */
export const anyUrl = (text: string): string | undefined => webUrl(text)?.href;

/** An https URL without a trailing slash. */
export function secureUrl(text: string): string | undefined {
  const url = baseUrl(text);
  return url?.startsWith("https:") === true ? url : undefined;
}

/** The URL of a proxy, which may have a name and a password. */
export function anyProxy(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** The form that RFC 8292 §2.1 asks for; Apple refuses an address of the machine itself. */
export function contact(text: string): string | undefined {
  if (/^mailto:[^@\s]+@[^@\s]+$/.test(text)) return text;
  const url = secureUrl(text);
  return url === undefined || new URL(url).hostname === "localhost" ? undefined : url;
}

/** The id of a key or a team at Apple. */
export const appleId = (text: string): string | undefined => (/^[A-Z0-9]{10}$/.test(text) ? text : undefined);

export const bundleId = (text: string): string | undefined => (/^[A-Za-z0-9.-]{1,155}$/.test(text) ? text : undefined);

/** A URL that may have a path, without a trailing slash. */
export function baseUrl(text: string): string | undefined {
  const url = webUrl(text);
  return url?.search === "" ? url.href.replace(/\/+$/, "") : undefined;
}

function cidr(text: string): string | undefined {
  const [, address = "", bits] = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const width = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const prefix = bits === undefined ? width : Number(bits);
  return width > 0 && prefix <= width ? `${address}/${prefix}` : undefined;
}

/** A comma list of CIDR blocks, in which an address is a block of one; `none` is the empty list. */
export const cidrs = (text: string): string[] | undefined => (text === "none" ? [] : list(text, cidr));

/** The name of an HTTP header, in lower case; headers that have another purpose are refused. */
export function headerName(text: string): string | undefined {
  const name = text.toLowerCase();
  return /^[a-z0-9][a-z0-9-]{0,63}$/.test(name) && !TAKEN_HEADERS.has(name) ? name : undefined;
}

const TAKEN_HEADERS = new Set(["accept", "authorization", "connection", "cookie", "host", "origin", "user-agent"]);

/** A comma list of `host` or `host:port`, in lower case. */
export const hosts = (text: string): string[] | undefined =>
  list(text.toLowerCase(), (host) =>
    /^(?=.{1,253}(:|$))[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/.test(host) ? host : undefined,
  );

/** The same, where a host may be an IP address; one of IPv6 is in brackets. */
export const forwardHosts = (text: string): string[] | undefined =>
  list(text.toLowerCase(), (host) => {
    const [, v6, port = ""] = /^\[([0-9a-f.:]+)\](:\d{1,5})?$/.exec(host) ?? [];
    if (v6 === undefined) return hosts(host)?.[0];
    // in the notation of URLs, which hosts are compared with
    return isIPv6(v6) ? `${new URL(`http://[${v6}]`).hostname}${port}` : undefined;
  });

/** A whole number in decimal digits, 0 to `max`. */
export const wholeNumber =
  (max: number) =>
  (text: string): number | undefined =>
    /^\d{1,15}$/.test(text) && Number(text) <= max ? Number(text) : undefined;

/** One of these words. */
export const word =
  <const T extends string>(...known: T[]) =>
  (text: string): T | undefined =>
    known.find((value) => value === text);

/** `180d`: days, at least one. */
export function wholeDays(text: string): number | undefined {
  const [, days] = /^([1-9]\d{0,4})d$/.exec(text) ?? [];
  return days === undefined ? undefined : Number(days);
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const;

/** `20/s:200`: twenty tokens a second, at most two hundred at once. `"off"` for `0`. */
export const bucket = (text: string): Bucket | "off" | undefined => bucketOf(text, ONE);

const ONE = new Map([["", 1]]);
const SIZES = new Map([
  ["B", 1],
  ["kB", 1_000],
  ["MB", 1_000_000],
]);

function bucketOf(text: string, units: ReadonlyMap<string, number>): Bucket | "off" | undefined {
  if (text === "0") return "off";
  const [, count, unit = "", per, burst, burstUnit = ""] =
    /^([1-9]\d{0,8})([a-zA-Z]*)\/([smh]):([1-9]\d{0,8})([a-zA-Z]*)$/.exec(text) ?? [];
  const [size, burstSize] = [units.get(unit), units.get(burstUnit)];
  if (size === undefined || burstSize === undefined) return undefined;
  if (per !== "s" && per !== "m" && per !== "h") return undefined;
  return { rate: (Number(count) * size) / SECONDS[per], burst: Number(burst) * burstSize };
}

const PUBLISHED_BYTES: Bucket = { rate: 2_000_000, burst: 16_000_000 };

/**
 * `20/s:200,2MB/s:16MB`: publishes, and bytes of bodies; a limit that is off is undefined. The bytes may be left out: `20/s:200`
 * leaves them at their default, and `0` turns both limits off.
 */
export function publishCaps(text: string): { publish: Bucket | undefined; bytes: Bucket | undefined } | undefined {
  const [requests = "", sizes, ...more] = text.split(",").map((part) => part.trim());
  const publish = bucket(requests);
  const bytes = sizes !== undefined ? bucketOf(sizes, SIZES) : publish === "off" ? "off" : PUBLISHED_BYTES;
  if (publish === undefined || bytes === undefined || more.length > 0) return undefined;
  return { publish: publish === "off" ? undefined : publish, bytes: bytes === "off" ? undefined : bytes };
}

/** `20MB:2GB:14d`: bytes of one file, bytes of all files, and how long each is kept; `off`. */
export function fileLimits(text: string): { each: number; all: number; days: number } | "off" | undefined {
  if (text === "off") return "off";
  const [, each, eachUnit = "", all, allUnit = "", days] = FILE_LIMITS.exec(text) ?? [];
  const limits = {
    each: Number(each) * (FILE_SIZES.get(eachUnit) ?? NaN),
    all: Number(all) * (FILE_SIZES.get(allUnit) ?? NaN),
    days: Number(days),
  };
  return limits.each <= limits.all && limits.all <= MAX_FILES_BYTES && limits.days <= MAX_FILE_DAYS
    ? limits
    : undefined;
}

const FILE_LIMITS = /^([1-9]\d{0,8})([kMGT]?B):([1-9]\d{0,8})([kMGT]?B):([1-9]\d{0,4})d$/;
const FILE_SIZES = new Map([...SIZES, ["GB", 1_000_000_000], ["TB", 1_000_000_000_000]]);
const MAX_FILES_BYTES = 1_000_000_000_000_000;
const MAX_FILE_DAYS = 36_500;

/** `daily:7`: how many are kept. */
export function nightlyBackups(text: string): { kept: number } | "off" | undefined {
  if (text === "off") return "off";
  const [, kept] = /^daily:([1-9]\d{0,3})$/.exec(text) ?? [];
  return kept === undefined || Number(kept) > MAX_KEPT ? undefined : { kept: Number(kept) };
}

const MAX_KEPT = 1000;

/** `50:20000`: for each address and in all; 0 is no limit. `0` is `0:0`. */
export function streamCaps(text: string): { perAddress: number; all: number } | undefined {
  if (text === "0") return { perAddress: 0, all: 0 };
  const [, perAddress, all] = /^(\d{1,9}):(\d{1,9})$/.exec(text) ?? [];
  return perAddress === undefined ? undefined : { perAddress: Number(perAddress), all: Number(all) };
}
