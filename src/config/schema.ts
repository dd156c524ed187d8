/** Every setting, once: validation, `peal config`, the sample file and the table in the docs are made from this. */
import { Type, type StaticDecode } from "@sinclair/typebox";
import { isApiKey } from "../names/key.ts";
import { passwordFault, personName } from "../names/person.ts";
import { isNamespaceName } from "../names/namespace.ts";
import {
  anyUrl,
  baseUrl,
  bucket,
  cidrs,
  fileLimits,
  headerName,
  hosts,
  listenAddresses,
  nightlyBackups,
  publishCaps,
  streamCaps,
  wholeNumber,
  word,
} from "./forms.ts";
import { PushSettings } from "./push-schema.ts";
import { TlsSettings } from "./tls-schema.ts";
import { setting, type About, type Setting } from "./setting.ts";

const METRICS_WORDS = ["off", "loopback"] as const;
const BUCKET = "`<n>/s:<burst>`, `/m` or `/h`, or `0` for no limit";

/** By name in the file: `retention_days` is `PEAL_RETENTION_DAYS` in the environment, and `--retention-days` as a flag. */
export const Settings = Type.Object({
  listen: setting(
    {
      default: "[::]:7325",
      description: "Addresses to listen on. `[::]` takes IPv4 too, and falls back to it where IPv6 is off.",
      form: "a comma list of `host:port` or `unix:/path`",
    },
    listenAddresses,
  ),
  data_dir: setting(
    {
      default: "./data",
      description: "Where the database is stored. Under systemd `$STATE_DIRECTORY`, in the container image `/data`.",
      form: "a directory",
    },
    (text) => text,
  ),
  base_url: setting(
    {
      description: "Public address, can have a path. Without it, links use the address of each request.",
      form: "an absolute http or https URL without query",
    },
    baseUrl,
  ),
  ...TlsSettings,
  trusted_proxies: setting(
    {
      default: "127.0.0.0/8,::1/128",
      description: "Proxies whose `X-Forwarded-For`, `-Proto` and `-Host` are trusted.",
      form: "a comma list of addresses or CIDR blocks, or `none`",
    },
    cidrs,
  ),
  admin_key: setting(
    {
      description: "An admin key to start with, so that nobody has to claim the server in a browser.",
      form: "`svc_` and 64 lower-case hex digits",
      isSecret: () => true,
    },
    (text) => (isApiKey(text) ? text : undefined),
  ),
  admin_namespace: setting(
    {
      default: "home",
      description: "The namespace of that key; created if it doesn't exist.",
      form: "`a-z 0-9 _ -`, at most 32 characters, no reserved word",
    },
    (text) => (isNamespaceName(text) ? text : undefined),
  ),
  admin_password: setting(
    {
      description:
        "The password of a first admin, so that nobody has to claim the server; read only while there is no admin.",
      form: "12 characters or more, at most 1,024 bytes",
      isSecret: () => true,
    },
    (text) => (passwordFault(text) === undefined ? text : undefined),
  ),
  admin_name: setting(
    { default: "admin", description: "The name of that admin.", form: "1 to 64 characters" },
    personName,
  ),
  auth_header: setting(
    {
      description:
        "A header in which the proxies of PEAL_TRUSTED_PROXIES name who is signed in, for example `Remote-User`; from others it is ignored.",
      form: "the name of a header",
    },
    headerName,
  ),
  retention_days: setting(
    { default: "90", description: "Days a topic keeps a message. `0`: for ever.", form: "a whole number up to 36500" },
    wholeNumber(36_500),
  ),
  retention_messages: setting(
    { default: "10000", description: "Messages a topic keeps. `0`: all.", form: "a whole number up to 1000000000" },
    wholeNumber(1_000_000_000),
  ),
  metrics: setting(
    {
      default: "loopback",
      description:
        "Who can read `/metrics`. `off`: nobody. `loopback`: programs on this machine that ask it directly, with `localhost`, " +
        "`127.0.0.1`, `[::1]` or a host of PEAL_LISTEN as `Host`. A token: anyone who sends it as Bearer. Requests with an `Origin`, as a " +
        "website's script sends, are always refused.",
      form: "`off`, `loopback`, or a token of at least 32 characters",
      isSecret: (text) => word(...METRICS_WORDS)(text) === undefined,
    },
    (text) => word(...METRICS_WORDS)(text) ?? (/^[!-~]{32,}$/.test(text) ? { token: text } : undefined),
  ),
  heartbeat_url: setting(
    {
      description:
        "Requested once a minute while checks are monitored and the store can write, so that another monitor notices when peal stops.",
      form: "an absolute http or https URL",
      isSecret: () => true,
    },
    anyUrl,
  ),
  log: setting(
    {
      default: "info",
      description: "The lowest severity of log lines to write.",
      form: "`debug`, `info`, `warn` or `error`",
    },
    word("debug", "info", "warn", "error"),
  ),
  log_format: setting(
    { default: "text", description: "The format of log lines, which go to standard error.", form: "`text` or `json`" },
    word("text", "json"),
  ),
  limits_publish: setting(
    {
      default: "20/s:200,2MB/s:16MB",
      description:
        "Publishes per API key and per hook, and bytes of bodies sent with it; if the bytes are left out, they stay at the default.",
      form: "`<n>/s:<burst>,<bytes>/s:<burst>`, `/m` or `/h`, bytes in B, kB or MB; either may be `0` for no limit, `0` alone is both",
    },
    publishCaps,
  ),
  limits_read: setting(
    { default: "20/s:200", description: "Anonymous reads per client address.", form: BUCKET },
    bucket,
  ),
  limits_ping: setting(
    {
      default: "30/m:30",
      description:
        "Pings of unknown checks and requests to unknown hooks per client address; those of known ones are never refused.",
      form: BUCKET,
    },
    bucket,
  ),
  limits_auth: setting(
    {
      default: "10/m:10",
      description:
        "Failed sign-ins and attempts with the setup code per client address; four times as many per name and per /48 of IPv6 addresses.",
      form: BUCKET,
    },
    bucket,
  ),
  limits_register: setting(
    {
      default: "30/h:10",
      description:
        "Registrations and tests of devices per client address; four times as many per /48 of IPv6 addresses.",
      form: BUCKET,
    },
    bucket,
  ),
  limits_streams: setting(
    {
      default: "50:20000",
      description: "Event streams per client address and in total.",
      form: "`<per address>:<all>`, or `0` for no limit",
    },
    streamCaps,
  ),
  files: setting(
    {
      default: "20MB:2GB:14d",
      description:
        "Files of messages: the maximum size of one and of all together, and the days each is kept. Over a limit, a message is stored " +
        "without the file.",
      form: "`<each>:<all>:<days>d`, bytes in B, kB, MB, GB or TB; or `off`",
    },
    fileLimits,
  ),
  backup: setting(
    {
      default: "daily:7",
      description:
        "Backups of the database, made every night at 3:23 in the server's time zone into `backups/` of the data directory, and how many " +
        "of them are kept.",
      form: "`daily:<n>`, 1 to 1000, or `off`",
    },
    nightlyBackups,
  ),
  image_hosts: setting(
    {
      description: "Hosts whose images are shown on feed pages and in notifications; others are links on the page.",
      form: "a comma list of `host` or `host:port`",
    },
    hosts,
  ),
  ...PushSettings,
});

export type Decoded = StaticDecode<typeof Settings>;
export type SettingName = keyof Decoded;

export interface SettingInfo extends About {
  isSecret: (text: string) => boolean;
  /** In the configuration file: `data_dir`. */
  name: SettingName;
  /** In the environment: `PEAL_DATA_DIR`. */
  env: string;
  /** On the command line: `data-dir`. */
  flag: string;
  schema: Setting;
}

export const envName = (name: string): string => `PEAL_${name.toUpperCase()}`;
export const flagName = (name: string): string => name.replaceAll("_", "-");

/** All settings, in the order of the docs. */
export const settings: readonly SettingInfo[] = Object.entries(Settings.properties).map(([name, schema]) => {
  const about = schema as unknown as About; // TypeBox keeps options that it does not know
  return {
    name: name as SettingName,
    env: envName(name),
    flag: flagName(name),
    schema: schema as Setting,
    description: about.description,
    form: about.form,
    ...(about.default !== undefined && { default: about.default }),
    isSecret: about.isSecret ?? (() => false),
  };
});
