/** A page as who has only a keyboard goes through it. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { look } from "./browser.ts";

interface Focused {
  /** The same for the same element. */
  key: string;
  isControl: boolean;
  /** Its outline. */
  ring: string;
  isInView: boolean;
}

/** More than any page has. */
const MOST_TABS = 300;

/** Presses Tab until it leaves the page: each control is reached, and one sees where one is. */
export async function walk(page: Page, name: string): Promise<void> {
  const reached = new Set<string>();
  // from its top, also where it has put the cursor into a field
  await page.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')");
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press("Tab");
    const at = await look<Focused | undefined>(page, "focused");
    if (at === undefined) break;
    if (reached.has(at.key)) continue; // a part of a field that has several
    expect([name, at.key, at.ring, at.isInView]).toEqual([name, at.key, "solid 2px", true]);
    if (at.isControl) reached.add(at.key);
  }
  // now: the script shows some only once it knows what the browser can do
  expect([name, reached.size]).toEqual([name, await look<number>(page, "controls")]);
}
