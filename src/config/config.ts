/** The settings as the server uses them: parsed, checked, immutable. `sources.ts` says where they come from. */
import { join } from "node:path";
import type { LogSettings } from "../telemetry/log.ts";
import type { Bucket } from "../util/bucket.ts";

/** `host` without brackets. */
export type ListenAddress = TcpAddress | { kind: "unix"; path: string };
export interface TcpAddress {
  kind: "tcp";
  host: string;
  port: number;
}

export interface Config {
  listen: readonly ListenAddress[];
  dataDir: string;
  /** Without a trailing slash; may have a path. Absent: learned from each request. */
  baseUrl: string | undefined;
  /** CIDR blocks whose forwarding headers are believed. */
  trustedProxies: readonly string[];
  adminKey: string | undefined;
  adminNamespace: string;
  /** The name of the first admin; read only while there is none. */
  adminName: string;
  adminPassword: string | undefined;
  /** The header, in lower case, by which trusted proxies name who is signed in. */
  authHeader: string | undefined;
  /** For each topic; 0: no limit. */
  retention: { days: number; messages: number };
  metrics: "off" | "loopback" | { token: string };
  /** Pinged while this server works, so that its silence tells another watcher; the path is a secret. */
  heartbeatUrl: string | undefined;
  log: LogSettings;
  /** `undefined` if a limit is off. */
  limits: {
    publish: Bucket | undefined;
    /** Bytes of bodies for each API key, as publishes are counted. */
    bytes: Bucket | undefined;
    read: Bucket | undefined;
    ping: Bucket | undefined;
    auth: Bucket | undefined;
    /** For registrations of devices. */
    register: Bucket | undefined;
    /** 0: no limit. */
    streams: { perAddress: number; all: number };
  };
  /** Bytes of one file, bytes of all files, and days; undefined: no files are stored. */
  files: { each: number; all: number; days: number } | undefined;
  /** Backups are made every night, and this many kept; undefined: none are made. */
  backup: { kept: number } | undefined;
  /** Hosts whose images feed pages and notifications may show. */
  imageHosts: readonly string[];
  push: PushConfig;
  /** Undefined: http alone. */
  tls: TlsConfig | undefined;
  /** Seconds of `Strict-Transport-Security`; undefined: no such header. */
  hsts: number | undefined;
}

export interface TlsConfig {
  listen: readonly TcpAddress[];
  source: FilesSource | AcmeSource | TailscaleSource;
}

/** Paths of PEM files. */
export interface FilesSource {
  kind: "files";
  cert: string;
  key: string;
}

export interface AcmeSource {
  kind: "acme";
  /** The name that the certificate is for. */
  name: string;
  /** The URL of the authority's directory (RFC 8555 §7.1.1). */
  directory: string;
  /** For HTTP-01; undefined: only the addresses of PEAL_LISTEN answer. */
  listen?: TcpAddress;
  /** Undefined: HTTP-01. */
  dns?: DnsSource;
}

export type DnsSource =
  | { kind: "cloudflare" | "desec" | "duckdns" | "hetzner" | "acme-dns"; token: string }
  | { kind: "exec"; path: string; token: string };

export interface TailscaleSource {
  kind: "tailscale";
  /** Absent: this machine's own in the tailnet. */
  name?: string;
}

/** A credential as text; `file`: where it was read, and is read again when the file changes. */
export interface Credential {
  text: string;
  file?: string;
}

/** How notifications reach devices (DELIVERY.md §4). Web push needs none of it. */
export interface PushConfig {
  /** Absent: iOS devices wait. `url`: instead of Apple's, for both environments. */
  apns:
    | { key: Credential; keyId: Credential; teamId: string; topic: string; url?: string; isCritical: boolean }
    | undefined;
  /** Absent: Android devices wait. `url`: instead of Google's. */
  fcm: { credentials: Credential; style: "data" | "notification"; url?: string } | undefined;
  /** `mailto:` or `https:`: whom a push service may contact. */
  vapidSubject: string | undefined;
  /** Hosts beside the browsers' push services, `host` or `host:port`: only these may have a port or a private address. */
  hosts: readonly string[];
  /** Hosts that forwards may reach by http or at a private address, `host` or `host:port`. */
  forwardHosts: readonly string[];
  /** The ntfy server that wakes the iPhone app of ntfy, without a trailing slash; absent: none does. */
  ntfyUpstream: string | undefined;
  /** The proxy for pushes; absent: none, whatever HTTPS_PROXY says. */
  proxy: string | undefined;
  /** Devices report when a notification was shown. */
  receipts: boolean;
}

/** `peal.sock`: where the running server takes the operator's commands. */
export const localSocket = ({ dataDir }: Pick<Config, "dataDir">): string => join(dataDir, "peal.sock");
