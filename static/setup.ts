/** The first run: copies the code from the link into the form, and shows the first message and the first device as they arrive. */
import { pressed } from "./busy.ts";
import { cardsSince } from "./cards.ts";
import { startCopying } from "./copy.ts";
import { startFlash } from "./flash.ts";
import { startLive } from "./live.ts";
import { sendOnce } from "./once.ts";
import { startPage } from "./theme.ts";
import { localize, startTimes } from "./times.ts";

function fillIn(): void {
  const field = document.querySelector<HTMLInputElement>("#code");
  const code = location.hash.slice(1);
  if (!field || code === "") return;
  field.value = code;
  document.querySelector("[data-filled]")?.removeAttribute("hidden");
  // the code need not be typed, so the next field gets the focus, unless the reader is in another one
  const name = document.querySelector<HTMLInputElement>("#name");
  if (name?.value === "" && [field, document.body].includes(document.activeElement as HTMLElement)) name.focus();
  history.replaceState(null, "", location.pathname); // keeps the code out of the browser's history
  // a change of language must not lose the code: a fragment outlives a redirect (Fetch, "location URL")
  for (const form of document.querySelectorAll<HTMLFormElement>('form[action*="/-/language"]'))
    form.action = `${form.action.replace(/#.*/, "")}#${code}`;
}

const RETRY_MS = 5_000;

function waitForMessage(): void {
  const row = document.querySelector<HTMLElement>("[data-wait]");
  const got = document.querySelector<HTMLElement>("[data-got]");
  if (!row || !got) return;
  const path = row.dataset["wait"] ?? "";
  const show = async () => {
    const first = (await cardsSince(new URL(path, location.href), 0)).cards.at(-1);
    if (!first) throw new Error("it was deleted");
    localize(first);
    row.hidden = true;
    got.append(first);
    got.hidden = false;
    goOn();
  };
  const again = () => setTimeout(wait, RETRY_MS);
  const wait = () => {
    const source = new EventSource(`${path}/events?since=0`);
    source.addEventListener("message", () => {
      source.close(); // only the first message is shown
      show().catch(again);
    });
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) again(); // the server refused; after other errors the browser reconnects
    });
  };
  wait();
}

/** The message has come, so hides the ways to send one and to skip this step. */
function goOn(): void {
  for (const way of document.querySelectorAll<HTMLElement>("[data-till-got]")) {
    if (way.contains(document.activeElement)) document.querySelector<HTMLElement>(".go .main")?.focus();
    way.hidden = true;
  }
}

/** Sends the test form without leaving the page, which has a key on it that is shown only once. */
function offerTest(): void {
  const form = document.querySelector<HTMLFormElement>("form[data-test]");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    if (button) void pressed(button, async () => send(form));
  });
}

/** Sends a test to a device as soon as it appears. */
function waitForDevice(): void {
  const main = document.querySelector("#main");
  if (!main?.querySelector("[data-live]")) return;
  const tried = new Set<string>();
  const look = () => {
    const form = main.querySelector<HTMLFormElement>("form[data-first-test]");
    const device = form?.querySelector("input")?.value ?? "";
    if (!form || tried.has(device)) return;
    tried.add(device);
    void send(form);
  };
  // the reader stays on the page, whose stream reports the outcome
  main.addEventListener("submit", (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.closest("[data-live]")) return;
    event.preventDefault();
    void send(form);
  });
  look();
  new MutationObserver(look).observe(main, { childList: true, subtree: true });
  startLive(document.documentElement.dataset["base"] ?? "");
}

/** Sends a form, and says so if that failed. The redirect is not followed, because the page itself shows what the form did. */
async function send(form: HTMLFormElement): Promise<void> {
  const isSent = await fetch(form.action, {
    method: "POST",
    body: new URLSearchParams([...form.querySelectorAll("input")].map(({ name, value }) => [name, value])),
    redirect: "manual",
  }).then(
    ({ type }) => type === "opaqueredirect",
    () => false,
  );
  document.querySelector("[data-test-failed]")?.toggleAttribute("hidden", isSent);
}

/** Puts the page's own address into the address bar, where it can be opened again, though without the key. */
function keepAddress(): void {
  const here = document.querySelector<HTMLElement>("[data-here]")?.dataset["here"];
  if (here !== undefined) history.replaceState(null, "", here);
}

startPage();
startCopying();
startTimes();
startFlash();
sendOnce();
fillIn();
addEventListener("hashchange", fillIn); // the link was opened while the page was already open
keepAddress();
waitForMessage();
waitForDevice();
offerTest();
