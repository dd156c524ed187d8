/** Copy buttons, including those that are added to the page later. */
import { curlOf } from "./curl.ts";

export function startCopying(): void {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const text = button ? textFor(button) : undefined;
    if (button && text !== undefined) void copyFrom(button, text);
  });
}

/** The text that a button copies; a promise if it has to be fetched first; undefined if the button is not for copying. */
function textFor(button: HTMLButtonElement): string | Promise<string> | undefined {
  const { dataset } = button;
  const message = button.closest<HTMLElement>("article");
  if (dataset["copy"] !== undefined) return button.previousElementSibling?.textContent ?? undefined;
  if (dataset["copyUrl"] !== undefined) return new URL(dataset["copyUrl"], location.href).href;
  const link = new URL(message?.dataset["link"] ?? "", location.href);
  if (dataset["copyLink"] !== undefined) return link.href;
  if (dataset["copyCurl"] !== undefined) return curlOf(link);
  if (dataset["copyText"] === undefined || !message) return undefined;
  return [...message.querySelectorAll("h3, .body")].map((part) => part.textContent).join("\n");
}

async function copyFrom(button: HTMLButtonElement, text: string | Promise<string>): Promise<void> {
  const isCopied = await copy(text).catch(() => false); // the browser refused, or the message is gone
  if (!isCopied) return;
  const word = button.querySelector("span");
  const before = word?.textContent;
  if (!word || before === undefined || before === button.dataset["done"]) return;
  word.textContent = button.dataset["done"] ?? before;
  setTimeout(() => {
    word.textContent = before;
    button.closest("details")?.removeAttribute("open");
  }, 1500);
}

/** `navigator.clipboard` exists only over https and on localhost, but many home servers are reached over http. */
async function copy(text: string | Promise<string>): Promise<boolean> {
  const { clipboard } = navigator;
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent without https
  if (clipboard) {
    // Safari allows it only during the click itself, so it gets the promise; Firefox before 127 has no ClipboardItem
    if (typeof text !== "string" && "ClipboardItem" in window)
      await clipboard.write([new ClipboardItem({ "text/plain": text })]);
    else await clipboard.writeText(await text);
    return true;
  }
  const field = document.createElement("textarea");
  field.value = await text;
  field.className = "sr";
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without https
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
