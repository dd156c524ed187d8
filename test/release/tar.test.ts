/** The archives of the image, read again by tar itself. */
import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tar, type Entry } from "../../src/build/image/tar.ts";
import { examples } from "../support/rounds.ts";

const folder = mkdtempSync(join(tmpdir(), "peal-tar-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** The lines of `tar --list --verbose`, in UTC. */
function listed(archive: Uint8Array): string[] {
  const file = join(folder, "a.tar");
  writeFileSync(file, archive);
  const { stdout, stderr } = Bun.spawnSync(["tar", "--list", "--verbose", "--numeric-owner", "--file", file], {
    env: { ...process.env, TZ: "UTC", LC_ALL: "C.UTF-8" },
  });
  expect(stderr.toString()).toBe("");
  return stdout.toString().trimEnd().split("\n");
}

test("modes, owners, times, links and folders are as given, sorted by name", () => {
  const entries: Entry[] = [
    { path: "peal", mode: 0o755, content: Buffer.from("12345") },
    { path: "data", mode: 0o755, owner: 1000, content: "folder" },
    { path: "etc/os-release", mode: 0o777, content: { linkTo: "../usr/lib/os-release" } },
    { path: "tmp", mode: 0o1777, content: "folder" },
  ];
  const lines = listed(tar(entries, 1_700_000_000)).map((line) => line.replace(/ +/g, " "));
  expect(lines).toEqual([
    "drwxr-xr-x 1000/1000 0 2023-11-14 22:13 data/",
    "lrwxrwxrwx 0/0 0 2023-11-14 22:13 etc/os-release -> ../usr/lib/os-release",
    "-rwxr-xr-x 0/0 5 2023-11-14 22:13 peal",
    "drwxrwxrwt 0/0 0 2023-11-14 22:13 tmp/",
  ]);
  expect(tar(entries.toReversed(), 1_700_000_000)).toEqual(tar(entries, 1_700_000_000));
});

test("any path and content comes back", () => {
  const part = fc.stringMatching(/^[a-z0-9][a-zA-Z0-9_.ü-]{0,59}$/);
  const file = fc.record({
    path: fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/")),
    bytes: fc.uint8Array({ maxLength: 1500 }),
  });
  fc.assert(
    fc.property(fc.uniqueArray(file, { maxLength: 8, selector: ({ path }) => path }), (files) => {
      const entries = files.map(({ path, bytes }): Entry => ({ path, mode: 0o644, content: bytes }));
      const names = listed(tar(entries, 0))
        .filter((line) => line !== "")
        .map((line) => line.slice(line.indexOf("00:00") + 6));
      const bytewise = files.map(({ path }) => path).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(names).toEqual(bytewise);
      for (const { path, bytes } of files) {
        const read = Bun.spawnSync(["tar", "--extract", "--to-stdout", "--file", join(folder, "a.tar"), path]);
        expect(new Uint8Array(read.stdout)).toEqual(bytes);
      }
    }),
    { numRuns: examples(50) },
  );
});

describe("what ustar cannot hold is refused", () => {
  test.each([
    ["a name over 100 bytes", { path: "a".repeat(101), mode: 0, content: "folder" as const }],
    [
      "a path that no slash cuts in two",
      { path: `${"a".repeat(160)}/${"b".repeat(90)}`, mode: 0, content: Buffer.of() },
    ],
    ["a link over 100 bytes", { path: "a", mode: 0, content: { linkTo: "a".repeat(101) } }],
  ])("%s", (_, entry: Entry) => {
    expect(() => tar([entry], 0)).toThrow(RangeError);
  });
});
