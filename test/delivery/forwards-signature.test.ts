/** The manual's ways to check a webhook's signature accept ours, and nothing else (docs/forwards.md). */
import { expect } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { webhook } from "../../src/delivery/forwards/webhook.ts";
import { pageAt } from "../support/page.ts";
import { testWith } from "../support/tools.ts";
import { aForward } from "./pushes.ts";

/** The block of the page in this language that contains a text. */
function block(language: string, part: string): string {
  const blocks = [...pageAt("docs/forwards.md").matchAll(/```(\w+)\n([^]*?)```/g)];
  const found = blocks.find(([, name, text = ""]) => name === language && text.includes(part));
  if (found?.[2] === undefined) throw new Error(`docs/forwards.md has no ${language} with ${part}`);
  return found[2];
}

/** A request that a webhook gets now. */
function sent(secret: string): { headers: Readonly<Record<string, string>>; body: string } {
  if (!("request" in webhook)) throw new Error("a webhook is HTTP");
  const { headers, body = "" } = webhook.request(aForward(), { url: "https://hook.example", secret }, Date.now());
  return { headers, body: String(body) };
}

const run = async (command: readonly string[], cwd: string, env: Record<string, string> = {}) => {
  const child = Bun.spawn([...command], {
    cwd,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return (await new Response(child.stdout).text()).trim();
};

function inFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "peal-signature-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

testWith("python3")("Python's, with both kinds of secret", async () => {
  using folder = inFolder();
  for (const secret of ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "correct horse battery"]) {
    const { headers, body } = sent(secret);
    const ask = `${block("python", "def is_from_peal")}
import json, sys
secret, headers, body = json.loads(open("request.json").read())
print(is_from_peal(secret, headers, body.encode()), is_from_peal(secret, headers, body.encode() + b" "), is_from_peal("another secret", headers, body.encode()))
`;
    writeFileSync(join(folder.path, "check.py"), ask);
    writeFileSync(join(folder.path, "request.json"), JSON.stringify([secret, headers, body]));
    expect(await run(["python3", "check.py"], folder.path)).toBe("True False False");
  }
});

testWith("openssl")("a shell's", async () => {
  using folder = inFolder();
  const secret = "correct horse battery";
  const { headers, body } = sent(secret);
  writeFileSync(join(folder.path, "body.json"), body);
  const env = {
    ...{
      SECRET: secret,
      WEBHOOK_ID: headers["webhook-id"] ?? "",
      WEBHOOK_TIMESTAMP: headers["webhook-timestamp"] ?? "",
    },
  };
  const made = await run(["sh", "-c", block("sh", "openssl dgst")], folder.path, env);
  expect(`v1,${made}`).toBe(headers["webhook-signature"] ?? "");
});
