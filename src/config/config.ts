/** The settings as the server uses them: parsed, checked, immutable. Where they come from is `sources.ts`. */
import { join } from "node:path";
import type { LogSettings } from "../telemetry/log.ts";
import type { Bucket } from "../util/bucket.ts";

/** `host` without brackets. */
export type ListenAddress = { kind: "tcp"; host: string; port: number } | { kind: "unix"; path: string };

export interface Config {
  listen: readonly ListenAddress[];
  dataDir: string;
  /** Without a trailing slash; may have a path. Absent: learned from each request. */
  baseUrl: string | undefined;
  /** CIDR blocks whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  adminKey: string | undefined;
  adminNamespace: string;
  /** Of the first admin: read only while there is none. */
  adminName: string;
  adminPassword: string | undefined;
  /** A header by which trusted proxies name who is signed in, lower case. */
  authHeader: string | undefined;
  /** Per topic; 0: no limit. */
  retention: { days: number; messages: number };
  metrics: "off" | "loopback" | { token: string };
  /** Whose silence tells another watcher that this one is gone; its path is a secret. */
  heartbeatUrl: string | undefined;
  log: LogSettings;
  /** `undefined` where a limit is off. */
  limits: {
    publish: Bucket | undefined;
    /** Bytes of bodies, of an API key as publishes are. */
    bytes: Bucket | undefined;
    read: Bucket | undefined;
    ping: Bucket | undefined;
    auth: Bucket | undefined;
    /** Registrations of devices. */
    register: Bucket | undefined;
    /** 0: no limit. */
    streams: { perAddress: number; all: number };
  };
  /** Bytes of one file and of all, and days; undefined: no files are stored. */
  files: { each: number; all: number; days: number } | undefined;
  /** Hosts whose images feed pages and notifications may show. */
  imageHosts: readonly string[];
  push: PushConfig;
}

/** A credential as text; `file`: where it was read, and is read again when that changes. */
export interface Credential {
  text: string;
  file?: string;
}

/** How notifications reach devices (DELIVERY.md §4). Web push needs none of it. */
export interface PushConfig {
  /** Absent: iOS devices wait. `url`: in place of Apple's own, for both environments. */
  apns:
    | { key: Credential; keyId: Credential; teamId: string; topic: string; url?: string; isCritical: boolean }
    | undefined;
  /** Absent: Android devices wait. `url`: in place of Google's own. */
  fcm: { credentials: Credential; style: "data" | "notification"; url?: string } | undefined;
  /** `mailto:` or `https:`, whom a push service may ask. */
  vapidSubject: string | undefined;
  /** Hosts beside the browsers' own push services, `host` or `host:port`: only they may have a port or a private address. */
  hosts: readonly string[];
  /** Pushes go through it; absent: straight, whatever HTTPS_PROXY says. */
  proxy: string | undefined;
  /** Devices tell when a notification was shown. */
  receipts: boolean;
}

/** `peal.sock`: where the running server hears the operator's commands. */
export const localSocket = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "peal.sock");
