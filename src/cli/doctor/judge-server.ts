/** What is well or not with the server and the way to it. Pure. */
import { DAY, type Millis } from "../../util/clock.ts";
import { duration } from "../../rewrites/times.ts";
import { fail, pass, warn, type Finding } from "./finding.ts";

/** What the server answers to `/health` over its socket; undefined: nobody answers there. */
export interface Health {
  status: string;
  version: string;
  checks?: Readonly<Record<string, string>>;
  problems?: readonly string[];
}

export function judgeHealth(health: Health | undefined, version: string): Finding[] {
  const about = "server";
  if (health === undefined)
    return [warn(about, "not running", "Start it: peal serve, systemctl start peal or docker start peal.")];
  const { status, checks = {}, problems = [] } = health;
  const running =
    health.version === version
      ? pass(about, `running, peal ${version}`)
      : warn(
          about,
          `running peal ${health.version}, and this command is ${version}`,
          "Restart the server, so that the new version runs.",
        );
  if (status === "ok") return [running, pass("health", "ok")];
  const parts = Object.entries(checks).flatMap(([part, word]) => (word === "ok" ? [] : [`${part}: ${word}`]));
  const told = [parts.join(", "), ...problems].filter((text) => text !== "").join("; ");
  const find = status === "failing" ? fail : warn;
  return [running, find("health", told, "Mend what it names; the server's log says more.")];
}

/** The app hashes the address that people enter there, so the server has to know it. */
export const NO_UPSTREAM = warn(
  "ntfy upstream",
  "PEAL_NTFY_UPSTREAM does nothing without PEAL_BASE_URL",
  "Set PEAL_BASE_URL to the address that is entered in ntfy's app, or iPhones with it are not woken.",
);

/** What came of a request through PEAL_BASE_URL. */
export type BaseLook =
  | { kind: "unreachable"; reason: string }
  | { kind: "other"; status: number }
  /** The server's own key for web push, there and over the socket; undefined: not known. */
  | { kind: "peal"; key: string | undefined; own: string | undefined };

export function judgeBase(url: string | undefined, look: BaseLook | undefined): Finding {
  const about = "base url";
  if (url === undefined || look === undefined)
    return warn(
      about,
      "PEAL_BASE_URL is not set",
      "Set it to the address that phones use: links in notifications are made from it.",
    );
  if (look.kind === "unreachable")
    return fail(
      about,
      `${url} can't be reached from here: ${look.reason}`,
      "Look at its DNS record, the proxy in front of peal, and the firewall.",
    );
  if (look.kind === "other")
    return fail(
      about,
      `${url} answers ${look.status}, not as a peal does`,
      "Point the proxy at peal's port, with the path of PEAL_BASE_URL if it has one.",
    );
  if (look.own === undefined)
    return pass(about, `a peal answers at ${url}; with the server stopped, nobody knows which`);
  if (look.key !== look.own)
    return fail(
      about,
      `another peal answers at ${url}`,
      "Point the name or the proxy at this server, or give this one its own PEAL_BASE_URL.",
    );
  return pass(about, `this server answers at ${url}`);
}

export interface CertificateLook {
  /** Why it is not trusted here; undefined: it is. */
  distrust: string | undefined;
  expiresAt: Millis;
}

const SOON_MS = 14 * DAY;

/** `look`: of an https URL; a string says why no connection could be made. */
export function judgeCertificate(url: string, look: CertificateLook | undefined, now: Millis): Finding {
  const about = "certificate";
  if (!url.startsWith("https:"))
    return warn(
      about,
      "PEAL_BASE_URL is http: browsers and phones take no push from it",
      "Turn on built-in https with PEAL_TLS, or put a proxy such as Caddy in front (docs/https.md).",
    );
  if (look === undefined) return warn(about, "could not be looked at", "See base url.");
  if (look.expiresAt <= now)
    return fail(about, `expired ${duration(now - look.expiresAt)} ago`, "Renew it: see what renews it, and its log.");
  if (look.distrust !== undefined)
    return fail(
      about,
      `not trusted here: ${look.distrust}`,
      "Use one from a public authority for that name, or install your own authority on every phone.",
    );
  const left = `expires in ${duration(look.expiresAt - now)}`;
  if (look.expiresAt - now < SOON_MS)
    return warn(about, left, "It should have been renewed by now: see what renews it, and its log.");
  return pass(about, `trusted, ${left}`);
}

export type StreamLook =
  { kind: "none"; reason: string } | { kind: "first" | "silent" } | { kind: "refused"; status: number };

export function judgeStream(look: StreamLook): Finding {
  const about = "event stream";
  switch (look.kind) {
    case "none":
      return pass(about, `not tried: ${look.reason}`);
    case "first":
      return pass(about, "its first event comes at once");
    case "silent":
      return fail(
        about,
        "no event comes through: a proxy holds event streams back",
        "Turn off buffering for peal (nginx: proxy_buffering off); docs/reverse-proxy.md has the lines.",
      );
    case "refused":
      return fail(about, `answered with ${look.status}`, "See why the proxy refuses paths that end with /events.");
  }
}

/** The first proxy since the start whose forwarding headers were ignored. */
export function judgeForwarded(ignored: { proxy: string; add: string } | undefined): Finding {
  const about = "forwarded headers";
  if (ignored === undefined) return pass(about, "no undeclared proxy since the start");
  return warn(
    about,
    `those of ${ignored.proxy} are ignored, so that all its clients share one address and its limits`,
    `If it is your proxy, set ${ignored.add} and restart.`,
  );
}

const [ODD_MS, WRONG_MS] = [5_000, 60_000];

/** `there`: the Date header of a push service, and when it came. */
export function judgeClock(there: Millis | undefined, here: Millis): Finding {
  const about = "clock";
  if (there === undefined) return warn(about, "not compared: no push service said the time", "See push services.");
  // a Date header has no fraction: half a second is the middle
  const off = here - (there + 500);
  const told = `${duration(Math.abs(off))} ${off > 0 ? "fast" : "slow"}`;
  const fix = "Let it be set by NTP: timedatectl set-ntp true, or the time settings of the NAS.";
  if (Math.abs(off) > WRONG_MS) return fail(about, told, fix);
  return Math.abs(off) > ODD_MS ? warn(about, told, fix) : pass(about, "right");
}

/** `reason`: why there was no TLS connection; undefined: there was. */
export function judgeService(host: string, reason: string | undefined): Finding {
  const about = `push to ${host}`;
  if (reason === undefined) return pass(about, "can be reached");
  return warn(about, reason, "Allow outgoing https to it in the firewall, or name a proxy: PEAL_HTTPS_PROXY.");
}
