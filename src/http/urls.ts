/** Absolute URLs that the server hands out (API.md §3). */
import { isIPv6 } from "node:net";
import type { Config, ListenAddress } from "../config/config.ts";
import { contextOf } from "./context.ts";

/** Where clients reach this server, without a trailing slash: PEAL_BASE_URL, else the origin of this request. */
export const baseUrl = ({ config }: { config: Pick<Config, "baseUrl"> }, request: Request): string =>
  config.baseUrl ?? contextOf(request).origin;

/** The origin for programs on this machine; undefined if it listens on no port. */
export function ownOrigin(listen: readonly ListenAddress[]): string | undefined {
  const address = listen.find(({ kind }) => kind === "tcp");
  if (address?.kind !== "tcp") return undefined;
  const { host, port } = address;
  const name = ["::", "0.0.0.0"].includes(host) ? "localhost" : isIPv6(host) ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

/** Whether the address leads each client to its own machine: browsers trust it without https, and no phone gets here by it. */
export const isOwnMachine = (address: string): boolean =>
  /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(new URL(address).hostname);

/** The path of PEAL_BASE_URL: `/peal`, or empty. */
export function basePath({ baseUrl }: Pick<Config, "baseUrl">): string {
  return baseUrl === undefined ? "" : new URL(baseUrl).pathname.replace(/\/+$/, "");
}

/** The first segment of that path: a namespace of this name could not be reached. */
export const baseSegment = (config: Pick<Config, "baseUrl">): string | undefined => basePath(config).split("/")[1];

/** The parts of a topic that its URLs have. */
interface TopicName {
  namespace: string;
  name: string;
  key: string;
}

/** The share link of a topic: its name is decoration, its key is the capability. */
export const topicUrl = (base: string, { namespace, name, key }: TopicName): string =>
  `${base}/${namespace}/${name}/${key}`;

/**
 * Opens the topic in ntfy's app for Android, which follows it if it did not: https unless told otherwise, and its own name for
 * the topic unless one is given (ntfy-android, `DetailActivity.maybeSubscribeAndLoadView`). `url`: without a path.
 */
export function ntfyUrl(url: string, { key, name }: Pick<TopicName, "key" | "name">): string {
  const { protocol, host } = new URL(url);
  const query = new URLSearchParams({ display: name, ...(protocol === "http:" && { secure: "false" }) });
  return `ntfy://${host}/${key}?${query.toString()}`;
}

/** The feed of a topic. `base`: of a URL, or of the path alone. */
export const feedUrl = (base: string, { namespace, key }: Pick<TopicName, "namespace" | "key">): string =>
  `${base}/${namespace}/${key}`;

/** Shows a message of the feed, whatever came after it. */
export const messageUrl = (feed: string, id: number): string => `${feed}?before=${id + 1}#m${id}`;
