/** A notification on the screen. */
export interface Notice {
  title: string;
  body: string;
  tag: string;
  silent: boolean | null;
  renotify: boolean;
  requireInteraction: boolean;
  actions: { action: string; title: string }[];
}
