/** **Quiet here**: mutes the topic on this device, for as long as notifications are on. */
import { pressed } from "./busy.ts";
import { mute, Refused, type Device, type TopicRef } from "./subscription.ts";
import { say } from "./say.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

const HOUR_MS = 3_600_000;
const MORNING = 7;
/** The longest time that a timer can wait; it is set again after that. */
const MAX_WAIT_MS = 2 ** 31 - 1;

/** Returns a function that shows whether the topic is muted on a device, and hides the panel without one. */
export function startQuiet(topic: TopicRef): (device: Device | undefined) => void {
  const panel = document.querySelector<HTMLElement>("[data-quiet]");
  if (!panel) return () => undefined;
  let device: Device | undefined;
  let end: ReturnType<typeof setTimeout> | undefined;

  const show = (next: Device | undefined) => {
    device = next;
    panel.hidden = !device;
    refuse("");
    const until = Date.parse(device?.topics.find(isThis)?.muted_until ?? "");
    const isMuted = until > Date.now();
    for (const part of panel.querySelectorAll<HTMLElement>("[data-muted]"))
      part.hidden = (part.dataset["muted"] === "yes") !== isMuted;
    clearTimeout(end);
    if (!isMuted) return;
    panel.querySelector("[data-until]")?.replaceChildren(...timed(words.mutedUntil, new Date(until)));
    const wait = Math.min(until - Date.now(), MAX_WAIT_MS);
    end = setTimeout(() => {
      show(device);
    }, wait);
  };
  const isThis = (one: TopicRef) => one.namespace === topic.namespace && one.topic === topic.topic;
  const refuse = (why: string) => {
    const line = panel.querySelector<HTMLElement>("[role=alert]");
    if (!line) return;
    line.hidden = why === "";
    line.textContent = why;
  };

  const change = async (muted: Device, until: Date | undefined) => {
    const subscription = await mute(muted, topic, until);
    show(subscription && { ...muted, topics: muted.topics.map((one) => (isThis(one) ? subscription : one)) });
    say(panel.querySelector("[data-muted]:not([hidden]) h2")?.textContent ?? "");
    panel.querySelector<HTMLElement>("[data-muted]:not([hidden]) button")?.focus();
  };
  panel.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button || !device) return;
    const muted = device;
    void pressed(button, async () => change(muted, endOf(button.dataset["mute"] ?? ""))).catch((error: unknown) => {
      refuse(error instanceof Refused ? error.message : words.serverAway);
    });
  });
  return show;
}

/** When the mute ends. `choice`: `hour` or `tomorrow`; any other one unmutes, and gives undefined. */
function endOf(choice: string): Date | undefined {
  if (choice === "hour") return new Date(Date.now() + HOUR_MS);
  if (choice !== "tomorrow") return undefined;
  const morning = new Date();
  morning.setDate(morning.getDate() + 1);
  morning.setHours(MORNING, 0, 0, 0);
  return morning;
}
