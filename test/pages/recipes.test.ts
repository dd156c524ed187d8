/** What pages offer to paste: what can run here is run against a real server, the rest is read by its own parser. */
import { afterAll, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { snippets } from "../../src/pages/publishing/commands.ts";
import { areEnglish, said } from "../../src/rewrites/tool-setup.ts";
import { HOOK_TOOLS, KEY_TOOLS } from "../../src/pages/publishing/tools.ts";
import { fixture, rendered } from "../support/recipes.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

/** Characters that a shell, a language or a form may treat specially. */
const ODD = `It's "done": 100 % of $HOME, \`id\` \\ 'x' !! für alle ⚠`;

const peal = await startPeal();
const dir = await mkdtemp(join(tmpdir(), "peal-recipes-"));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});
const { key } = await peal.mint("publish");
const base = `${peal.url}/home`;

async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, stdout, stderr };
}
/** Expected of every job: its output would be mailed by cron or logged, and the answer contains the topic's link. */
const SILENT = { code: 0, stdout: "", stderr: "" };
async function written(name: string, text: string): Promise<string> {
  const path = join(dir, name);
  await mkdir(join(path, ".."), { recursive: true });
  await Bun.write(path, text);
  await chmod(path, 0o700);
  return path;
}
/** The messages in the topic. */
async function got(name: string): Promise<Record<string, unknown>[]> {
  const topics = (await (await peal.api("GET", "/v1/home/topics")).json()) as {
    topics: { name: string; key: string }[];
  };
  const topic = topics.topics.find((one) => one.name === name);
  return topic === undefined ? [] : peal.history({ namespace: "home", key: topic.key });
}
const settingsOf = (id: string, url: string) => {
  const settings = KEY_TOOLS.find(({ name }) => name === id)?.withKey(url, key) ?? [];
  return settings.map(({ value }) => value);
};

const shell = (command: string) => ["bash", "-c", command];
/** Compiling net/http takes 15 s. */
const testGo = IS_THOROUGH ? testWith("go") : test.skip;
// prettier-ignore
const languages: [name: string, tried: typeof test, start: (command: string) => Promise<string[]>][] = [
  ["curl",       testWith("bash", "curl"), async (command) => shell(command)],
  ["wget",       testWith("bash", "wget"), async (command) => shell(command)],
  ["Python",     testWith("python3"),      async (command) => ["python3", "-c", command]],
  ["JavaScript", test,                     async (command) => [process.execPath, await written("snippet.mjs", command)]],
  ["Go",         testGo,                   async (command) => ["go", "run", await written("snippet.go", command)]],
  ["PowerShell", testWith("pwsh"),         async (command) => ["pwsh", "-NoProfile", "-Command", command]],
];
for (const [name, tried, start] of languages)
  tried(
    `${name} publishes, with a key in it and with one from the environment`,
    async () => {
      const topic = `Odd.name_-${name}`;
      const target = { url: `${base}/${topic}`, text: ODD };
      for (const [given, env] of [
        [{ ...target, secret: key }, {}],
        [target, { KEY: key }],
      ] as const) {
        const command = snippets(given).find((one) => one.name === name)?.command ?? "";
        expect(await run(await start(command), env)).toMatchObject({ code: 0 });
      }
      expect((await got(topic)).map(({ message }) => message)).toEqual([ODD, ODD]);
    },
    300_000, // because others compile at the same time
  );

