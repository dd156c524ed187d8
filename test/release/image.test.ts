/** The archive of an image, and what the image says of itself. */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONFIG } from "../../src/build/image/config.ts";
import { layer, ociArchive, type Image } from "../../src/build/image/oci.ts";
import { addresses, BASE } from "../../src/build/image/packages.ts";
import { testWith } from "../support/tools.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-image-"));
const archive = join(folder, "peal-oci.tar");
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const AT = 1_700_000_000;
const hello = (platform: string) =>
  layer(`hello ${platform}`, [{ path: "hello", mode: 0o644, content: Buffer.from(platform) }], AT);
const image = (): Image => ({
  ...{ name: "peal", version: "1.2.3", revision: "abc", at: AT, config: CONFIG },
  platforms: [
    { platform: "amd64", layers: [hello("amd64")] },
    { platform: "arm64", layers: [hello("arm64")] },
  ],
});

/** Runs a program, which has to succeed. Its output. */
function run(...command: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
  expect([exitCode, stderr.toString().replaceAll(/^.*level=info.*\n/gm, "")]).toEqual([0, ""]);
  return stdout.toString();
}

test("the same parts are the same bytes", () => {
  expect(ociArchive(image())).toEqual(ociArchive(image()));
});

testWith("skopeo", "umoci")("skopeo and umoci read both platforms", () => {
  writeFileSync(archive, ociArchive(image()));
  for (const platform of ["amd64", "arm64"]) {
    const override = ["--override-arch", platform];
    const shown = JSON.parse(run("skopeo", "inspect", ...override, `oci-archive:${archive}:1.2.3`)) as object;
    expect(shown).toMatchObject({ Architecture: platform, Created: "2023-11-14T22:13:20Z" });
    run("skopeo", "copy", "--quiet", ...override, `oci-archive:${archive}`, `oci:${platform}:test`);
    run("umoci", "unpack", "--rootless", "--image", `${platform}:test`, `unpacked-${platform}`);
    expect(run("cat", `unpacked-${platform}/rootfs/hello`)).toBe(platform);
  }
});

testWith("skopeo")("Docker's own store finds an image a tag: the plain one is for x64", () => {
  writeFileSync(archive, ociArchive(image()));
  for (const [tag, platform] of [
    ["1.2.3", "amd64"],
    ["1.2.3-arm64", "arm64"],
  ] as const) {
    const config = JSON.parse(run("skopeo", "inspect", "--config", `docker-archive:${archive}:peal:${tag}`)) as object;
    expect(config).toMatchObject({ architecture: platform, config: { User: "1000:1000" } });
  }
});

test("the image starts as the Dockerfile says", async () => {
  const text =
    (await Bun.file("Dockerfile").text())
      .split(/^FROM /m)
      .at(-1)
      ?.replaceAll(/\\\n\s*/g, "") ?? "";
  const said = (word: string) => new RegExp(`^${word} (.*)$`, "m").exec(text)?.[1] ?? "";
  expect(CONFIG.User).toBe(said("USER"));
  expect(Object.keys(CONFIG.Volumes)).toEqual([said("VOLUME")]);
  expect(Object.keys(CONFIG.ExposedPorts)).toEqual([`${said("EXPOSE")}/tcp`]);
  expect(CONFIG.StopSignal).toBe(said("STOPSIGNAL"));
  expect(CONFIG.Entrypoint).toEqual(JSON.parse(said("ENTRYPOINT")) as string[]);
  expect(CONFIG.Cmd).toEqual(JSON.parse(said("CMD")) as string[]);
  expect(CONFIG.Env).toContain(said("ENV"));
  const labels = [...said("LABEL").matchAll(/(\S+?)="([^"]*)"/g)].map(([, key, value]) => [key, value]);
  expect(Object.entries(CONFIG.Labels)).toEqual(labels.map(([key = "", value = ""]) => [key, value]));
  const { Test, Interval, Timeout, StartPeriod } = CONFIG.Healthcheck;
  const [interval, timeout, start] = [Interval, Timeout, StartPeriod].map((ns) => `${ns / 1e9}s`);
  const command = Test.slice(1).map((word) => JSON.stringify(word));
  expect(said("HEALTHCHECK")).toBe(
    `--interval=${interval} --timeout=${timeout} --start-period=${start} CMD [${command.join(", ")}]`,
  );
});

test("every package of the base has its hash, and both platforms have the same ones", () => {
  const [x64, arm64] = [BASE.packages.amd64, BASE.packages.arm64];
  expect(x64.map(({ name }) => name)).toEqual(arm64.map(({ name }) => name));
  for (const { sha256 } of [...x64, ...arm64]) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(addresses("debian-security/pool/a.deb", "20261126T000000Z")).toEqual([
    "http://deb.debian.org/debian-security/pool/a.deb",
    "https://snapshot.debian.org/archive/debian-security/20261126T000000Z/pool/a.deb",
  ]);
});
