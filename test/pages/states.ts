/** What pages look like after an action, for pictures of them: flashes, mistakes, opened parts, no connection. */
import type { Page } from "playwright-core";

interface State {
  /** The name of its screenshot. */
  name: string;
  /** The page that it begins on (`everypage.ts`). */
  page: string;
  make: (page: Page) => Promise<void>;
}

const press = async (page: Page, name: string): Promise<void> => page.getByRole("button", { name }).first().click();
const said = async (page: Page): Promise<void> => page.locator(".flash").waitFor();
const refused = async (page: Page): Promise<void> => page.locator(".bad, .note.error").first().waitFor();
/** Sends the form without the script and without the browser's own checks. */
const send = async (page: Page): Promise<void> => {
  await page.evaluate("document.querySelector('main form').noValidate = true");
  await page.locator("main form button[type=submit]").first().click();
};

/** Some of them change the server's data, so they come after the pages, in this order. */
export const STATES: readonly State[] = [
  {
    name: "feed-open",
    page: "feed",
    make: async (page) => {
      for (const closed of await page.locator("article details:not(.menu) > summary").all()) await closed.click();
      await page.locator("article .menu > summary").nth(1).click();
    },
  },
  {
    name: "topic-came-open",
    page: "topic-came",
    make: async (page) => {
      for (const closed of await page.locator("main details.past > summary").all()) await closed.click();
    },
  },
  ...(["feed-secure", "feed-plain", "first-phone-plain", "first-phone-connected"] as const).flatMap((page) =>
    ["Android", "iPhone"].map((phone) => ({
      name: `${page}-${phone.toLowerCase()}`,
      page,
      make: async (shown: Page) => {
        const app = shown.locator("details[name=ntfy]").filter({ hasText: `The ntfy app on ${phone}` });
        if ((await app.getAttribute("open")) === null) await app.locator("summary").click();
      },
    })),
  ),
  {
    name: "forward-wrong",
    page: "forward-ntfy",
    make: async (page) => {
      await page.getByLabel("Server").fill("http://10.0.0.7");
      await page.getByLabel("Topic", { exact: true }).fill("a b");
      await send(page);
      await refused(page);
    },
  },
  {
    name: "feed-keys",
    page: "feed",
    make: async (page) => {
      await page.keyboard.press("?");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "feed-offline",
    page: "feed",
    make: async (page) => {
      await page.context().setOffline(true);
      await page.getByText("No connection since").waitFor();
    },
  },
  {
    name: "overview-more",
    page: "overview",
    make: async (page) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await page.locator(".rail summary").click();
    },
  },
  {
    name: "check-open",
    page: "check-failed",
    make: async (page) => {
      for (const closed of await page.locator("main details > summary").all()) await closed.click();
    },
  },
  {
    name: "login-wrong",
    page: "login",
    make: async (page) => {
      await page.getByLabel("Name").fill("Jonas");
      await page.getByLabel("Password").fill("something else");
      await send(page);
      await refused(page);
    },
  },
  {
    name: "claim-wrong",
    page: "claim",
    make: async (page) => {
      await page.getByLabel("Setup code").fill("abcd-efgh");
      await page.getByLabel("Your name").fill("Jonas");
      await page.getByLabel("Password").fill("short");
      await send(page);
      await refused(page);
    },
  },
  {
    name: "topic-new-wrong",
    page: "topic-new",
    make: async (page) => {
      await page.locator("#name").fill("a b");
      await send(page);
      await refused(page);
    },
  },
  {
    name: "check-new-wrong",
    page: "check-new",
    make: async (page) => {
      await send(page);
      await refused(page);
    },
  },
  {
    name: "keys-made",
    page: "keys",
    make: async (page) => {
      await page.locator("#label").fill("truenas");
      await press(page, "Create key");
      await page.getByText("Copy it now").waitFor();
    },
  },
  {
    name: "first-message-arrived",
    page: "first-message",
    make: async (page) => {
      await press(page, "No terminal? Send a test");
      await page.getByText("Your first message is here").waitFor();
    },
  },
  {
    name: "device-tested",
    page: "device-iphone",
    make: async (page) => {
      await press(page, "Send test");
      await page.getByText("Test push accepted").waitFor();
    },
  },
  {
    name: "topic-undo",
    page: "topic",
    make: async (page) => {
      await page.locator("article .menu > summary").last().click();
      await page.locator("article .menu").last().getByRole("button", { name: "Delete" }).click();
      await said(page);
    },
  },
  {
    name: "overview-muted",
    page: "overview",
    make: async (page) => {
      await page.getByRole("link", { name: "Mute everything" }).click();
      await press(page, "Mute everything");
      await said(page);
    },
  },
  {
    name: "feed-acknowledged",
    page: "feed",
    make: async (page) => {
      await press(page, "Acknowledge");
      await page.getByRole("button", { name: "Undo" }).waitFor();
    },
  },
];