testWith("go")("Go's program is read and written by gofmt as it stands", async () => {
  for (const secret of [undefined, key]) {
    const { command = "" } =
      snippets({ url: base, text: ODD, ...(secret !== undefined && { secret }) }).find(({ name }) => name === "Go") ??
      {};
    expect(await run(["gofmt", "-d", await written("snippet.go", `${command}\n`)])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  }
});

test("every language of the page is tried here", () => {
  const offered = snippets({ url: base, text: ODD }).map(({ name }) => name);
  expect(languages.map(([name]) => name).toSorted()).toEqual(offered.toSorted());
});

testWith("bash", "curl")("a job of cron that fails says so", async () => {
  const [variable = "", line = ""] = settingsOf("cron", `${base}/cron`);
  const command = line.replace(/^(\S+ ){5}/, "").replace("/usr/local/bin/backup", "false");
  expect(await run(shell(`export ${variable}; ${command.replaceAll("\\%", "%")}`))).toEqual(SILENT);
  expect(await got("cron")).toMatchObject([{ message: "Backup failed", level: "error" }]);
});

testWith("bash", "curl")("restic's script tells how it ended, and ends so", async () => {
  const [script = "", config = ""] = settingsOf("restic", `${base}/restic`);
  const path = await written("restic.sh", script);
  for (const code of [0, 3]) {
    await written("bin/restic", `#!/bin/sh\nexit ${code}\n`);
    const PATH = `${dir}/bin:${process.env["PATH"]}`;
    expect(await run([path], { PATH })).toEqual({ ...SILENT, code });
  }
  const { commands } = Bun.YAML.parse(config) as { commands: { after: string; run: string[] }[] };
  expect(commands[0]?.after).toBe("error");
  expect(await run(shell(commands[0]?.run[0] ?? ""))).toEqual(SILENT);
  expect(await got("restic")).toMatchObject([
    { message: "restic ended with 0", level: "success" },
    { message: "restic ended with 3", level: "error" },
    { message: "borgmatic failed", level: "error" },
  ]);
});

testWith("curl")("smartd's script hands on what smartd says", async () => {
  const [config = "", script = ""] = settingsOf("smartd", `${base}/smartd`);
  expect(config).toContain("-M exec /usr/local/bin/smartd-peal");
  const env = { SMARTD_DEVICE: "/dev/sda", SMARTD_MESSAGE: "Device: /dev/sda, 8 sectors & more = trouble" };
  expect(await run([await written("smartd.sh", script)], env)).toEqual(SILENT);
  expect(await got("smartd")).toMatchObject([
    { title: "SMART: /dev/sda", message: env.SMARTD_MESSAGE, level: "error" },
  ]);
});

/** As Python's requests does, sends what precedes the host as Basic authentication. */
function byPassword(address: string): [url: string, authorization: string] {
  const { username, password, origin, pathname, search } = new URL(address);
  return [origin + pathname + search, `Basic ${btoa(`${username}:${password}`)}`];
}

test("TrueNAS' service for Slack posts its alerts to the topic, and a cleared alert closes its card", async () => {
  const [address = ""] = settingsOf("truenas", `${base}/truenas`);
  const [url, authorization] = byPassword(address);
  for (const path of ["truenas/new-alert", "truenas/one-cleared", "truenas/all-cleared"]) {
    const { text } = JSON.parse(fixture(path)) as { text: string };
    const headers = { authorization, "content-type": "application/json" };
    expect((await peal.request(url, { method: "POST", headers, body: JSON.stringify({ text }) })).status).toBe(201);
  }
  expect(await got("truenas")).toMatchObject([
    {
      title: "nas.home.example: Pool tank state is DEGRADED",
      level: "error",
      status: "firing",
      dedup_key: TRUENAS_KEY,
    },
    { title: "nas.home.example: 1 alert cleared, 1 left", level: "warning", status: "firing", dedup_key: TRUENAS_KEY },
    { title: "nas.home.example: all alerts are cleared", level: "success", status: "resolved", dedup_key: TRUENAS_KEY },
  ]);
});
const TRUENAS_KEY = "truenas:nas.home.example";

test("Proxmox' webhook reports the severity, and a successful backup closes the card of a failed one", async () => {
  const settings = KEY_TOOLS.find(({ name }) => name === "proxmox")?.withKey(`${base}/proxmox`, key) ?? [];
  const value = (label: string) => settings.find((one) => one.label === label)?.value ?? "";
  const headers = {
    authorization: value("Header Authorization").replace("{{ secrets.key }}", value("Secret key")),
    "content-type": value("Header Content-Type"),
  };
  for (const path of ["proxmox/vzdump-failed", "proxmox/vzdump-ok", "proxmox/test"]) {
    const body = rendered(value("Body"), path);
    expect((await peal.request(value("URL"), { method: value("Method"), headers, body })).status).toBe(201);
  }
  const dedup_key = "proxmox:pve1:vzdump:backup-3f2a1b0c-9d8e";
  expect(await got("proxmox")).toMatchObject([
    { title: "pve1: backup failed", level: "error", priority: "high", status: "firing", dedup_key },
    { title: "pve1: backup successful", level: "success", priority: "low", status: "resolved", dedup_key },
    { title: "Proxmox test", level: "info" },
  ]);
});

test.each([
  ["uptimekuma", "Post URL", "uptimekuma/http-down", "firing"],
  ["grafana", "URL", "grafana/single-firing", "firing"],
  ["komodo", "URL", "komodo/container-exited", "firing"],
])("what %s posts is recognized without a parameter", async (id, label, path, status) => {
  const settings = KEY_TOOLS.find(({ name }) => name === id)?.withKey(`${base}/${id}`, key) ?? [];
  const url = new URL(settings.find((one) => one.label === label)?.value ?? "");
  expect(url.search).toBe("");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const { origin, pathname } = url;
  await peal.request(origin + pathname, { method: "POST", headers, body: fixture(path) });
  const [message, ...more] = await got(id);
  expect(more).toEqual([]);
  expect(message).toMatchObject({
    status,
    source: `rewrite:${id === "grafana" ? "alertmanager" : id}`,
  });
});

testWith("bash", "curl")("the step of a GitHub workflow tells where to look", async () => {
  const [step = ""] = settingsOf("githubactions", `${base}/actions`);
  const [parsed] = Bun.YAML.parse(step) as [{ if: string; env: object; run: string }];
  expect(parsed).toMatchObject({ if: "failure()", env: { KEY: "${{ secrets.PEAL_KEY }}" } });
  const env = {
    KEY: key,
    GITHUB_WORKFLOW: "build",
    GITHUB_SERVER_URL: "https://git.example",
    GITHUB_REPOSITORY: "a/b",
    GITHUB_RUN_ID: "7",
  };
  expect(await run(shell(parsed.run), env)).toEqual(SILENT);
  expect(await got("actions")).toMatchObject([
    { message: "build failed: https://git.example/a/b/actions/runs/7", level: "error" },
  ]);
});

testWith(
  "systemd-analyze",
  "bash",
  "curl",
)("systemd finds nothing wrong with the unit, and its command publishes", async () => {
  const [env = "", service = "", dropIn = ""] = settingsOf("systemd", `${base}/systemd`);
  expect(env).toBe(`KEY=${key}`);
  expect(dropIn).toBe("[Unit]\nOnFailure=peal@%N.service");
  const unit = await written("peal@backup.service", service);
  await chmod(unit, 0o600);
  expect((await run(["systemd-analyze", "verify", "--man=no", unit])).stderr).not.toContain("peal@backup");
  const [, command = ""] = /^ExecStart=([^]*)$/m.exec(service) ?? [];
  const started = command.replaceAll("%i", "backup").replaceAll("%H", "nas");
  expect(await run(shell(started), { KEY: key })).toEqual(SILENT);
  expect(await got("systemd")).toMatchObject([{ message: "backup failed on nas", level: "error" }]);
});

test("Node-RED's flow is JSON whose function makes a request that publishes", async () => {
  const [text = ""] = settingsOf("nodered", `${base}/node-red`);
  const [message, request] = JSON.parse(text) as [
    { func: string; wires: string[][] },
    { id: string; url: string; method: string },
  ];
  expect(message.wires).toEqual([[request.id]]);
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- as Node-RED runs it
  const run = new Function("msg", message.func) as (msg: { payload: string }) => {
    headers: Record<string, string>;
    payload: object;
  };
  const made = run({ payload: ODD });
  const headers = { ...made.headers, "content-type": "application/json" };
  await peal.request(request.url, { method: request.method, headers, body: JSON.stringify(made.payload) });
  expect(await got("node-red")).toMatchObject([{ message: ODD }]);
});

test("Home Assistant posts with the configured header", async () => {
  const [config = ""] = settingsOf("homeassistant", `${base}/ha`);
  const { notify } = Bun.YAML.parse(config) as {
    notify: [{ resource: string; method: string; headers: Record<string, string> }];
  };
  const [{ resource, method, headers }] = notify;
  expect(method).toBe("POST_JSON");
  const body = JSON.stringify({ message: ODD, title: "Door" });
  await peal.request(resource, { method: "POST", headers: { ...headers, "content-type": "application/json" }, body });
  expect(await got("ha")).toMatchObject([{ message: ODD, title: "Door" }]);
});

testWith("bash", "apprise")("the command of Apprise publishes, with its title", async () => {
  const [command = ""] = settingsOf("apprise", `${base}/by-apprise`);
  expect(await run(shell(command))).toMatchObject({ code: 0 });
  expect(await got("by-apprise")).toMatchObject([{ title: "Backup", message: "Finished" }]);
});

test("the key of Apprise and Komodo is in the address, and read from there", async () => {
  const [apprise = ""] = settingsOf("apprise", `${base}/apprise`);
  const [, address = ""] = /"(json:[^"]+)"$/.exec(apprise) ?? [];
  const { username, password, host, pathname } = new URL(address.replace(/^json/, "http"));
  const fields = { version: "1.0", title: "Backup", message: "Finished", attachments: [], type: "info" };
  await peal.request(`http://${host}${pathname}`, {
    method: "POST",
    headers: { authorization: `Basic ${btoa(`${username}:${password}`)}`, "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
  expect(await got("apprise")).toMatchObject([{ title: "Backup", message: "Finished" }]);
  expect(settingsOf("apprise", "https://peal.example/home/a")[0]).toContain(
    ` "jsons://peal:${key}@peal.example/home/a"`,
  );
});

test.each(["$KEY", "svc_0a1b2c3d…"])(
  "the placeholder for a key in Apprise's address is meant to be replaced: %s",
  (key) => {
    const [command] = KEY_TOOLS.find(({ name }) => name === "apprise")?.withKey(`${base}/apprise`, key) ?? [];
    expect(command?.value).toContain(`://peal:${key}@`);
  },
);

/** What is said about all tools, in their own words and in the pages' words. */
const words = [...KEY_TOOLS, ...HOOK_TOOLS].flatMap(({ place, withKey, withHook }) => [
  place,
  ...[...(withKey?.("", "") ?? []), ...(withHook?.("") ?? [])].map(({ label }) => label),
]);

test("texts about a tool that have no translation are only the tool's own words", () => {
  const own = words.filter((one) => typeof one === "string");
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((one) => /\b(?:an?|above|as|behind|its?|is|of|that|the|then|when)\b/i.test(one))).toEqual([]);
});

test("every sentence about a tool exists in German, and is shown in English where a language has none", () => {
  const ours = words.filter((one) => typeof one !== "string");
  expect(ours.length).toBeGreaterThan(10);
  for (const sentence of ours) {
    expect(areEnglish(sentence, "de")).toBe(false);
    expect(said(sentence, "de")).not.toBe(sentence.en);
    expect([said(sentence, "pl"), areEnglish(sentence, "pl")]).toEqual([sentence.en, true]);
  }
});

test("the body for Synology is JSON with a message", () => {
  const body = settingsOf("synology", `${base}/synology`).find((value) => value.startsWith("{")) ?? "";
  expect(JSON.parse(body)).toMatchObject({
    title: expect.any(String) as string,
    message: expect.any(String) as string,
  });
});

test("every tool that the pages name is covered", () => {
  expect(KEY_TOOLS.map(({ title }) => title)).toEqual([
    ...["Home Assistant", "GitHub Actions", "Apprise", "systemd", "cron", "restic, borgmatic", "smartd"],
    ...[
      "Proxmox VE, Backup Server",
      "Synology",
      "TrueNAS",
      "Node-RED",
      "Uptime Kuma",
      "Alertmanager",
      "Grafana",
      "Komodo",
    ],
  ]);
});
