/** Runs if the browser replaced or dropped its subscription: makes a new one if needed, and sends it to the server. */
import { bringUpToDate, keptDevice, serverKey } from "../device.ts";

interface Change extends Event {
  newSubscription?: PushSubscription | null;
}

export async function renew({ registration }: ServiceWorkerGlobalScope, change: Change): Promise<void> {
  const { scope, pushManager } = registration;
  const device = await keptDevice(scope);
  if (device === undefined) return;
  const subscription =
    change.newSubscription ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await serverKey(scope) }));
  await bringUpToDate(scope, device, subscription);
}
