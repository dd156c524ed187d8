/** What every page needs to know about its reader. */
import type { Deps } from "../deps.ts";
import { innerPath, rawTarget } from "../http/path.ts";
import { basePath, baseUrl } from "../http/urls.ts";
import type { Millis } from "../util/clock.ts";
import { languageOf, localeOf, textsOf, type Language } from "./texts/languages.ts";
import type { Texts } from "./texts/texts.ts";
import { zoneOf } from "./zone.ts";

export interface View {
  /** Scheme, host and base path as the reader sees them, without a trailing slash. */
  url: string;
  /** The base path alone: empty, or `/sub/path`. */
  base: string;
  /** Path and query of this page; absent if it cannot be had again: it answers a form, or shows something once. */
  here?: string | undefined;
  /** Chosen by the reader (cookie); absent: what the system says. */
  theme?: "light" | "dark";
  language: Language;
  /** How the reader writes times (BCP 47). */
  locale: string;
  /** The texts of the page. */
  texts: Texts;
  /** IANA name. */
  zone: string;
  /** When the page was asked for. */
  now: Millis;
}

/** The value of `vary` for everything that is made for a view. */
export const VIEW_VARIES = "accept-language, cookie";

/** A HEAD runs as its GET, with the same length. */
const READS = new Set(["GET", "HEAD"]);
/** Only errors are shown there as pages, and addresses of hooks and pings are secrets. */
const API = /^\/+(?:v1|api|message|version)(?:[/?]|$)/;

export function viewOf(deps: Pick<Deps, "config" | "clock">, request: Request): View {
  const base = basePath(deps.config);
  const theme = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(request.headers.get("cookie") ?? "")?.[1];
  const language = languageOf(request);
  const path = innerPath(rawTarget(request.url), base);
  return {
    url: baseUrl(deps, request),
    base,
    ...(READS.has(request.method) && !API.test(path) && { here: base + path }),
    ...((theme === "light" || theme === "dark") && { theme }),
    language,
    locale: localeOf(request, language),
    texts: textsOf(language),
    zone: zoneOf(request),
    now: deps.clock.now(),
  };
}
