/** Shows pushes as notifications. */
import { keptDevice } from "../device.ts";
import { readPush, type Data, type Shown } from "./payload.ts";
import { send } from "./request.ts";
import { settings } from "./settings.ts";

/** The name of the button that acknowledges; the others are named by their place in `actions`. */
export const ACKNOWLEDGE = "ack";

/** Options that TypeScript's libraries lack, since not every browser has them. */
interface Options extends NotificationOptions {
  actions: { action: string; title: string }[];
  renotify: boolean;
  image?: string;
  timestamp?: number;
}

export async function showPush(
  { registration }: ServiceWorkerGlobalScope,
  push: PushMessageData | null,
): Promise<void> {
  const shown = readPush(push);
  if (await show(registration, shown)) await confirmShown(registration.scope, shown.data);
}

/** How many notifications are on their way to the screen. */
let showing = 0;

/**
 * Shows a notification and counts it in the badge. If Chromium is asked for its notifications while one is on its way, it
 * forgets that one (measured), so they are counted when none is. False if a newer one with the same tag came first.
 */
export async function show(registration: ServiceWorkerRegistration, shown: Shown): Promise<boolean> {
  showing++;
  try {
    return await bring(registration, shown);
  } finally {
    showing--;
    if (showing === 0) await showBadge(registration).catch(() => undefined); // not installed
  }
}

/** Chromium would wait for an image for up to 90 s, so it is fetched here first, and left out if the host does not answer. */
const IMAGE_PATIENCE_MS = 3_000;
/** By tag: the latest push, and the one that is being shown. They stay few, because a worker does not live long. */
const latest = new Map<unknown, Shown>();
const underWay = new Map<unknown, Promise<unknown>>();

/** Shows a notification unless a newer one with the same tag came while its image was fetched. */
async function bring(registration: ServiceWorkerRegistration, shown: Shown): Promise<boolean> {
  const { image, ...plain } = shown;
  const key = shown.tag ?? shown;
  latest.set(key, shown);
  const isThere = image !== undefined && (await send({ url: image, method: "GET" }, IMAGE_PATIENCE_MS));
  await underWay.get(key);
  if (latest.get(key) !== shown) return false;
  const showing = registration.showNotification(shown.title, optionsOf(isThere ? shown : plain));
  const isOver = showing.catch(() => undefined);
  underWay.set(key, isOver);
  await showing;
  return true;
}

/** Puts the number of notifications on the screen on the icon of the installed app. Opening a feed clears it. */
async function showBadge(registration: ServiceWorkerRegistration): Promise<void> {
  const waiting = await registration.getNotifications();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- not in every browser
  await navigator.setAppBadge?.(waiting.length);
}

/** A repeat replaces the notification on the screen, and rings again if it is urgent. */
function optionsOf({ body, tag, silent, image, navigate, data }: Shown): Options {
  const isUrgent = data.priority === "urgent";
  return {
    dir: "auto",
    ...(body !== undefined && { body }),
    ...(tag !== undefined && { tag }),
    ...(image !== undefined && { image }),
    ...(data.at !== undefined && { timestamp: data.at }),
    silent: silent === true,
    renotify: isUrgent && tag !== undefined,
    requireInteraction: isUrgent,
    actions: [
      ...(data.ack === true ? [{ action: ACKNOWLEDGE, title: settings.words.acknowledge }] : []),
      ...(data.actions ?? []).map(({ label }, place) => ({ action: String(place), title: label })),
    ],
    data: { ...data, ...(data.url === undefined && navigate !== undefined && { url: navigate }) },
  };
}

/** Reports that a notification was shown, if the operator asked for that (`PEAL_RECEIPTS`). */
async function confirmShown(scope: string, { ns, topic, id }: Data): Promise<void> {
  if (!settings.receipts || id === undefined) return;
  const device = await keptDevice(scope);
  if (device === undefined) return;
  await fetch(new URL(`v1/devices/${device}/shown`, scope), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace: ns, topic, id }),
  }).catch(() => undefined); // the network may be away, but the notification was shown
}
