/** Puts the settings of pushes together, which make sense only so. */
import type { Credential, PushConfig } from "./config.ts";
import { ConfigError, type ConfigProblem } from "./errors.ts";
import { envName, type Decoded, type SettingName } from "./schema.ts";

/**
 * `files`: the files that settings were read from.
 * @throws ConfigError if a part of what Apple or Google asks for is missing
 */
export function pushOf(values: Decoded, files: ReadonlyMap<SettingName, string>): PushConfig {
  const credential = (name: SettingName, text: string): Credential => {
    const file = files.get(name);
    return file === undefined ? { text } : { text, file };
  };
  const missing = missingOf(values);
  if (missing.length > 0) throw new ConfigError(missing);
  const { apns_key, apns_key_id, apns_team_id, apns_topic, apns_url, fcm_credentials, fcm_url, fcm_style } = values;
  const push: PushConfig = {
    apns: undefined,
    fcm: undefined,
    vapidSubject:
      values.vapid_subject ?? (values.base_url?.startsWith("https:") === true ? values.base_url : undefined),
    hosts: values.push_hosts ?? [],
    forwardHosts: values.forward_hosts ?? [],
    ntfyUpstream: values.ntfy_upstream,
    proxy: values.https_proxy,
    receipts: values.receipts === "on",
  };
  if (apns_key !== undefined && apns_key_id !== undefined && apns_team_id !== undefined && apns_topic !== undefined) {
    const parts = { teamId: apns_team_id, topic: apns_topic };
    const isCritical = values.apns_critical === "on";
    push.apns = {
      key: credential("apns_key", apns_key),
      keyId: credential("apns_key_id", apns_key_id),
      ...parts,
      isCritical,
      ...(apns_url !== undefined && { url: apns_url }),
    };
  }
  if (fcm_credentials !== undefined) {
    const credentials = credential("fcm_credentials", fcm_credentials);
    push.fcm = { credentials, style: fcm_style, ...(fcm_url !== undefined && { url: fcm_url }) };
  }
  return push;
}

const APNS = ["apns_key", "apns_key_id", "apns_team_id", "apns_topic"] as const;

function missingOf(values: Decoded): ConfigProblem[] {
  const given = APNS.filter((name) => values[name] !== undefined);
  if (given.length === 0) return [];
  const detail = `is missing: pushes to iOS need ${APNS.map(envName).join(", ")}.`;
  return APNS.filter((name) => values[name] === undefined).map((name) => ({
    ...{ key: envName(name), source: `with ${given.map(envName).join(", ")}`, detail },
  }));
}
