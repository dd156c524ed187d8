/** **Notify me**: turns notifications of the topic on and off in this browser, and says whether they work. */
import { addressOf } from "./address.ts";
import { pressed } from "./busy.ts";
import {
  knownDevice,
  refresh,
  Refused,
  subscribe,
  test,
  unsubscribe,
  type Device,
  type TopicRef,
} from "./subscription.ts";
import { startQuiet } from "./quiet.ts";
import { say } from "./say.ts";
import { timed } from "./times.ts";
import { words } from "./words.ts";

type State =
  "off" | "asking" | "joining" | "on" | "lost" | "failed" | "blocked" | "insecure" | "unsupported" | "home-screen";

/** The width at which the page has a column beside the messages (static/peal.css). */
const wide = matchMedia("(min-width: 62.01rem)");

/** `goTo` shows a card: it is called when the reader taps a notification. */
export function startNotifying(goTo: (card: URL) => void): void {
  const section = document.querySelector<HTMLElement>("[data-notify]");
  if (!section) return;
  settle(section);
  const { namespace = "", topic: key = "" } = section.dataset;
  const topic: TopicRef = { namespace, topic: key };
  const showQuiet = startQuiet(topic);
  let device: Device | undefined;
  let state: State = "off";
  /** The browser's subscription is lost. This holds until a press has made a new one, however many presses fail. */
  let isLost = false;
  /** How many presses there were, and how many of them are over. The result of a look counts only if neither changed meanwhile. */
  let presses = 0;
  let done = 0;

  const find = (selector: string) => section.querySelector<HTMLElement>(selector);
  const write = (selector: string, ...parts: (string | Node)[]) => find(selector)?.replaceChildren(...parts);

  /** `said`: the reader caused the change, so it is read out and keeps the focus. */
  const show = (next: State, said = true) => {
    state = next;
    if (next === "lost" || next === "on") isLost = next === "lost";
    section.dataset["state"] = next;
    const hadFocus = section.contains(document.activeElement);
    for (const part of section.querySelectorAll<HTMLElement>("[data-when]"))
      part.hidden = part.dataset["when"]?.split(" ").includes(next) !== true;
    if (device && next === "on") write("[data-text=on]", ...newsOf(device));
    showQuiet(next === "on" ? device : undefined);
    if (!said) return;
    say(find("h2:not([hidden] *)")?.textContent ?? "");
    const { activeElement } = document;
    if (hadFocus && (!section.contains(activeElement) || activeElement?.closest("[hidden]")))
      (find("button:not([hidden] *)") ?? section).focus();
  };
  const tell = (answer: string) => {
    write("[data-answer]", answer);
    say(answer);
  };
  const fail = (error: unknown) => {
    const reason = error instanceof Refused ? error.message : String(error);
    if (state === "on") tell(reason);
    else {
      write("[data-text=failed]", reason);
      show("failed");
    }
    void look().catch(() => undefined); // notifications may be on all the same
  };

  /** Looks up and shows the state, unless a button was pressed meanwhile: the press shows a newer one. */
  const look = async () => {
    const hindrance = hindranceNow();
    if (hindrance) {
      show(hindrance, state === "failed");
      return;
    }
    const before = presses + done;
    const isUntouched = () => presses + done === before;
    try {
      const known = await knownDevice();
      const isOn = known?.topics.some((one) => one.namespace === namespace && one.topic === key);
      const found = known && (await refresh(known));
      if (!isUntouched()) return;
      device = found;
      const next = isOn !== true ? "off" : device ? "on" : "lost";
      const hasFailed = state === "failed"; // the failure is shown until notifications are on
      if (!hasFailed || next === "on") show(next, hasFailed);
    } catch (error) {
      if (isUntouched()) throw error;
    }
  };

  const turnOn = async () => {
    show("asking");
    const permission = await Notification.requestPermission();
    if (permission === "denied") show("blocked");
    else if (permission === "default") throw new Refused(words.unanswered);
    else {
      show("joining");
      device = await subscribe(topic, isLost);
      write("[data-answer]");
      show("on");
    }
  };

  const turnOff = async () => {
    if (device) await unsubscribe(device, topic);
    show("off");
  };

  const sendTest = async (isLatest: () => boolean) => {
    if (!device) return;
    tell(words.testSending);
    const tested = await test(device);
    if (!isLatest()) return;
    if (tested) device = tested;
    show(tested?.status === "active" ? "on" : "lost");
    tell(answerOf(tested));
  };

  const onClick = (selector: string, act: (isLatest: () => boolean) => Promise<void>) => {
    const button = find(selector);
    const press = async () => {
      const mine = ++presses;
      const isLatest = () => presses === mine;
      const failure = await act(isLatest).then(
        () => undefined,
        (error: unknown) => ({ error }),
      );
      done++;
      if (failure && isLatest()) fail(failure.error);
    };
    button?.addEventListener("click", () => void pressed(button, press));
  };
  onClick("[data-start]", turnOn);
  onClick("[data-stop]", turnOff);
  onClick("[data-try]", sendTest);
  look().catch(fail);
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<{ card: string }>) => {
      const card = addressOf(data.card);
      if (card?.origin === location.origin) goTo(card);
    });
}

/** Puts the section beside the messages if there is room, else above them. */
function settle(section: HTMLElement): void {
  const { parentElement: head, nextSibling: next } = section;
  const place = () => {
    if (wide.matches) document.querySelector("aside")?.prepend(section);
    else head?.insertBefore(section, next);
  };
  wide.addEventListener("change", place);
  place();
}

/** Why this browser cannot be notified, whatever is pressed. */
function hindranceNow(): State | undefined {
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window))
    // only iOS has `standalone`, and it allows push only for pages that were added to the home screen
    return (navigator as { standalone?: boolean }).standalone === false ? "home-screen" : "unsupported";
  return Notification.permission === "denied" ? "blocked" : undefined;
}

function newsOf({ name, last_success_at: success, last_error_at: failed = "", last_error: error }: Device) {
  const last =
    error !== undefined && failed > (success ?? "")
      ? [words.lastFailed.replace("{}", error)]
      : success === undefined
        ? [words.noneYet]
        : timed(words.lastAccepted, new Date(success));
  return name === undefined ? last : [`${name}. `, ...last];
}

/** Says how the push service answered a test. */
function answerOf(tested: Device | undefined): string {
  const test = tested?.last_test;
  if (!test) return words.testCancelled.replace("{}", "");
  const said = [test.status, test.answer, test.waits_for].filter((part) => part !== undefined).join(" ");
  const sentence = {
    pending: words.testLater,
    accepted: words.testAccepted,
    failed: words.testFailed,
    expired: words.testExpired,
    cancelled: words.testCancelled,
  }[test.state];
  return sentence.replace("{}", said === "" ? "" : ` (${said})`);
}
