/** The payload of a push: Declarative Web Push, with our own fields in `data` (src/delivery/providers/webpush.ts). */
import { addressOf } from "../address.ts";

export interface Action {
  label: string;
  url: string;
  /** If present, a request is sent to the URL; if absent, the URL is opened. */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Data {
  ns?: string;
  topic?: string;
  id?: number;
  /** The address that a tap opens. */
  url?: string;
  /** The message's card in the feed. */
  feedUrl?: string;
  priority?: string;
  ack?: boolean;
  actions?: readonly Action[];
  /** Epoch ms. */
  at?: number;
  /** The title of the message, if a complaint has taken its place. */
  about?: string;
}

export interface Shown {
  title: string;
  body?: string;
  navigate?: string;
  tag?: string;
  silent?: boolean;
  image?: string;
  data: Data;
}

/** What to show for a push. If it is not ours, its text: every push has to be shown, or the browser withdraws the permission. */
export function readPush(push: PushMessageData | null): Shown {
  const text = push?.text() ?? "";
  try {
    const { notification } = JSON.parse(text) as { notification?: Partial<Shown> };
    if (typeof notification?.title === "string") return { data: {}, ...notification, title: notification.title };
  } catch {
    // not JSON
  }
  return { title: "peal", body: text, data: {} };
}

const OPENED = new Set(["http:", "https:", "mailto:", "tel:"]);

/** The address, if it is one that may be opened. */
export function openable(address: string | undefined): URL | undefined {
  const url = addressOf(address ?? "");
  return url && OPENED.has(url.protocol) ? url : undefined;
}
