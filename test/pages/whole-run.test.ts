/**
 * The whole first run on the binary, behind a real reverse proxy with TLS and below a path: from the link in the
 * terminal to a notification (WEB.md §2, §6).
 */
import { afterAll, afterEach, beforeAll, expect } from "bun:test";
import type { Browser } from "playwright-core";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { freePort, PROXIES, startProxy } from "../support/proxies.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { PASSWORD } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";
import { launch, noComplaints, trusting } from "./browser.ts";
import { notify, onScreen, openSubscriber } from "./subscriber.ts";

const certificate = authority.issue();

let browser: Browser;
beforeAll(async () => {
  browser = await launch(trusting(certificate));
});
afterEach(noComplaints);
afterAll(async () => browser.close());

/** Runs a command as if pasted into a terminal. */
async function paste(command: string): Promise<void> {
  const env = { ...process.env, CURL_CA_BUNDLE: authority.file };
  const shell = Bun.spawn(["sh", "-c", command], { env, stdio: ["ignore", "ignore", "ignore"] });
  expect(await shell.exited).toBe(0);
}

/** In a short run one proxy stands for all. */
testWith("curl").each(IS_THOROUGH ? PROXIES : PROXIES.slice(0, 1))(
  "behind $name",
  async (kind) => {
    const [port, behind] = [await freePort(), await freePort()];
    const base = `https://localhost:${port}/peal`;
    await using service = await fakePushService();
    const env = {
      ...{ ...service.env, NODE_EXTRA_CA_CERTS: authority.file },
      PEAL_VAPID_SUBJECT: "mailto:op@peal.example", // Apple accepts no address at localhost
    };
    await using peal = await startPeal({
      unclaimed: true,
      env: { ...env, PEAL_LISTEN: `127.0.0.1:${behind}`, PEAL_BASE_URL: base },
    });
    await using proxy = await startProxy(kind, { port, behind }, certificate);

    const link = new RegExp(`${proxy.origin}/peal/-/setup#\\S+`).exec(peal.output())?.[0] ?? "";
    await using subscriber = await openSubscriber(browser, link, service);
    const { page } = subscriber;
    await page.getByLabel("Your name").fill("Mara");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Claim and continue" }).click();
    await page.getByText("Waiting for your first message").waitFor();
    const command = (await page.getByLabel("Command, curl").textContent()) ?? "";
    peal.secrets.add(/svc_[0-9a-f]{64}/.exec(command)?.[0] ?? "");
    await paste(command);
    await page.getByText("Your first message is here").waitFor();

    await page.getByRole("link", { name: "Next: your phone" }).click();
    await page.getByRole("img", { name: "QR code of the share link of topic hello" }).waitFor();
    await page.getByText("This computer", { exact: true }).click();
    const opening = page.context().waitForEvent("page");
    await page.getByRole("link", { name: "Open the topic" }).click();
    const feed = await opening;
    await feed.getByRole("heading", { name: "It works" }).waitFor();
    await feed.getByRole("button", { name: "Notify me" }).click();
    await notify(feed).getByRole("heading", { name: "Notifications are on" }).waitFor();
    await page.getByText("Chrome, Linux, just now").waitFor();
    await page.getByText(/^Test push accepted by .+ in [\d,]+\sms\.$/).waitFor();

    await subscriber.receive();
    await onScreen(subscriber, "Test notification");
    await paste(command);
    await subscriber.receive(2);
    const notices = await onScreen(subscriber, "Test notification", "hello");
    expect(notices.map(({ body }) => body)).toContain("It works");
    await page.getByRole("link", { name: "Open the overview" }).click();
    await page.getByRole("heading", { level: 1, name: "All quiet" }).waitFor();
  },
  60_000,
);
