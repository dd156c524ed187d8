/** Answers a tap on a notification: opens a page, sends a request or acknowledges. */
import { openable, type Data } from "./payload.ts";
import { send } from "./request.ts";
import { ACKNOWLEDGE, show } from "./show.ts";
import { settings } from "./settings.ts";

export async function answerClick(worker: ServiceWorkerGlobalScope, event: NotificationEvent): Promise<void> {
  const { notification, action: name } = event;
  const data = (notification.data ?? {}) as Data;
  const action = name === "" ? undefined : data.actions?.[Number(name)];
  const { words } = settings;
  let refusal: string | undefined;
  if (name === ACKNOWLEDGE) refusal = (await acknowledge(worker, data)) ? undefined : words.notAcknowledged;
  else if (action?.method !== undefined)
    refusal = (await send(action)) ? undefined : words.notSent.replace("{}", action.label);
  else await open(worker, action?.url ?? data.url, data);
  // only now, because a complaint replaces the notification
  if (refusal === undefined) notification.close();
  else await complain(worker, notification, refusal);
}

/** Shows what went wrong in the notification itself, since no page may be open. The buttons stay. */
async function complain({ registration }: ServiceWorkerGlobalScope, before: Notification, what: string): Promise<void> {
  const data = (before.data ?? {}) as Data;
  const { about = before.title } = data;
  await show(registration, { title: what, body: about, tag: before.tag, data: { ...data, about } });
}

const acknowledge = async ({ registration }: ServiceWorkerGlobalScope, { ns, topic, id }: Data): Promise<boolean> =>
  fetch(new URL(`v1/${ns ?? ""}/${topic ?? ""}/messages/${id ?? ""}/ack`, registration.scope), { method: "POST" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Opens an address of the message, or else its card: in a window that already shows the feed, if there is one. */
async function open({ clients }: ServiceWorkerGlobalScope, address: string | undefined, data: Data): Promise<void> {
  const [url, card] = [openable(address), openable(data.feedUrl)];
  // not every browser opens mail and telephone links from here; the card has a button for them
  if (url !== undefined && url.href !== card?.href && (await isDone(clients.openWindow(url)))) return;
  if (card === undefined) return;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const feed = windows.find((one) => showsFeed(new URL(one.url), card));
  if (feed === undefined) await clients.openWindow(card);
  else (await feed.focus()).postMessage({ card: card.href });
}

const isDone = async (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Whether a page shows the feed of the card: paths of one feed end in the same key, whatever name comes before it. */
const showsFeed = (page: URL, card: URL): boolean =>
  page.origin === card.origin && page.pathname.split("/").at(-1) === card.pathname.split("/").at(-1);
