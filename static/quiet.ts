/** **Quiet here**: mutes the topic on this device, for as long as notifications are on. */
import { mute, type Device, type TopicRef } from "./subscription.ts";
import { say } from "./say.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

const HOUR_MS = 3_600_000;
const MORNING = 7;

/** Shows how it is for the device that this browser is; of none there is nothing to mute. */
export function startQuiet(topic: TopicRef): (device: Device | undefined) => void {
  const panel = document.querySelector<HTMLElement>("[data-quiet]");
  if (!panel) return () => undefined;
  let device: Device | undefined;
  let end: ReturnType<typeof setTimeout> | undefined;

  const show = (next: Device | undefined) => {
    device = next;
    panel.hidden = !device;
    const until = Date.parse(device?.topics.find(isThis)?.muted_until ?? "");
    const isMuted = until > Date.now();
    for (const part of panel.querySelectorAll<HTMLElement>("[data-muted]"))
      part.hidden = (part.dataset["muted"] === "yes") !== isMuted;
    clearTimeout(end);
    if (!isMuted) return;
    panel.querySelector("[data-until]")?.replaceChildren(...timed(words.mutedUntil, new Date(until)));
    end = setTimeout(() => {
      show(device);
    }, until - Date.now());
  };
  const isThis = (one: TopicRef) => one.namespace === topic.namespace && one.topic === topic.topic;

  panel.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || !device) return;
    const muted = device;
    void mute(muted, topic, endOf(button.dataset["mute"] ?? "")).then(
      (subscription) => {
        show(subscription && { ...muted, topics: muted.topics.map((one) => (isThis(one) ? subscription : one)) });
        say(panel.querySelector("[data-muted]:not([hidden]) h2")?.textContent ?? "");
        panel.querySelector<HTMLElement>("[data-muted]:not([hidden]) button")?.focus();
      },
      (error: unknown) => {
        say(String(error));
      },
    );
  });
  return show;
}

/** `hour`, `tomorrow`, or nothing: not any more. */
function endOf(choice: string): Date | undefined {
  if (choice === "hour") return new Date(Date.now() + HOUR_MS);
  if (choice !== "tomorrow") return undefined;
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);
  return morning;
}
