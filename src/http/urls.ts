/** Absolute URLs that the server hands out (API.md §3). */
import type { Config } from "../config/config.ts";
import type { Topic } from "../topics/topic.ts";
import { contextOf } from "./context.ts";

/** Where clients reach this server, without a trailing slash: PEAL_BASE_URL, else the origin of this request. */
export const baseUrl = ({ config }: { config: Pick<Config, "baseUrl"> }, request: Request): string =>
  config.baseUrl ?? contextOf(request).origin;

/** The path of PEAL_BASE_URL: `/peal`, or empty. */
export function basePath({ baseUrl }: Pick<Config, "baseUrl">): string {
  return baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");
}

/** The share link of a topic: its name is decoration, its key the capability. */
export const topicUrl = (base: string, { namespace, name, key }: Pick<Topic, "namespace" | "name" | "key">): string =>
  `${base}/${namespace}/${name}/${key}`;
