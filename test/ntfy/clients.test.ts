/** Programs and libraries that speak ntfy, as they are installed: only server, topic and token are peal's. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { chmod, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authority } from "../support/push/ca.ts";
import { apiKeySecret } from "../../src/util/ids.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { pythonWith } from "../tools.ts";

const dir = mkdtempSync(join(tmpdir(), "peal-ntfy-clients-"));
const { cert, key: certKey } = authority.issue();
await writeFile(join(dir, "tls.crt"), cert);
await writeFile(join(dir, "tls.key"), certKey);
const tls = { PEAL_TLS: "files", PEAL_TLS_CERT: join(dir, "tls.crt"), PEAL_TLS_KEY: join(dir, "tls.key") };
const peal = await startPeal({ env: { ...tls, PEAL_LISTEN_TLS: "127.0.0.1:0" } });
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});
const { key } = await peal.mint("publish");
const [host, securely] = [new URL(peal.url).host, `127.0.0.1:${/https on (\d+)/.exec(peal.output())?.[1] ?? ""}`];

const TEXT = 'Grüße: "93 %" of / <used> & more\nsecond line ⚠';

/** Runs a program to its end, with an environment of its own. */
async function run(command: readonly string[], env: Record<string, string> = {}) {
  const child = Bun.spawn([...command], {
    cwd: dir,
    env: { PATH: process.env["PATH"] ?? "", HOME: dir, LANG: "C.UTF-8", PYTHONUTF8: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

describe("Apprise", () => {
  const withApprise = testWith("apprise");
  const apprise = async (url: string, args: readonly string[] = [], env = {}) =>
    run(["apprise", "-t", "Backup of nas", "-b", TEXT, ...args, url], env);
  const trusted = { REQUESTS_CA_BUNDLE: authority.file };

  // prettier-ignore
  const rows: [what: string, url: (topic: string) => string, env?: Record<string, string>][] = [
    ["ntfy:// with user and password",  (topic) => `ntfy://phil:${key}@${host}/${topic}`],
    ["ntfy:// with a token",            (topic) => `ntfy://${key}@${host}/${topic}?auth=token`],
    ["ntfy:// with a token alone",      (topic) => `ntfy://${key}@${host}/${topic}`],
    ["ntfys:// with a token",           (topic) => `ntfys://${key}@${securely}/${topic}?auth=token`, trusted],
    ["ntfys:// that verifies nothing",  (topic) => `ntfys://phil:${key}@${securely}/${topic}?verify=no`],
  ];
  withApprise.each(rows)(
    "%s",
    async (what, urlOf, env = {}) => {
      const topic = await peal.topic(what.replaceAll(/\W+/g, "-"));
      expect(await apprise(urlOf(topic.key), [], env)).toMatchObject({ code: 0 });
      expect(await peal.history(topic)).toMatchObject([{ title: "Backup of nas", message: TEXT, priority: "normal" }]);
    },
    30_000,
  );

  withApprise(
    "its settings of ntfy arrive",
    async () => {
      const topic = await peal.topic("apprise-settings");
      const query = new URLSearchParams({
        ...{ priority: "high", tags: "warning,nas", click: "https://nas.lan/", email: "phil@example.com" },
        ...{ actions: "view, Open, https://nas.lan/disks", format: "markdown", image: "no" },
      });
      expect(
        await apprise(`ntfy://phil:${key}@${host}/${topic.key}?${query.toString().replaceAll("+", "%20")}`),
      ).toMatchObject({
        code: 0,
      });
      expect(await peal.history(topic)).toMatchObject([
        {
          ...{ title: "Backup of nas", priority: "high", url: "https://nas.lan/" },
          ...{ actions: [{ label: "Open", url: "https://nas.lan/disks" }], format: "markdown" },
          tags: expect.arrayContaining(["nas", "warning"]) as unknown, // Apprise keeps no order
        },
      ]);
    },
    30_000,
  );

  withApprise(
    "several topics, and a file",
    async () => {
      const [one, other] = [await peal.topic("apprise-one"), await peal.topic("apprise-other")];
      await writeFile(join(dir, "disks.csv"), "sda,93\n");
      const url = `ntfy://phil:${key}@${host}/${one.key}/${other.key}`;
      expect(await apprise(url, ["--attach", join(dir, "disks.csv")])).toMatchObject({ code: 0 });
      for (const topic of [one, other])
        expect(await peal.history(topic)).toMatchObject([
          { title: "Backup of nas", message: TEXT, attachments: [{ name: "disks.csv", size: 7 }] },
        ]);
    },
    30_000,
  );

  withApprise(
    "says why a wrong key is refused",
    async () => {
      const topic = await peal.topic("apprise-wrong");
      const { code, stdout, stderr } = await apprise(`ntfy://phil:${apiKeySecret()}@${host}/${topic.key}`, ["-vv"]);
      expect(code).toBe(1);
      expect(`${stdout}${stderr}`).toContain("error=40101");
      expect(await peal.history(topic)).toEqual([]);
    },
    30_000,
  );
});

describe("shoutrrr", () => {
  const withShoutrrr = testWith("shoutrrr");
  const shoutrrr = async (url: string) => run(["shoutrrr", "send", "-u", url, "-m", "Updated 2 containers"]);
  const query = "scheme=http&title=Watchtower&priority=high&tags=whale,nas&click=https://nas.lan/&cache=no";

  withShoutrrr("ntfy:// at the root", async () => {
    const topic = await peal.topic("shoutrrr-root");
    expect(await shoutrrr(`ntfy://phil:${key}@${host}/${topic.key}?${query}`)).toMatchObject({
      code: 0,
    });
    expect(await peal.history(topic)).toMatchObject([
      {
        title: "Watchtower",
        message: "Updated 2 containers",
        priority: "high",
        tags: ["whale", "nas"],
        url: "https://nas.lan/",
      },
    ]);
  });

  withShoutrrr("ntfy:// by name, without a user", async () => {
    const topic = await peal.topic("shoutrrr-name");
    expect(await shoutrrr(`ntfy://:${key}@${host}/ntfy/home/${topic.name}?${query}`)).toMatchObject({ code: 0 });
    expect(await peal.history(topic)).toMatchObject([{ title: "Watchtower", message: "Updated 2 containers" }]);
  });

  withShoutrrr("generic://, as ntfy's page on Watchtower shows it, with a password and with a header", async () => {
    const topic = await peal.topic("shoutrrr-generic");
    const urls = [
      `generic+http://phil:${key}@${host}/${topic.key}?title=WatchtowerUpdates`,
      `generic+http://${host}/${topic.key}?title=WatchtowerUpdates&@authorization=Bearer+${key}`,
    ];
    for (const url of urls) expect(await shoutrrr(url)).toMatchObject({ code: 0 });
    const update = { title: "WatchtowerUpdates", message: "Updated 2 containers" };
    expect(await peal.history(topic)).toMatchObject([update, update]);
  });

  withShoutrrr("says why a wrong key is refused", async () => {
    const topic = await peal.topic("shoutrrr-wrong");
    const { code, stdout, stderr } = await shoutrrr(`ntfy://phil:${apiKeySecret()}@${host}/${topic.key}?scheme=http`);
    expect(code).not.toBe(0);
    expect(`${stdout}${stderr}`).toContain("(40101)");
  });
});

describe("borgmatic", () => {
  /** A borg that says which it is, and then does what it is told to by its exit code. */
  const borg = async (code: number): Promise<string> => {
    const path = join(dir, `borg-${code}`);
    const script = `#!/bin/sh\ncase "$*" in *--version*) echo borg 1.4.0;; *create*) exit ${code};; esac\n`;
    await writeFile(path, script);
    await chmod(path, 0o755);
    return path;
  };
  const borgmatic = async (code: number, hook: Record<string, unknown>) => {
    const config = join(dir, "borgmatic.yaml");
    const settings = {
      ...{
        source_directories: [dir],
        repositories: [{ path: join(dir, "backups.borg") }],
        local_path: await borg(code),
      },
      ...{
        ntfy: { states: ["start", "finish", "fail"], ...hook },
        verbosity: -1,
        skip_actions: ["check", "prune", "compact"],
      },
    };
    await writeFile(config, JSON.stringify(settings)); // JSON is YAML
    return run(["borgmatic", "--config", config, "create"]);
  };
  const words = { title: "Backup of nas", message: "It ended", priority: "min", tags: "floppy_disk" };

  testWith("borgmatic").each([
    ["", "finish", 0],
    ["", "fail", 2],
    ["/ntfy/home", "finish", 0],
  ] as const)(
    "its hook at %j tells of start and %s",
    async (base, last, code) => {
      const topic = await peal.topic(`borgmatic-${last}${base === "" ? "" : "-name"}`);
      const hook = {
        server: `${peal.url}${base}`,
        topic: base === "" ? topic.key : topic.name,
        access_token: key,
        [last]: words,
      };
      const ended = await borgmatic(code, hook);
      expect(ended.code === 0).toBe(code === 0);
      expect(`${ended.stdout}${ended.stderr}`).not.toContain("ntfy error");
      expect(await peal.history(topic)).toMatchObject([
        { title: "A borgmatic START event happened", message: "A borgmatic START event happened", tags: ["borgmatic"] },
        { title: "Backup of nas", message: "It ended", priority: "low", tags: ["floppy_disk"] },
      ]);
    },
    60_000,
  );

  testWith("borgmatic")(
    "user name and password work as well",
    async () => {
      const topic = await peal.topic("borgmatic-password");
      const hook = { server: peal.url, topic: topic.key, username: "phil", password: key, states: ["finish"] };
      expect(await borgmatic(0, hook)).toMatchObject({ code: 0 });
      expect(await peal.history(topic)).toMatchObject([{ title: "A borgmatic FINISH event happened" }]);
    },
    60_000,
  );
});

describe("aiontfy, the library of Home Assistant's integration", () => {
  testWith("aiontfy").each([
    ["with a user and the key as password", { username: "phil", password: key }],
    ["with the key as token", { token: key }],
  ])(
    "%s: account, publish, update, file, subscribe",
    async (_, credentials) => {
      const topic = await peal.topic(`aiontfy-${Object.keys(credentials).length}`);
      const given = JSON.stringify({ url: peal.url, topic: topic.key, ...credentials });
      const { code, stdout, stderr } = await run([pythonWith("aiontfy") ?? "", "-c", AIONTFY], { GIVEN: given });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(JSON.parse(stdout)).toEqual({
        username: "username" in credentials ? "phil" : (expect.any(String) as unknown),
        token: key,
        published: ["message", topic.key, "Door", "The door is open", 5, ["door"]],
        updated: "door-1",
        file: ["door.jpg", "image/jpeg"],
        deleted: ["message_delete", "door-1"],
        heard: ["open", "message", "message", "message", "message_delete"],
        refused: "NtfyForbiddenAccessError",
      });
      const [first] = await peal.history(topic);
      expect(first).toMatchObject({
        title: "Door",
        message: "The door is open",
        priority: "urgent",
        url: "https://door.lan/",
      });
    },
    30_000,
  );
});

/** What the integration does: set-up (config_flow.py), sending (notify.py), events (coordinator.py). */
const AIONTFY = `
import asyncio, json, os
from aiontfy import Message, Ntfy
from aiontfy.exceptions import NtfyHTTPError

async def main():
    given = json.loads(os.environ["GIVEN"])
    topic = given.pop("topic")
    said = {}
    async with Ntfy(given.pop("url"), **given) as ntfy:
        said["username"] = (await ntfy.account()).username
        said["token"] = (await ntfy.generate_token("Home Assistant")).token
        heard, last = [], asyncio.Event()
        def hear(notification):
            heard.append(str(notification.event))
            if notification.event == "open":
                opened.set()
            if notification.event == "message_delete":
                last.set()
        opened = asyncio.Event()
        reader = asyncio.create_task(ntfy.subscribe([topic], hear))
        await asyncio.wait_for(opened.wait(), 20)
        m = await ntfy.publish(Message(topic=topic, title="Door", message="The door is open", priority=5, tags=["door"], click="https://door.lan/", sequence_id="door-1"))
        said["published"] = [str(m.event), m.topic, m.title, m.message, int(m.priority), m.tags]
        said["updated"] = (await ntfy.publish(Message(topic=topic, message="The door is shut", sequence_id="door-1"))).sequence_id
        f = await ntfy.publish(Message(topic=topic, message="A picture", filename="door.jpg"), bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9"))
        said["file"] = [f.attachment.name, f.attachment.type]
        d = await ntfy.delete(topic, "door-1")
        said["deleted"] = [str(d.event), d.sequence_id]
        await asyncio.wait_for(last.wait(), 20)
        said["heard"] = heard
        reader.cancel()
        try:
            await ntfy.can_subscribe([topic[:-1] + ("a" if topic[-1] != "a" else "b")])
        except NtfyHTTPError as error:
            said["refused"] = type(error).__name__
    print(json.dumps(said))

asyncio.run(main())
`;

test("none of these programs made the server fail, and no log has their key", () => {
  expect(peal.logs()).not.toMatch(/^(?:\S+ )?error /m);
  expect(peal.logs()).not.toContain(key);
});
