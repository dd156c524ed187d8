/** Copy buttons, wherever on the page they are or will be. */

export function startCopying(): void {
  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const text = button ? textFor(button) : undefined;
    if (button && text !== undefined) void copyFrom(button, text);
  });
}

function textFor(button: HTMLButtonElement): string | undefined {
  const { dataset } = button;
  const message = button.closest<HTMLElement>("article");
  if (dataset["copy"] !== undefined) return button.previousElementSibling?.textContent ?? undefined;
  if (dataset["copyUrl"] !== undefined) return new URL(dataset["copyUrl"], location.href).href;
  if (dataset["copyLink"] !== undefined) return new URL(message?.dataset["link"] ?? "", location.href).href;
  if (dataset["copyText"] === undefined || !message) return undefined;
  return [...message.querySelectorAll("h3, .body")].map((part) => part.textContent).join("\n");
}

async function copyFrom(button: HTMLButtonElement, text: string): Promise<void> {
  if (!(await copy(text))) return;
  const word = button.querySelector("span");
  const before = word?.textContent;
  if (!word || before === undefined || before === button.dataset["done"]) return;
  word.textContent = button.dataset["done"] ?? before;
  setTimeout(() => {
    word.textContent = before;
    button.closest("details")?.removeAttribute("open");
  }, 1500);
}

/** `navigator.clipboard` is there only over https and on localhost; many of us are at home on http. */
async function copy(text: string): Promise<boolean> {
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- absent without https
  if (navigator.clipboard)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr";
  document.body.append(field);
  field.select();
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without https
  const done = document.execCommand("copy");
  field.remove();
  return done;
}
