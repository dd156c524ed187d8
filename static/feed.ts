/** Makes the feed live: new messages, what is unread, what was seen last time. The page also works without this script. */
import { cardsSince, merged } from "./cards.ts";
import { startAcknowledging } from "./acknowledge.ts";
import { announce, wordsForNew } from "./announce.ts";
import { follow } from "./connection.ts";
import { startCopying } from "./copy.ts";
import { askedFor, count, isWhole } from "./filter.ts";
import { startKeys } from "./keys.ts";
import { startNotifying } from "./notify.ts";
import { startRequesting } from "./requests.ts";
import { folded, reveal, startRuns } from "./runs.ts";
import { divider, recall, remember } from "./seen.ts";
import { forgetFeed, keepFeed } from "./stored.ts";
import { script, startedWorker } from "./subscription.ts";
import { startPage } from "./theme.ts";
import { showTop, startTop } from "./top.ts";
import { dayHeading, dayKey, localize } from "./times.ts";

/** A page that lies open for weeks keeps this many cards. */
const MAX_CARDS = 500;
const TOP_PX = 80;
const MINUTE_MS = 60_000;
/** At most one copy of the feed is stored in this time, for when there is no connection. */
const KEEP_MS = 10_000;

function start(feed: HTMLElement, path: string): void {
  const section = feed.querySelector<HTMLElement>(".feed");
  const title = document.title;
  const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
  const plainIcon = icon?.getAttribute("href") ?? "";

  let last = Number(feed.dataset["last"]);
  let seen = recall(path);
  /** The cards on the page, newest first. */
  let cards = askedFor(feed);
  /** Cards that are held back so as not to disturb the reader, newest first. */
  let pending: HTMLElement[] = [];
  /** There are more new messages than the server sent at once, so only a reload shows them all. */
  let missed = false;
  let arrivedHidden = 0;
  let keeping: ReturnType<typeof setTimeout> | undefined;

  arrange();
  noteSeen();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) seen = { id: cards[0] ? idOf(cards[0]) : last, at: Date.now() };
    else {
      void renewWaiting();
      if (arrivedHidden > 0) arrange();
      arrivedHidden = 0;
      noteSeen();
      showUnread();
    }
  });
  const ticking = setInterval(() => {
    localize(document);
    void renewWaiting();
  }, MINUTE_MS);
  // a reader who is back at the top no longer needs the pill, which covers the first heading there
  addEventListener("scroll", () => {
    if (pending.length > 0 && showIfFree()) showUnread();
  });
  startNotifying(goTo);
  startTop(goTo);
  startAcknowledging(path, async (id) => {
    await Promise.all([renew([id]), renewTop()]).catch(() => undefined); // tried again within a minute
  });
  startKeys();
  const end =
    feed.dataset["follow"] === undefined
      ? undefined
      : follow(path, { last: () => last, position: feed.dataset["position"] ?? String(last), refresh, reset: reload });
  end?.addEventListener("abort", () => {
    clearInterval(ticking);
    if (canKeep) void forgetFeed(path);
  });
  showBadge(0);
  if (canKeep)
    void startedWorker().then(
      () => {
        if (!isWorkers) keepSoon(0); // otherwise the worker stored the page as it answered
      },
      () => undefined, // if the browser forbids it, the page works without
    );

  async function refresh(): Promise<void> {
    const fresh = await cardsSince(new URL(location.href), last);
    showTop(fresh.top);
    if (fresh.last <= last) return;
    if (!section) {
      reload(); // the first message of the topic: the page becomes a feed
      return;
    }
    last = fresh.last;
    missed ||= fresh.more;
    for (const card of fresh.cards) localize(card);
    announce(fresh.cards);
    keepSoon(KEEP_MS);
    pending = merged(fresh.cards, pending);
    if (!showIfFree() && (pending.length > 0 || missed)) showPill();
    showUnread();
  }

  /** Shows the held-back cards unless that would disturb the reader. Returns whether it did. */
  function showIfFree(): boolean {
    const isFree = isReaderFree() && !missed;
    if (isFree) showPending();
    return isFree;
  }

  /** Stores a copy of the feed after `ms`. A copy that is already planned serves for all messages until then. */
  function keepSoon(ms: number): void {
    if (canKeep)
      keeping ??= setTimeout(() => {
        keeping = undefined;
        void keep().catch(() => undefined); // no connection, or no room
      }, ms);
  }

  async function keep(): Promise<void> {
    const isGone = () => end?.aborted === true;
    if (!isGone()) await keepFeed(path);
    if (isGone()) await forgetFeed(path); // the copy was on its way when the topic went
  }

  function showPending(): void {
    if (document.hidden) arrivedHidden += pending.length;
    const all = merged(pending, cards);
    cards = all.slice(0, MAX_CARDS);
    pending = [];
    if (all.length > MAX_CARDS) goOnBefore(idOf(cards.at(-1)));
    arrange();
    noteSeen();
  }

  /** Makes the link to older messages begin after the last card that the page keeps. */
  function goOnBefore(id: number): void {
    const older = feed.querySelector<HTMLElement>("[data-older]");
    const link = older?.querySelector("a");
    if (!older || !link) return;
    const address = new URL(link.href);
    address.searchParams.set("before", String(id));
    link.href = address.href;
    older.hidden = false;
  }

  /** Replaces cards that ask to be acknowledged by what the server shows for them now. */
  async function renew(ids: readonly number[]): Promise<void> {
    const address = new URL(`${path}?priority=urgent`, location.href); // only urgent messages ask
    const since = Math.min(...ids) - 1;
    let before = Math.max(...ids) + 1;
    for (let isMore = true; isMore;) {
      address.searchParams.set("before", String(before));
      const found = await cardsSince(address, since);
      before = idOf(found.cards.at(-1));
      isMore = found.more && found.cards.length > 0;
      for (const card of found.cards) if (ids.includes(idOf(card))) replace(card);
    }
  }

  function replace(fresh: HTMLElement): void {
    const old = document.getElementById(fresh.id);
    localize(fresh);
    if (!old || old.textContent === fresh.textContent) return; // unchanged, so it stays open and focused as it is
    const had = old.contains(document.activeElement);
    cards = cards.map((card) => (card === old ? fresh : card));
    old.replaceWith(fresh);
    if (had) fresh.focus({ preventScroll: true });
  }

  /** Refreshes what waits to be acknowledged: somebody else may have done it. */
  async function renewWaiting(): Promise<void> {
    if (document.hidden || end?.aborted === true) return;
    const waiting = cards.filter((card) => card.querySelector("[data-acknowledge]"));
    await Promise.all([waiting.length > 0 && renew(waiting.map(idOf)), renewTop()]).catch(() => undefined); // tried again in a minute
  }

  /** Refreshes the top of the page, unless it is empty. */
  async function renewTop(): Promise<void> {
    if (document.querySelector("#now > *")) await refresh();
  }

  /** Goes to the card that a notification or the top of the page links to. */
  function goTo(link: URL): void {
    if (pending.some(({ id }) => link.hash === `#${id}`)) showPending();
    if (document.getElementById(link.hash.slice(1))) {
      location.hash = link.hash;
      reveal();
    } else location.assign(link);
  }

  /** Groups the cards by days in the reader's zone, and draws a line below what is new since the last visit. */
  function arrange(): void {
    count(feed, cards);
    if (!section || cards.length === 0) return;
    const focused = document.activeElement;
    const parts: HTMLElement[] = [];
    let list: HTMLElement | undefined;
    const lists = new Map<HTMLElement, HTMLElement[]>();
    let day = "";
    let isDivided = seen === undefined || idOf(cards[0]) <= seen.id;
    for (const card of cards) {
      const at = new Date(card.querySelector<HTMLTimeElement>(".when time")?.dateTime ?? "");
      if (!isDivided && seen && idOf(card) <= seen.id) {
        isDivided = true;
        list = undefined;
        parts.push(divider(seen));
      }
      if (dayKey(at) !== day) {
        day = dayKey(at);
        list = undefined;
        parts.push(dayHeading(at));
      }
      if (!list) {
        list = document.createElement("div");
        list.className = "list";
        list.setAttribute("role", "feed");
        list.setAttribute("aria-label", dayHeading(at).textContent);
        parts.push(list);
        lists.set(list, []);
      }
      lists.get(list)?.push(card);
    }
    for (const [of, held] of lists) of.append(...folded(held));
    section.replaceChildren(...parts);
    if (focused instanceof HTMLElement && focused !== document.activeElement) focused.focus({ preventScroll: true });
  }

  function showPill(): void {
    section?.querySelector(".pill")?.remove();
    const pill = document.createElement("p");
    pill.className = "pill";
    const link = document.createElement("a");
    link.href = `#${pending[0]?.id ?? ""}`;
    link.append(sign(feed.dataset["icons"] ?? "", "top"), wordsForNew(pending.length));
    link.addEventListener("click", (event) => {
      event.preventDefault();
      if (missed) {
        reload();
        return;
      }
      showPending();
      showUnread();
      scrollTo({ top: 0 });
      cards[0]?.focus({ preventScroll: true });
    });
    pill.append(link);
    section?.prepend(pill);
  }

  function showUnread(): void {
    const unread = pending.length + arrivedHidden;
    document.title = unread > 0 ? `(${unread}) ${title}` : title;
    if (icon) icon.href = unread > 0 ? (icon.dataset["unread"] ?? plainIcon) : plainIcon;
    showBadge(unread);
  }

  /** Remembers what was seen: nothing in a hidden tab, or while cards are held back. */
  function noteSeen(): void {
    const [newest] = cards;
    if (!document.hidden && pending.length === 0 && newest && isWhole(feed))
      remember(path, { id: idOf(newest), at: Date.now() });
  }
}

