/** A push on the screen. */
import { keptDevice } from "../device.ts";
import { readPush, type Data, type Shown } from "./payload.ts";
import { send } from "./request.ts";
import { settings } from "./settings.ts";

/** Name of the button that acknowledges; the others are named by their place in `actions`. */
export const ACKNOWLEDGE = "ack";

/** `actions` and the like: not in TypeScript's libraries, since not every browser has them. */
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

/** On their way to the screen. */
let showing = 0;

/**
 * On the screen, and counted in the badge. Chromium forgets a notification that is on its way when it is asked for those
 * that it shows (measured): they are counted when none is. False: a newer one of its tag came first.
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

/** A browser would wait for an image for up to 90 s (Chromium): it is asked for here first, and left out if nobody answers. */
const IMAGE_PATIENCE_MS = 3_000;
/** By tag, what came last and the showing that is under way. A worker ends before they are many. */
const latest = new Map<unknown, Shown>();
const underWay = new Map<unknown, Promise<unknown>>();

/** One whose image comes late does not take the place of a newer one of its tag. */
async function bring(registration: ServiceWorkerRegistration, shown: Shown): Promise<boolean> {
  const { image, ...plain } = shown;
  const key = shown.tag ?? shown;
  latest.set(key, shown);
  const isThere = image !== undefined && (await send(image, "GET", IMAGE_PATIENCE_MS));
  await underWay.get(key);
  if (latest.get(key) !== shown) return false;
  const showing = registration.showNotification(shown.title, optionsOf(isThere ? shown : plain));
  const isOver = showing.catch(() => undefined);
  underWay.set(key, isOver);
  await showing;
  return true;
}

/** On the icon of the installed app: how many wait on the screen. Opening it takes that away. */
async function showBadge(registration: ServiceWorkerRegistration): Promise<void> {
  const waiting = await registration.getNotifications();
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- not in every browser
  await navigator.setAppBadge?.(waiting.length);
}

/** A repeat takes the place of what is on the screen; of what is urgent it rings again. */
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

/** Where the operator asked for it (`PEAL_RECEIPTS`). */
async function confirmShown(scope: string, { ns, topic, id }: Data): Promise<void> {
  if (!settings.receipts || id === undefined) return;
  const device = await keptDevice(scope);
  if (device === undefined) return;
  await fetch(new URL(`v1/devices/${device}/shown`, scope), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace: ns, topic, id }),
  }).catch(() => undefined); // the network may be away: the notification is what counts
}
