/** The one-time code of a server that got its keys in another way (OPERATIONS.md §2). */
import { expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { PASSWORD } from "../support/signin.ts";
import { startPeal, type Peal } from "../support/server.ts";

const claim = async (peal: Peal, code: string): Promise<number> => {
  const body = new URLSearchParams({ code, name: "Mara", password: PASSWORD });
  return (await peal.request("/-/setup", { method: "POST", body, headers: { origin: peal.url } })).status;
};

test("a code from before PEAL_ADMIN_KEY was set no longer works; the operator may request a new one", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "peal-code-"));
  const file = join(dataDir, "setup-code");
  try {
    const unclaimed = await startPeal({ dataDir, unclaimed: true });
    const old = readFileSync(file, "utf8").trim();
    await unclaimed[Symbol.asyncDispose]();

    await using peal = await startPeal({ dataDir });
    expect([peal.output().includes("/-/setup"), existsSync(file)]).toEqual([false, false]);
    expect(await claim(peal, old)).toBe(403);
    const { code } = await answer<{ code: string }>(200, await peal.local("/-/local/setup-code"));
    expect(code).not.toBe(old);
    expect(await claim(peal, old)).toBe(403);
    expect(await claim(peal, code)).toBe(200);
    expect(existsSync(file)).toBe(false);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
