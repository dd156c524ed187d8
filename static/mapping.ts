/**
 * The page of a hook's map. A click on a value of the request puts its path into a field. While the reader types, the server
 * shows what the map makes of the requests that it keeps.
 */
import { documentAt } from "./document.ts";
import { swap } from "./regions.ts";
import { say } from "./say.ts";

/** The wait after the last key before the preview is fetched. */
const REST_MS = 350;
/** Nobody compares with a longer value, or with one of several lines. */
const MAX_WORD = 100;

type Control = HTMLInputElement | HTMLTextAreaElement;

export function startMapping(): void {
  const root = document.querySelector<HTMLElement>("[data-mapping]");
  const form = root?.querySelector("form");
  const menu = root?.querySelector<HTMLElement>("[data-uses]");
  if (!root || !form || !menu) return;
  const show = previewing(form);
  makeButtons(root);
  startMenu(root, menu, (use, leaf) => {
    put(form, use.dataset["use"] ?? "", leaf);
    say((menu.dataset["uses"] ?? "").replace("{}", use.textContent));
    show(0);
  });
  root.addEventListener("input", () => {
    show(REST_MS);
  });
  form.addEventListener("submit", (event) => {
    if (!(event.submitter instanceof HTMLButtonElement) || event.submitter.name !== "preview") return;
    event.preventDefault();
    show(0);
  });
}

/** Returns a function that fetches the preview of the form after `restMs`. An answer to an earlier state of the form is dropped. */
function previewing(form: HTMLFormElement): (restMs: number) => void {
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const { dataset } = document.querySelector<HTMLElement>("[data-said]") ?? document.body;
  const look = async (mine: number) => {
    const fields = new URLSearchParams({ preview: "1" });
    for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
    try {
      const body = await documentAt(new URL(form.action), { "peal-again": "1" }, fields);
      if (mine !== asked) return;
      take(form, body.ownerDocument);
      say(dataset["updated"] ?? "");
    } catch {
      if (mine === asked) say(dataset["failed"] ?? "");
    }
  };
  return (restMs) => {
    clearTimeout(timer);
    const mine = ++asked;
    timer = setTimeout(() => void look(mine), restMs);
  };
}

function take(form: HTMLFormElement, fresh: Document): void {
  for (const id of ["map-came", "map-others"]) {
    const [old, now] = [document.getElementById(id), fresh.getElementById(id)];
    if (!old || !now) continue;
    makeButtons(now);
    swap(old, now);
  }
  for (const control of form.querySelectorAll<Control>(".field > input, .field > textarea")) {
    const now = fresh.getElementById(control.id);
    control.parentElement?.querySelector(":scope > .wrong")?.remove();
    control.parentElement?.classList.toggle("bad", now?.getAttribute("aria-invalid") === "true");
    const wrong = now?.parentElement?.querySelector(":scope > .wrong");
    if (wrong) control.after(document.adoptNode(wrong));
    for (const name of ["aria-invalid", "aria-describedby"]) {
      const value = now?.getAttribute(name);
      if (value === null || value === undefined) control.removeAttribute(name);
      else control.setAttribute(name, value);
    }
  }
}

/** Turns the values into buttons. Without the script each one is text with its path beside it. */
function makeButtons(root: HTMLElement): void {
  for (const leaf of root.querySelectorAll<HTMLElement>("span[data-path]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `link ${leaf.className}`;
    button.dir = "auto";
    Object.assign(button.dataset, leaf.dataset);
    button.setAttribute("aria-expanded", "false");
    button.textContent = leaf.textContent;
    leaf.replaceWith(button);
  }
}

/** Opens the one menu of all values below the value that was clicked. */
function startMenu(root: HTMLElement, menu: HTMLElement, choose: (use: HTMLElement, leaf: HTMLElement) => void): void {
  let leaf: HTMLElement | undefined;
  const close = () => {
    menu.hidden = true;
    leaf?.setAttribute("aria-expanded", "false");
    leaf = undefined;
  };
  const open = (on: HTMLElement) => {
    leaf = on;
    leaf.setAttribute("aria-expanded", "true");
    menu.hidden = false;
    const [at, around] = [on.getBoundingClientRect(), root.getBoundingClientRect()];
    menu.style.top = `${at.bottom - around.top}px`;
    menu.style.left = `${Math.max(0, Math.min(at.left - around.left, around.width - menu.offsetWidth))}px`;
    menu.querySelector("button")?.focus();
  };
  root.addEventListener("click", ({ target }) => {
    const clicked = target instanceof Element ? target.closest<HTMLElement>("[data-path], [data-use]") : null;
    if (!clicked) return;
    if (clicked.dataset["use"] === undefined) {
      const isOpen = clicked === leaf;
      close();
      if (!isOpen) open(clicked);
    } else if (leaf) {
      const chosen = leaf;
      close();
      chosen.focus();
      choose(clicked, chosen);
    }
  });
  root.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !leaf) return;
    const back = leaf;
    close();
    back.focus();
  });
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !menu.contains(target) && leaf?.contains(target) === false) close();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !menu.contains(relatedTarget)) close();
  });
}

/**
 * Puts the path of a value into the field. Title and text are added to. The value itself is noted too if it says that an alert
 * is over or which level it has.
 */
function put(form: HTMLFormElement, use: string, leaf: HTMLElement): void {
  const field = (name: string) => form.querySelector<Control>(`#${name}`);
  const control = field(use);
  if (!control) return;
  const before = control.value.trim();
  const placed = `{${leaf.dataset["path"] ?? ""}}`;
  const isText = use === "title" || use === "text";
  control.value = isText && before !== "" ? `${before} ${placed}` : placed;
  const word = leaf.textContent.trim();
  if (word.length > MAX_WORD || word.includes("\n")) return;
  const lines = (of: Control | null) => (before === placed ? (of?.value.trim().split("\n") ?? []) : []).filter(Boolean);
  const [closing, levels] = [field("resolved_in"), field("level_is")];
  if (use === "resolved" && closing) closing.value = [...new Set([...lines(closing), word])].join("\n");
  if (use !== "level" || !levels) return;
  const known = lines(levels);
  const isKnown = leaf.dataset["level"] !== undefined || known.some((line) => line.startsWith(`${word} =`));
  levels.value = (isKnown ? known : [...known, `${word} = info`]).join("\n");
  if (!isKnown) levels.focus(); // so that the reader can say which level it is
}
