/** Folds cards that repeat the same message into one line that opens, as the server does (src/pages/feed/fold.tsx). */
import { runsOf } from "../src/pages/feed/runs.ts";
import { write } from "./times.ts";
import { words } from "./words.ts";

/** The cards, with runs of equal ones folded. A run stays open if the reader opened it or the address leads into it. */
export const folded = (cards: readonly HTMLElement[]): HTMLElement[] =>
  runsOf(cards, ({ dataset }) => dataset["fold"]).map((run) => {
    const [newest] = run;
    const oldest = run.at(-1);
    return newest && oldest && run.length > 1 ? runOf(run, newest, oldest) : (newest as HTMLElement);
  });

function runOf(run: readonly HTMLElement[], newest: HTMLElement, oldest: HTMLElement): HTMLElement {
  const article = make("article", newest.classList.contains("calm") ? "msg run info calm" : "msg run");
  article.classList.add(newest.dataset["level"] ?? "");
  article.id = `r${oldest.id.slice(1)}`;
  const details = document.createElement("details");
  details.open = run.some((card) => card.closest<HTMLDetailsElement>(".run > details")?.open || isTarget(card));
  const summary = make("summary");
  summary.id = `${article.id}t`;
  const sign = newest.querySelector(".lv")?.cloneNode(true);
  const what = make("span");
  what.dir = "auto";
  what.textContent = newest.querySelector("h3, .body")?.textContent.trim().split("\n", 1)[0] ?? "";
  const when = make("span", "dim");
  const [first = "", between = "", end = ""] = words.run.replace("{n}", String(run.length)).split("{}");
  when.append(first, timeOf(oldest), between, timeOf(newest), end);
  summary.append(...(sign ? [sign] : []), what, when);
  const list = make("div", "list");
  list.setAttribute("role", "feed");
  for (const named of [article, list]) named.setAttribute("aria-labelledby", summary.id);
  list.append(...run);
  details.append(summary, list);
  article.append(details);
  return article;
}

function make(tag: string, name = ""): HTMLElement {
  const element = document.createElement(tag);
  if (name !== "") element.className = name;
  return element;
}

function timeOf(card: HTMLElement): Node {
  const time = card.querySelector(".when time")?.cloneNode(true);
  if (!(time instanceof HTMLTimeElement)) return document.createTextNode("");
  time.dataset["as"] = "brief";
  write(time);
  return time;
}

const isTarget = ({ id }: HTMLElement): boolean => location.hash === `#${id}`;

/** Opens the run that the address leads into, since not every browser does. */
export function startRuns(): void {
  addEventListener("hashchange", reveal);
  reveal();
}

export function reveal(): void {
  const card = document.getElementById(location.hash.slice(1));
  const details = card?.closest<HTMLDetailsElement>(".run > details");
  if (!card || !details || details.open) return;
  details.open = true;
  card.scrollIntoView();
}