/** Caches and service workers exist only over https and on localhost. */
const canKeep = isSecureContext && "caches" in window && "serviceWorker" in navigator;

/** Whether the page came through our worker. */
const isWorkers = canKeep && navigator.serviceWorker.controller?.scriptURL === script;

/** Shows the count on the icon of the installed app, if there is one. */
function showBadge(unread: number): void {
  if (!("setAppBadge" in navigator)) return;
  const shown = unread > 0 ? navigator.setAppBadge(unread) : navigator.clearAppBadge();
  void shown.catch(() => undefined); // not installed
}

/** Whether cards may move: the reader is at the top, with nothing selected and no menu open. */
const isReaderFree = (): boolean =>
  scrollY < TOP_PX && getSelection()?.isCollapsed !== false && document.querySelector(".menu[open]") === null;

const idOf = (card: HTMLElement | undefined): number => Number(card?.id.slice(1));

function sign(sprite: string, name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "icon s");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${sprite}#${name}`);
  svg.append(use);
  return svg;
}

const reload = (): void => {
  location.reload();
};

// at the end, because it needs the constants above
startPage();
startRuns();
startCopying();
startRequesting();
localize(document);
const root = document.querySelector<HTMLElement>("[data-feed]");
if (root) start(root, root.dataset["feed"] ?? "");
