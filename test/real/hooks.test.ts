/** Real senders that are given only a URL: shoutrrr, Apprise and curl post to a hook (docs/publish.md). */
import { afterAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOOK_TOOLS } from "../../src/pages/publishing/tools.ts";
import { messagesBy, newHook, tokenOf } from "../support/hooks.ts";
import { fixture } from "../support/recipes.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const peal = await startPeal();
const dir = await mkdtemp(join(tmpdir(), "peal-senders-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});
const { host } = new URL(peal.url);
const TEXT = "Füllstand 91 %\nzweite Zeile ⚠";

interface Hook {
  /** Its URL without `http://`. */
  url: string;
  token: string;
  gotify: string;
  /** The newest message of its topic. */
  got(): Promise<Record<string, unknown> | undefined>;
}
let hooks = 0;
async function hook(): Promise<Hook> {
  const made = await newHook(peal, { topic: `hooked-${++hooks}` });
  return {
    url: made.url.replace("http://", ""),
    token: tokenOf(made),
    gotify: made.gotify_token,
    got: async () => (await messagesBy(peal, made)).at(-1),
  };
}

async function run(...command: string[]): Promise<{ code: number; said: string }> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: dir };
  const child = Bun.spawn(command, { cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
  const said = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, said: said.join("") };
}
const DONE = { code: 0 };

// prettier-ignore
const shoutrrr: [what: string, url: (hook: Hook) => string, title?: string][] = [
  ["bare text, called JSON", ({ url }) => `generic://${url}?disabletls=yes`],
  ["the text in its own URL", ({ url }) => `generic+http://${url}`],
  ["its JSON",               ({ url }) => `generic://${url}?disabletls=yes&template=json`, "Disk"],
  ["Gotify's call",          ({ gotify }) => `gotify://${host}/${gotify}?disabletls=yes&priority=8`, "Disk"],
];
for (const [what, url, title] of shoutrrr)
  testWith("shoutrrr")(`shoutrrr posts ${what} to a hook`, async () => {
    const to = await hook();
    const titled = title === undefined ? [] : ["--title", title];
    expect(await run("shoutrrr", "send", "--url", url(to), "--message", TEXT, ...titled)).toMatchObject(DONE);
    expect(await to.got()).toMatchObject({ message: TEXT, ...(title !== undefined && { title }) });
  });

/** The value that the page shows for a tool's form. */
const settingOf = (tool: string, url: string): string =>
  HOOK_TOOLS.find(({ title }) => title === tool)?.withHook(`http://${url}`)[0]?.value ?? "";

testWith("shoutrrr")("Beszel's alerts by shoutrrr say what is down, and close when it is up", async () => {
  const to = await hook();
  const address = settingOf("Beszel", to.url);
  for (const [path, shown] of [
    ["beszel/down", { title: "nas is down", level: "error", status: "firing" }],
    ["beszel/up", { title: "nas is up again", level: "success", status: "resolved" }],
    ["beszel/test", { title: "Beszel test", level: "info" }],
  ] as const) {
    const { title, message } = JSON.parse(fixture(path)) as { title: string; message: string };
    // `SendShoutrrrAlert` adds the title like this (internal/alerts/alerts.go)
    const url = `${address}&$title=${encodeURIComponent(title)}`;
    expect(await run("shoutrrr", "send", "--url", url, "--message", message)).toMatchObject(DONE);
    expect(await to.got()).toMatchObject(shown);
  }
});

testWith("shoutrrr")("Watchtower's reports by shoutrrr say what failed, and close when all is updated", async () => {
  const to = await hook();
  const { environment } = Bun.YAML.parse(settingOf("Watchtower", to.url)) as { environment: Record<string, string> };
  for (const [path, shown] of [
    ["watchtower/failed", { title: "attic: 1 updated, 1 failed", level: "error", status: "firing" }],
    ["watchtower/updated", { title: "attic: 2 updated", level: "success", status: "resolved" }],
  ] as const) {
    const url = environment["WATCHTOWER_NOTIFICATION_URL"] ?? "";
    expect(await run("shoutrrr", "send", "--url", url, "--message", fixture(path))).toMatchObject(DONE);
    expect(await to.got()).toMatchObject(shown);
  }
});

testWith("shoutrrr")("shoutrrr posts to a topic with a key in a header of its own", async () => {
  const topic = await peal.topic("by-key");
  const { key } = await peal.mint("publish");
  const url = `generic://${host}/home/by-key?disabletls=yes&@Authorization=Bearer+${key}`;
  expect(await run("shoutrrr", "send", "--url", url, "--message", TEXT)).toMatchObject(DONE);
  expect(await peal.history(topic)).toMatchObject([{ message: TEXT }]);
});

testWith("shoutrrr")("shoutrrr says what Gotify's error says where there is no such hook", async () => {
  const url = `gotify://${host}/A${"x".repeat(14)}?disabletls=yes`;
  const { code, said } = await run("shoutrrr", "send", "--url", url, "--message", TEXT);
  expect(code).not.toBe(0);
  expect(said).toContain("Unauthorized");
});

const PICTURE = join(import.meta.dir, "../../static/app-icon-192.png");
const NAME = "app-icon-192.png";

// prettier-ignore
const apprise: [schema: string, url: (hook: Hook) => string][] = [
  ["json://",   ({ url }) => `json://${url}`],
  ["form://",   ({ url }) => `form://${url}`],
  ["gotify://", ({ gotify }) => `gotify://${host}/${gotify}?priority=high`],
  ["apprise://", ({ token }) => `apprise://${host}/v1/apprise/${token}`],
];
for (const [schema, url] of apprise)
  testWith("apprise")(`Apprise posts by ${schema} to a hook`, async () => {
    const to = await hook();
    expect(await run("apprise", "-t", "Disk", "-b", TEXT, url(to))).toMatchObject(DONE);
    expect(await to.got()).toMatchObject({
      title: "Disk",
      message: expect.stringContaining("Füllstand 91 %") as string,
    });
  });

for (const schema of ["json", "form", "apprise"])
  testWith("apprise")(`Apprise sends a picture by ${schema}://`, async () => {
    const to = await hook();
    const url = schema === "apprise" ? `apprise://${host}/v1/apprise/${to.token}` : `${schema}://${to.url}`;
    expect(await run("apprise", "-t", "Door", "-b", TEXT, "--attach", PICTURE, url)).toMatchObject(DONE);
    const { title, attachments } = (await to.got()) ?? {};
    expect(title).toBe("Door");
    expect(attachments).toMatchObject([{ type: "image/png", name: NAME, width: 192, height: 192 }]);
    const [{ url: picture } = { url: "" }] = attachments as { url: string }[];
    expect(await (await fetch(picture)).bytes()).toEqual(await Bun.file(PICTURE).bytes());
  });

/** The host of these is fixed in the plugin, which adds the rest of the URL. */
const BY_HOST = `
import sys, apprise
from apprise.plugins.slack import NotifySlack
from apprise.plugins.discord import NotifyDiscord
NotifySlack.webhook_url = NotifyDiscord.notify_url = sys.argv[1]
sent = apprise.Apprise()
sent.add(sys.argv[2])
sys.exit(0 if sent.notify(title="Disk", body=sys.argv[3], notify_type="failure") else 1)
`;
const SLACK = `slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ`;

// prettier-ignore
const byHost: [service: string, host: (hook: Hook) => string, url: (hook: Hook) => string][] = [
  // what it adds to its host becomes part of the query
  ["Slack",   ({ url }) => `http://${url}/slack?path=`, () => SLACK],
  ["Discord", () => `${peal.url}/api/webhooks`,         ({ token }) => `discord://123456789012345678/${token}`],
];
for (const [service, base, url] of byHost)
  testWith("apprise")(`Apprise's ${service} posts to a hook in its place`, async () => {
    const to = await hook();
    const python = (await Bun.file(Bun.which("apprise") ?? "").text()).split("\n", 1)[0]?.slice(2) ?? "";
    expect(await run(python, "-c", BY_HOST, base(to), url(to), TEXT)).toMatchObject(DONE);
    expect(await to.got()).toMatchObject({ title: "Disk", message: expect.stringContaining("zweite Zeile") as string });
  });

testWith("curl")("curl sends bytes, a form and a file to a hook", async () => {
  await Bun.write(join(dir, "log"), TEXT);
  for (const way of [
    ["--data-binary", "@log"],
    ["-F", "message=<log"],
    ["-T", "log"],
    ["-F", "file=@log"],
  ]) {
    const to = await hook();
    expect(await run("curl", "-fsS", ...way, `http://${to.url}`)).toMatchObject(DONE);
    expect(await to.got()).toMatchObject({ message: TEXT });
  }
});

test("what Uptime Kuma's types Slack, Discord and Gotify post is read in each of them", async () => {
  const sent = async (file: string) => Bun.file(join(import.meta.dir, "../rewrites/payloads", file)).text();
  const headers = { "content-type": "application/json", "user-agent": "axios/1.7.2" };
  const gotify = JSON.stringify({ message: "[NAS] [🔴 Down] timeout", priority: 8, title: "Uptime-Kuma" });
  const up = { title: "[Jellyfin] [✅ Up] 200 - OK", level: "success", source: "rewrite:slack" };
  const down = { title: "❌ Your service Jellyfin went down. ❌", level: "error", source: "rewrite:discord" };
  const byGotify = { title: "Uptime-Kuma", message: "[NAS] [🔴 Down] timeout", level: "error", priority: "high" };
  const ways: [body: string, path: (hook: Hook) => string, status: number, message: object][] = [
    [await sent("slack/kuma-up-blocks.json"), ({ token }) => `/v1/hook/${token}/slack`, 200, up],
    [await sent("discord/kuma-down.json"), ({ token }) => `/api/webhooks/123456789012345678/${token}`, 204, down],
    [gotify, ({ gotify: token }) => `/message?token=${token}`, 200, byGotify],
  ];
  for (const [body, path, status, message] of ways) {
    const to = await hook();
    expect((await fetch(peal.url + path(to), { method: "POST", headers, body })).status).toBe(status);
    expect(await to.got()).toMatchObject(message);
  }
});
