/** First run: the code out of the link into the form, and the first message as it arrives. */
import { cardsSince } from "./cards.ts";
import { startCopying } from "./copy.ts";
import { startPage } from "./theme.ts";
import { localize } from "./times.ts";

function fillIn(): void {
  const field = document.querySelector<HTMLInputElement>("#code");
  const code = decodeURIComponent(location.hash.slice(1));
  if (!field || code === "") return;
  field.value = code;
  document.querySelector("[data-filled]")?.removeAttribute("hidden");
  history.replaceState(null, "", location.pathname); // no code in the browser's history
}

function waitForMessage(): void {
  const row = document.querySelector<HTMLElement>("[data-wait]");
  const got = document.querySelector<HTMLElement>("[data-got]");
  if (!row || !got) return;
  const path = row.dataset["wait"] ?? "";
  const source = new EventSource(`${path}/events?since=0`);
  source.addEventListener("message", () => {
    void cardsSince(new URL(path, location.href), 0).then(({ cards }) => {
      const first = cards.at(-1);
      if (!first) return;
      source.close();
      localize(first);
      row.hidden = true;
      got.append(first);
      got.hidden = false;
    });
  });
}

function offerTest(): void {
  const button = document.querySelector<HTMLButtonElement>("[data-test]");
  button?.addEventListener("click", () => {
    const { test = "", text = "", secret = "" } = button.dataset;
    void send(test, text, secret).then((isSent) => {
      document.querySelector<HTMLElement>("[data-test-failed]")?.toggleAttribute("hidden", isSent);
    });
  });
}

const send = async (url: string, text: string, secret: string): Promise<boolean> =>
  fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "text/plain" },
    body: text,
  }).then(
    ({ ok }) => ok,
    () => false,
  );

startPage();
startCopying();
fillIn();
waitForMessage();
offerTest();
