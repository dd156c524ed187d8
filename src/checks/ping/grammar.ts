/** Parses the URLs of pings: those of Healthchecks, and those of Uptime Kuma (CHECKINS.md §2). Pure. */
import { parseDuration } from "../../util/time.ts";
import type { Which } from "../../store/checks.ts";
import { sha256 } from "../../util/ids.ts";
import type { CheckEvent, PingKind } from "../check.ts";
import { isSlug } from "../settings.ts";
import { isPingKey, isToken } from "../token.ts";

export type Ping = Extract<CheckEvent, { kind: PingKind }>;

/** A ping and the check that it is for. */
export interface Asked {
  which: Extract<Which, { token: string } | { pingKey: string }>;
  ping: Ping;
  /** What the job says of its run, if the URL says it. */
  text?: string;
}

/** A part of a path; null if its escapes are broken. */
export type Segment = string | null;

/** Parses `{token}`, `{token}/{suffix}`, `{ping-key}/{slug}` and `{ping-key}/{slug}/{suffix}`. Undefined for other paths. */
export function parsePing(path: readonly Segment[], query: URLSearchParams): Asked | undefined {
  const [first = "", ...rest] = path.map((segment) => segment ?? "");
  if (isToken(first)) return asked({ token: sha256(first) }, rest, query);
  const [slug = "", ...suffix] = rest;
  return isPingKey(first) && isSlug(slug) ? asked({ pingKey: sha256(first), slug }, suffix, query) : undefined;
}

function asked(which: Asked["which"], suffix: readonly string[], query: URLSearchParams): Asked | undefined {
  const outcome = suffix.length === 0 ? SUCCESS : suffix.length === 1 ? outcomeOf(suffix[0] ?? "") : undefined;
  if (outcome === undefined) return undefined;
  const ping: Ping = { ...outcome };
  const rid = query.get("rid");
  if (rid !== null && RID.test(rid)) ping.rid = rid;
  const extension = ping.kind === "log" ? extensionIn(query) : undefined;
  if (extension !== undefined) ping.extendMs = extension;
  return { which, ping };
}

const SUCCESS: Ping = { kind: "ok" };
/** Other values are ignored: they are never an error. */
const RID = /^[A-Za-z0-9._-]{1,64}$/;
const MAX_EXIT = 255;
const MAX_EXTENSION_SECONDS = 365 * 86_400;

/** Parses a suffix: `start`, `fail`, `log`, or an exit code, of which 0 is success. */
function outcomeOf(suffix: string): Ping | undefined {
  if (suffix === "start" || suffix === "fail" || suffix === "log") return { kind: suffix };
  const exit = /^\d{1,3}$/.test(suffix) ? Number(suffix) : NaN;
  return exit <= MAX_EXIT ? { kind: exit === 0 ? "ok" : "fail", exit } : undefined;
}

/** Parses `?extend=10m`, which may also be seconds. */
function extensionIn(query: URLSearchParams): number | undefined {
  const text = query.get("extend") ?? "";
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : parseDuration(text);
  return seconds !== undefined && seconds <= MAX_EXTENSION_SECONDS ? seconds * 1000 : undefined;
}

/** Parses `/api/push/{token}?status=up&msg=OK&ping=`: any status but `up` is a failure, and `ping` is ignored. */
export function parsePush(token: Segment, query: URLSearchParams): Asked | undefined {
  if (token === null || !isToken(token)) return undefined;
  const isUp = (query.get("status") ?? "") === "" || query.get("status") === "up";
  const text = query.get("msg") ?? "";
  return { which: { token: sha256(token) }, ping: { kind: isUp ? "ok" : "fail" }, ...(text !== "" && { text }) };
}
