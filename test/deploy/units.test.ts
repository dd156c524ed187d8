/** deploy/peal.service and deploy/peal.container, as systemd and Podman read them. */
import { expect, test } from "bun:test";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFIG } from "../../src/build/image/config.ts";
import { ociArchive } from "../../src/build/image/oci.ts";
import { QUADLET } from "../tools.ts";
import { pageAt } from "../support/page.ts";
import { testWith } from "../support/tools.ts";
import { image, run, textOf } from "./files.ts";

const unit = textOf("peal.service");

/** Does something with a new folder, then deletes it. */
async function inFolder<T>(what: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    return await what(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the manual shows the unit that is installed", () => {
  const [, shown] = /```ini\n([^]*?)```/.exec(pageAt("docs/configuration.md")) ?? [];
  expect(shown).toBe(unit);
});

test("the unit tells systemd when peal is ready and alive, and starts it again unless its configuration is wrong", () => {
  const lines = unit.split("\n");
  for (const line of ["Type=notify", "WatchdogSec=60", "Restart=on-failure", "RestartPreventExitStatus=78"])
    expect(lines).toContain(line);
});

test("the unit gives peal no capability, few system calls and address families, and keeps its files private", () => {
  const lines = unit.split("\n");
  // prettier-ignore
  for (const line of [
    "CapabilityBoundingSet=", "SystemCallFilter=@system-service", "SystemCallFilter=~@privileged @resources",
    "SystemCallErrorNumber=EPERM", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK", "UMask=0077",
  ])
    expect(lines).toContain(line);
  expect(lines).not.toContain("MemoryDenyWriteExecute=yes"); // bun compiles code at run time
});

testWith("systemd-analyze")("systemd finds nothing wrong with the unit, and little that is exposed", async () => {
  await inFolder(async (folder) => {
    const file = join(folder, "peal.service");
    const text = unit.replace("/usr/local/bin/peal", process.execPath); // systemd requires that the file exists
    await writeFile(file, text, { mode: 0o600 });
    expect((await run(["systemd-analyze", "verify", "--man=no", file])).said).not.toContain("peal.service");
    // in tenths: 1.4 of 10
    const { code, said } = await run(["systemd-analyze", "security", "--offline=yes", "--threshold=14", file]);
    expect(said).toContain("Overall exposure level");
    expect(code).toBe(0);
  });
});

const NONE = { platform: "amd64", layers: [] } as const;
const container = new Map(
  textOf("peal.container")
    .split("\n")
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
);

test("Podman's unit has the name that the archive of a release gives to its image", () => {
  const archive = ociArchive({
    name: "peal",
    version: "1.2.3",
    revision: "abc",
    at: 0,
    config: CONFIG,
    platforms: [NONE],
  });
  const [, name = "none"] =
    /"io\.containerd\.image\.name":"([^"]+)"/.exec(Buffer.from(archive).toString("latin1")) ?? [];
  expect(container.get("Image")).toBe(name); // podman takes it from there, before `org.opencontainers.image.ref.name`
});

test("Podman's unit has the port, volume and health check of the image", () => {
  const { test: command, interval, timeout, start_period } = image.health;
  expect(container.get("PublishPort")).toBe(`${image.port}:${image.port}`);
  expect(container.get("Volume")).toBe(`peal:${image.volume}`);
  expect(JSON.parse(container.get("HealthCmd") ?? "")).toEqual(command);
  expect([interval, timeout, start_period]).toEqual(
    ["HealthInterval", "HealthTimeout", "HealthStartPeriod"].map((key) => container.get(key) ?? ""),
  );
});

testWith("quadlet")("Podman makes a service of its unit: a read-only root, no capability", async () => {
  await inFolder(async (folder) => {
    await cp("deploy/peal.container", join(folder, "peal.container"));
    const { code, said } = await run([QUADLET, "-dryrun"], { QUADLET_UNIT_DIRS: folder });
    expect({ code, said }).toMatchObject({ code: 0 });
    const [, command = ""] = /^ExecStart=(.*)$/m.exec(said) ?? [];
    for (const option of ["--read-only", "--cap-drop all", "--security-opt=no-new-privileges", "--publish 7325:7325"])
      expect(command).toContain(option);
  });
});
