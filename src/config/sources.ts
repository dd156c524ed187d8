/** Where settings come from: flags, environment, file, defaults, in this order (OPERATIONS.md §1); each key also as `…_FILE`. */
import { existsSync, readFileSync } from "node:fs";
import { Value } from "@sinclair/typebox/value";
import { nearest } from "../util/text/nearest.ts";
import type { Config } from "./config.ts";
import { pushOf } from "./push.ts";
import { hstsOf, tlsOf } from "./tls.ts";
import { ConfigError, type ConfigProblem } from "./errors.ts";
import { envName, flagName, settings, type Decoded, type SettingInfo, type SettingName } from "./schema.ts";
import { isNamespaceName } from "../names/namespace.ts";

export interface Sources {
  /** By name of the flag without dashes: `data-dir`, `data-dir-file`, `config`. */
  flags: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string | undefined>>;
  /** Read if it exists and no other file is named. */
  systemFile?: string;
}

/** A setting with the value in effect. */
export interface Effective {
  name: SettingName;
  env: string;
  /** Masked if it is a secret; absent if it is not set. */
  value?: string;
  /**
   * `command line`, `environment`, the path of the configuration file, `systemd`, `default` or `not set`. A value that was read
   * from its own file has the path of that file behind it: `environment, /run/secrets/key`.
   */
  source: string;
}

export interface Loaded {
  config: Config;
  effective: readonly Effective[];
}

export const SYSTEM_FILE = "/etc/peal/peal.toml";
const MASK = "********";

/** Kubernetes sets the first two in every pod of a cluster with a service named peal, `peal tail --exec` the third. */
const INJECTED = /^PEAL_(SERVICE_|PORT($|_)|MESSAGE_)/;
/** Variables that are not settings of the server: where its file is, and what clients and imports ask with. */
const NO_SETTINGS = [
  "PEAL_CONFIG",
  "PEAL_URL",
  "PEAL_KEY",
  "PEAL_KEY_FILE",
  "PEAL_IMPORT_TOKEN",
  "PEAL_IMPORT_TOKEN_FILE",
];

/** A value as text, where it is written, and the name that a problem of it has. */
interface Given {
  text: string;
  key: string;
  source: string;
  /** The file that the text was read from. */
  file?: string;
}
/** One source of settings: texts by the name of the setting, with or without `_file`. */
interface Layer {
  source: string;
  key: (name: string) => string;
  texts: ReadonlyMap<string, string>;
}

/** The configuration that these sources make. @throws ConfigError with all problems */
export function loadConfig(sources: Sources): Loaded {
  const problems: ConfigProblem[] = [];
  const layers = [flagLayer(sources.flags), environmentLayer(sources.env)];
  const named = sources.flags["config"] ?? nonEmpty(sources.env["PEAL_CONFIG"]);
  const path =
    named ?? (sources.systemFile !== undefined && existsSync(sources.systemFile) ? sources.systemFile : undefined);
  if (path !== undefined) layers.push(fileLayer(path, problems));
  for (const layer of layers) problems.push(...unknownKeys(layer));

  const values: Record<string, unknown> = {};
  const files = new Map<SettingName, string>();
  const effective = settings.map((setting): Effective => {
    const given = find(setting, layers, problems) ?? systemDefault(setting, sources.env);
    if (given === undefined) return { name: setting.name, env: setting.env, source: "not set" };
    if (given.file !== undefined) files.set(setting.name, given.file);
    const shown = setting.isSecret(given.text) ? MASK : given.text;
    try {
      values[setting.name] = Value.Decode(setting.schema, given.text);
    } catch {
      const detail = `not a value of this setting. Accepted: ${setting.form}.`;
      problems.push({ key: given.key, value: shown, source: given.source, detail });
    }
    return { name: setting.name, env: setting.env, value: shown, source: given.source };
  });
  if (problems.length > 0) throw new ConfigError(problems);
  const decoded = values as unknown as Decoded; // every name of `settings` is decoded above, or unset
  const config = {
    ...configOf(decoded),
    push: pushOf(decoded, files),
    tls: tlsOf(decoded, files),
    hsts: hstsOf(decoded),
  };
  checkTogether(config);
  return { config, effective };
}

const nonEmpty = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

const flagLayer = (flags: Sources["flags"]): Layer => ({
  source: "command line",
  key: (name) => `--${flagName(name)}`,
  texts: new Map(
    Object.entries(flags)
      .filter(([flag]) => flag !== "config")
      .map(([flag, text]) => [flag.replaceAll("-", "_"), text]),
  ),
});

const environmentLayer = (env: Sources["env"]): Layer => ({
  source: "environment",
  key: envName,
  texts: new Map(
    Object.entries(env)
      .filter(([key]) => key.startsWith("PEAL_") && !NO_SETTINGS.includes(key) && !INJECTED.test(key))
      .map(([key, text]) => [key.slice("PEAL_".length).toLowerCase(), text ?? ""]),
  ),
});

