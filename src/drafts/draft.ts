/** A draft: a message that is checked and has no id yet. */
import type { Attachment } from "../files/file.ts";

export const LEVELS = ["info", "success", "warning", "error"] as const;
export type Level = (typeof LEVELS)[number];
export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;
export type Priority = (typeof PRIORITIES)[number];
/** The level or priority among these that is last in `order`; undefined if there is none. */
export const highest = <T>(order: readonly T[], of: readonly T[]): T | undefined =>
  order[Math.max(...of.map((one) => order.indexOf(one)))];
export type Format = "text" | "markdown";
export type Status = "firing" | "resolved";

export interface Action {
  label: string;
  url: string;
  /** Absent: the URL is opened. */
  method?: string;
  /** Of the request, by name. */
  headers?: Record<string, string>;
  body?: string;
  /** The notification goes once it is tapped. */
  clear?: boolean;
}

/** A button that does something on the phone itself: it copies a text, or tells other apps there (ntfy's `copy` and `broadcast`). */
export interface AppAction {
  label: string;
  /** The text. */
  copy?: string;
  /** An Android intent; without a name it is ntfy's own. Only ntfy's app sends it. */
  broadcast?: { intent?: string; extras?: Record<string, string> };
  clear?: boolean;
}

export type Button = Action | AppAction;

/** Whether it opens an address, or sends a request to one: what every device can do. */
export const hasUrl = (button: Button): button is Action => "url" in button;

/**
 * A message that is checked and folded but has no id yet. Its keys are those of the stored JSON (API.md §4), so that
 * the store can serialize it once and keep the text; absent fields are absent, never null.
 */
export interface Draft {
  /** The first key of the stored JSON if there are any: `hasFiles` looks there. */
  attachments?: Attachment[];
  message: string;
  title?: string;
  level: Level;
  priority: Priority;
  tags?: string[];
  url?: string;
  image?: string;
  /** Also the `image` of a message without another. */
  icon?: string;
  actions?: Button[];
  format: Format;
  dedup_key?: string;
  status?: Status;
  ttl?: number;
  ack?: boolean;
  timestamp?: string;
  data?: Record<string, unknown>;
  /** The ids of the servers that forwarded it here, the latest last: it is forwarded to none of them. */
  via?: string[];
  /** `api`, `ntfy`, `hook`, `rewrite:<name>`, `check`, `dashboard`, `schedule` or `system`. */
  source: string;
}

/** The header by which a server that forwards a message says where it has been: ids with commas. */
export const VIA_HEADER = "x-peal-via";

/** Whether somebody may acknowledge it: it asks for that, or it fires. */
export const canAcknowledge = ({ ack, status }: Pick<Draft, "ack" | "status">): boolean =>
  ack === true || status === "firing";
