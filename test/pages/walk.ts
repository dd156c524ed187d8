/** Walks through a page with only a keyboard. */
import { expect } from "bun:test";
import type { Page } from "playwright-core";
import { look } from "./browser.ts";

interface Focused {
  /** Identifies the element. */
  key: string;
  isControl: boolean;
  /** The style of its focus outline. */
  ring: string;
  isInView: boolean;
}

/** More than any page needs. */
const MOST_TABS = 300;

/** Presses Tab until the focus leaves the page: each control is reached, and the focus is visible. */
export async function walk(page: Page, name: string): Promise<void> {
  const reached = new Set<string>();
  // from the top, even where the page has focused a field
  await page.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')");
  for (let i = 0; i < MOST_TABS; i++) {
    await page.keyboard.press("Tab");
    const at = await look<Focused | undefined>(page, "focused");
    if (at === undefined) break;
    if (reached.has(at.key)) continue; // one of several parts of a field
    expect([name, at.key, at.ring, at.isInView]).toEqual([name, at.key, "solid 2px", true]);
    if (at.isControl) reached.add(at.key);
  }
  // only now, because the script shows some controls once it knows what the browser can do
  expect([name, reached.size]).toEqual([name, await look<number>(page, "controls")]);
}