function fileLayer(path: string, problems: ConfigProblem[]): Layer {
  const texts = new Map<string, string>();
  try {
    flatten(Bun.TOML.parse(readFileSync(path, "utf8")), "", texts);
  } catch (cause) {
    problems.push({ key: path, source: "configuration file", detail: `cannot be read: ${reason(cause)}.` });
  }
  return { source: path, key: (name) => name, texts };
}

/** `[limits] publish = …` is `limits_publish`; a list is what is a comma list elsewhere. */
function flatten(table: object, prefix: string, into: Map<string, string>): void {
  for (const [key, value] of Object.entries(table) as [string, unknown][]) {
    if (Array.isArray(value)) into.set(prefix + key, value.map(String).join(","));
    else if (typeof value === "object" && value !== null) flatten(value, `${prefix}${key}_`, into);
    else into.set(prefix + key, String(value));
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

function unknownKeys(layer: Layer): ConfigProblem[] {
  const known = settings.flatMap(({ name }) => [name, `${name}_file`]);
  return [...layer.texts.keys()]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      const detail = `unknown. ${near === undefined ? "`peal config` lists all settings." : `Did you mean ${layer.key(near)}?`}`;
      return { key: layer.key(name), source: layer.source, detail };
    });
}

/** The value of the first layer that has one. */
function find(setting: SettingInfo, layers: readonly Layer[], problems: ConfigProblem[]): Given | undefined {
  for (const layer of layers) {
    const text = nonEmpty(layer.texts.get(setting.name));
    const path = nonEmpty(layer.texts.get(`${setting.name}_file`));
    const key = layer.key(path === undefined ? setting.name : `${setting.name}_file`);
    if (text !== undefined && path !== undefined) {
      const detail = `set besides ${layer.key(setting.name)}. Keep one of the two.`;
      problems.push({ key, value: path, source: layer.source, detail });
      return undefined;
    }
    if (text !== undefined) return { text, key, source: layer.source };
    if (path !== undefined) return fromFile(path, key, layer.source, problems);
  }
  return undefined;
}

/** The text of a secret in its own file, without line ends behind it, as `peal admin password < file` reads it. */
function fromFile(path: string, key: string, source: string, problems: ConfigProblem[]): Given | undefined {
  try {
    const text = readFileSync(path, "utf8").replace(/[\r\n]+$/, "");
    if (text.trim() !== "") return { text, key, source: `${source}, ${path}`, file: path };
    problems.push({ key, value: path, source, detail: "the file is empty." });
  } catch (cause) {
    problems.push({ key, value: path, source, detail: `cannot be read: ${reason(cause)}.` });
  }
  return undefined;
}

function systemDefault(setting: SettingInfo, env: Sources["env"]): Given | undefined {
  // systemd names several directories with colons; the first is ours
  const [state = ""] = (env["STATE_DIRECTORY"] ?? "").split(":");
  if (setting.name === "data_dir" && state !== "") return { text: state, key: "STATE_DIRECTORY", source: "systemd" };
  return setting.default === undefined ? undefined : { text: setting.default, key: setting.env, source: "default" };
}

const configOf = (values: Decoded): Omit<Config, "push" | "tls" | "hsts"> => ({
  listen: values.listen,
  dataDir: values.data_dir,
  baseUrl: values.base_url,
  trustedProxies: values.trusted_proxies,
  adminKey: values.admin_key,
  adminNamespace: values.admin_namespace,
  adminName: values.admin_name,
  adminPassword: values.admin_password,
  authHeader: values.auth_header,
  retention: { days: values.retention_days, messages: values.retention_messages },
  metrics: values.metrics,
  heartbeatUrl: values.heartbeat_url,
  log: { level: values.log, format: values.log_format },
  limits: {
    ...values.limits_publish,
    read: orOff(values.limits_read),
    ping: orOff(values.limits_ping),
    auth: orOff(values.limits_auth),
    register: orOff(values.limits_register),
    streams: values.limits_streams,
  },
  files: orOff(values.files),
  backup: orOff(values.backup),
  imageHosts: values.image_hosts ?? [],
});

const orOff = <T>(value: T | "off"): T | undefined => (value === "off" ? undefined : value);

/** Checks what no setting can see alone. */
function checkTogether({ baseUrl, adminNamespace }: Config): void {
  const [, base] = baseUrl === undefined ? [] : new URL(baseUrl).pathname.split("/");
  if (isNamespaceName(adminNamespace, base)) return;
  const detail = `is the first part of the path of PEAL_BASE_URL (${baseUrl}). Choose another name.`;
  throw new ConfigError([{ key: "PEAL_ADMIN_NAMESPACE", value: adminNamespace, source: "with PEAL_BASE_URL", detail }]);
}
