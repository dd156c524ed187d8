/** How others run it: the image. */
import { expect, test } from "bun:test";

test("every base image in the Dockerfile is pinned by its digest", async () => {
  const bases = (await Bun.file("Dockerfile").text()).match(/^(?:FROM|# *syntax).*$/gim) ?? [];
  expect(bases.length).toBeGreaterThan(1);
  for (const base of bases) expect(base).toMatch(/^FROM \S+:[\w.-]+@sha256:[0-9a-f]{64}(?: AS \w+)?$/);
});
