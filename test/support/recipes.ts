/** What tools make of the settings that the pages suggest. */
import { existsSync, readFileSync } from "node:fs";
import { PAYLOADS } from "../rewrites/fixtures.ts";

/** A body as its tool posts it (test/rewrites/payloads/README.md). */
export const fixture = (path: string): string => readFileSync(`${PAYLOADS}/${path}.json`, "utf8");

export const headersOf = (path: string): Record<string, string> =>
  existsSync(`${PAYLOADS}/${path}.headers.json`)
    ? (JSON.parse(readFileSync(`${PAYLOADS}/${path}.headers.json`, "utf8")) as Record<string, string>)
    : {};

/**
 * A body of Proxmox' webhook for the notification of a fixture, rendered by handlebars with its helpers `escape` and
 * `json` (proxmox/proxmox proxmox-notify/src/renderer/mod.rs).
 */
export function rendered(template: string, path: string): string {
  const values = JSON.parse(fixture(path)) as Record<string, unknown>;
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  return template.replaceAll(/\{\{ (?:(escape|json) )?(\w+) \}\}/g, (_, helper: string | undefined, name: string) => {
    const value = values[name];
    if (helper === "json") return JSON.stringify(value);
    return helper === "escape" ? JSON.stringify(text(value)).slice(1, -1) : text(value);
  });
}
