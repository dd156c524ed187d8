/** From a dead disk to a phone that rings, by the commands of docs/backup.md. */
import { expect } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { deliveriesOf } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { PIXEL, sent } from "../support/files.ts";
import { authority } from "../support/push/ca.ts";
import { cleanEnv, COMMAND, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { fleet } from "./pushing.ts";

/** The block of shell commands after this heading of the page. */
async function block(heading: string): Promise<string> {
  const page = await Bun.file(join(import.meta.dir, "../../docs/backup.md")).text();
  const [, commands] = /```sh\n([^]*?)```/.exec(page.slice(page.indexOf(`## ${heading}\n`))) ?? [];
  if (commands === undefined) throw new Error(`docs/backup.md has no commands under ${heading}`);
  return commands;
}

testWith("rsync", "bash")("the machine burns down: last night's copy is back, and the phone rings", async () => {
  const root = mkdtempSync(join(tmpdir(), "peal-drill-"));
  const folders = { "/var/lib/peal": "machine", "/mnt/nas/peal": "nas", "/root/peal-copy": "copy" };
  const bin = join(root, "bin");
  for (const folder of [bin, join(root, "machine"), join(root, "nas")]) mkdirSync(folder);
  const program = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program("peal", `exec ${COMMAND.map((word) => `'${word}'`).join(" ")} "$@"`);
  program("systemctl", `echo "$*" >> '${root}/systemctl'`); // the test starts the server itself
  const shell = async (commands: string) => {
    const text = Object.entries(folders).reduce((all, [from, to]) => all.replaceAll(from, join(root, to)), commands);
    const child = Bun.spawn(["bash", "-eu", "-c", text], {
      env: cleanEnv({ PATH: `${bin}:${process.env["PATH"] ?? ""}` }),
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await child.stdout.text();
    expect(await child.exited).toBe(0);
    return said;
  };

  const dataDir = join(root, "machine");
  await using phones = await fleet(1, { dataDir });
  const { peal, apns, topic } = phones;
  const picture = await sent(peal, "/home/nas", PIXEL, { Filename: "door.png" });
  mkdirSync(join(dataDir, "backups"));
  const night = join(dataDir, "backups", "nightly-20260101T032300Z.db"); // as the server makes it (nightly.test.ts)
  expect((await run(["backup", night, "--data-dir", dataDir])).code).toBe(0);
  await shell(await block("Get the copies off the machine"));
  expect(readdirSync(join(root, "nas")).filter((name) => name.startsWith("peal."))).toEqual([]);
  await peal.kill("SIGKILL");
  rmSync(dataDir, { recursive: true });

  const said = await shell(await block("The disk is dead"));
  expect(said).toContain("1 namespace, 1 topic, 1 message, 0 checks, 1 device");
  expect(await Bun.file(join(root, "systemctl")).text()).toBe("start peal\n");
  await using again = await startPeal({
    dataDir,
    env: { PEAL_ADMIN_KEY: peal.adminKey, PEAL_LIMITS_REGISTER: "0", NODE_EXTRA_CA_CERTS: authority.file, ...apns.env },
  });
  expect((await again.request(new URL(picture.attachments?.[0]?.url ?? "").pathname)).status).toBe(200);
  const before = apns.received.length;
  const message = await again.publish(topic, "the machine is back");
  await eventually("the phone to ring", () => apns.received.length > before);
  await eventually("the push to be accepted", async () => {
    const { counts } = await deliveriesOf(again, topic, message?.id ?? 0, "?limit=1");
    return counts["accepted"] === 1;
  });
  rmSync(root, { recursive: true });
});
