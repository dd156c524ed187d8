/** Structured log: one event a line to stderr, `text` (logfmt) or JSON (OPERATIONS.md §5). */
import { rfc3339, type Clock } from "../util/clock.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export interface LogSettings {
  level: LogLevel;
  format: "text" | "json";
}

/** An `Error` is written with its stack and causes; absent values are left out. */
export type LogFields = Record<string, unknown>;

/** Fields never hold a secret or a path that has one: routes are logged by their template. */
export interface Log {
  /** Debug lines are written. On a busy path, ask before building the fields. */
  readonly isDebugging: boolean;
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

/** `isTimed: false` leaves the time out for journald, which adds its own. `write` takes whole lines. */
export function createLog(
  settings: LogSettings,
  clock: Clock,
  {
    isTimed = process.env["JOURNAL_STREAM"] === undefined,
    write = (line: string) => void process.stderr.write(line),
  } = {},
): Log {
  const threshold = LEVELS.indexOf(settings.level);
  const format = settings.format === "json" ? jsonLine : textLine;
  const at = (level: LogLevel) => {
    if (LEVELS.indexOf(level) < threshold) return () => undefined;
    return (event: string, fields: LogFields = {}) => {
      const time = settings.format === "json" || isTimed ? rfc3339(clock.now()) : undefined;
      write(`${format(time, level, event, fields)}\n`);
    };
  };
  return { isDebugging: threshold === 0, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function jsonLine(time: string | undefined, level: LogLevel, event: string, fields: LogFields): string {
  const plain = Object.entries(fields).map(([key, value]) => [key, value instanceof Error ? whole(value) : value]);
  return JSON.stringify({ time, level, event, ...(Object.fromEntries(plain) as object) });
}

function textLine(time: string | undefined, level: LogLevel, event: string, fields: LogFields): string {
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}=${quoted(value instanceof Error ? whole(value) : shown(value))}`);
  return `${time === undefined ? "" : `${time} `}${level.padEnd(5)} ${event}${pairs.join("")}`;
}

/** Control characters, bidi overrides and line separators would let a value forge lines or hide text in a terminal. */
const UNSAFE = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

function quoted(text: string): string {
  if (/^[\w./:@+-]+$/.test(text)) return text;
  return JSON.stringify(text).replace(UNSAFE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const shown = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

function whole(error: Error): string {
  const own = error.stack ?? `${error.name}: ${error.message}`;
  return error.cause instanceof Error ? `${own}\ncaused by ${whole(error.cause)}` : own;
}
