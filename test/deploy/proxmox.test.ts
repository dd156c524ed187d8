/** deploy/proxmox-lxc.sh, with Proxmox' commands replaced by ones that note how they are called. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testWith } from "../support/tools.ts";
import { run } from "./files.ts";

const SCRIPT = join(process.cwd(), "deploy/proxmox-lxc.sh");
/** What Proxmox VE 8 prints. */
const PROGRAMS: Record<string, string> = {
  pvesh: "echo 105",
  pct: "",
  pveam: `case $1 in
available) printf 'system          debian-11-standard_11.7-1_amd64.tar.zst\\nsystem          debian-12-standard_12.7-1_amd64.tar.zst\\n' ;;
list) echo 'NAME SIZE'; test ! -f downloaded || echo 'local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst 120.29MB' ;;
download) touch downloaded ;;
esac`,
};

/** Runs the script in a folder with these files; what it called. */
async function onProxmox(files: readonly string[], settings: Record<string, string> = {}, times = 1) {
  const folder = await mkdtemp(join(tmpdir(), "peal-proxmox-"));
  try {
    for (const [name, does] of Object.entries(PROGRAMS))
      await writeFile(join(folder, name), `#!/bin/sh\necho "${name} $*" >>calls\n${does}\n`, { mode: 0o755 });
    for (const file of files) await writeFile(join(folder, file), "x");
    await writeFile(join(folder, "calls"), "");
    const ran = [];
    for (let n = 0; n < times; n++)
      ran.push(await run(["env", "-C", folder, `PATH=${folder}:/usr/bin:/bin`, "sh", SCRIPT], settings));
    return { ran, calls: (await readFile(join(folder, "calls"), "utf8")).trim().split("\n") };
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("makes an unprivileged container, puts program and unit in it, and shows the log with the link", async () => {
  const { ran, calls } = await onProxmox(["peal", "peal.service"]);
  expect(ran).toMatchObject([{ code: 0 }]);
  expect<unknown[]>(calls.filter((call) => call.startsWith("pct"))).toEqual([
    "pct create 105 local:vztmpl/debian-12-standard_12.7-1_amd64.tar.zst --hostname peal --unprivileged 1 --features nesting=1 " +
      "--onboot 1 --cores 1 --memory 512 --swap 0 --rootfs local-lvm:8 --net0 name=eth0,bridge=vmbr0,ip=dhcp,ip6=auto",
    "pct start 105",
    "pct push 105 peal /usr/local/bin/peal --perms 755",
    "pct push 105 peal.service /etc/systemd/system/peal.service --perms 644",
    "pct exec 105 -- systemctl enable --now peal",
    expect.stringContaining("journalctl --unit peal") as unknown,
  ]);
});

test("the template is downloaded once, and what is set is used", async () => {
  const { calls } = await onProxmox(["peal", "peal.service"], { ID: "200", STORAGE: "local-zfs" }, 2);
  expect(calls.filter((call) => call.startsWith("pveam download"))).toHaveLength(1);
  expect(calls.filter((call) => call.startsWith("pct create 200 ") && call.includes("local-zfs:8"))).toHaveLength(2);
});

test("makes nothing where a file is missing, and names it", async () => {
  const { ran, calls } = await onProxmox(["peal"]);
  expect(ran).toMatchObject([{ code: 1, said: expect.stringContaining("no file peal.service") as unknown }]);
  expect(calls.join()).not.toContain("pct");
});

testWith("shellcheck")("shellcheck has nothing to say about it", async () => {
  expect(await run(["shellcheck", SCRIPT])).toEqual({ code: 0, said: "" });
});
