/**
 * A real mail server (test/tools.ts: aiosmtpd) behind a wire, which ends with the test.
 *
 *   await using server = await startMailServer({ security: "starttls", users: { peal: "sesame" } });
 *   server.port, server.mails                                 what it took, as Python's mail parser reads it
 *   server.wire.stop(), …                                     ../push/wire.ts
 *
 * The name before the @ of an address, and some subjects, decide what it refuses: mailserver.py.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../eventually.ts";
import { freePort } from "../proxies.ts";
import { authority, type Certificate } from "../push/ca.ts";
import { type Wire, wireTo } from "../push/wire.ts";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Who had logged in. */
  user: string | null;
  isEncrypted: boolean;
  headers: [string, string][];
  text: string | null;
  html: string | null;
}

export interface MailServer extends AsyncDisposable {
  readonly port: number;
  readonly mails: readonly ReceivedMail[];
  readonly wire: Wire;
}

/** That of Debian, which has aiosmtpd. */
const PYTHON = "/usr/bin/python3";

interface Options {
  security?: "tls" | "starttls" | "none";
  users?: Record<string, string>;
  certificate?: Certificate;
}

export async function startMailServer({
  security = "starttls",
  users,
  certificate = authority.issue(),
}: Options = {}): Promise<MailServer> {
  const folder = await mkdtemp(join(tmpdir(), "peal-mail-"));
  const [cert, key, port] = [join(folder, "cert.pem"), join(folder, "key.pem"), await freePort()];
  await Promise.all([writeFile(cert, certificate.cert), writeFile(key, certificate.key)]);
  const settings = JSON.stringify({ port, security, cert, key, users: users ?? null });
  const child = Bun.spawn([PYTHON, join(import.meta.dir, "mailserver.py"), settings], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const mails: ReceivedMail[] = [];
  const state = { isReady: false };
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${chunk}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const told = JSON.parse(line) as ReceivedMail | "ready";
        if (told === "ready") state.isReady = true;
        else mails.push(told);
      }
    }
  })();
  const end = async () => {
    child.kill();
    await Promise.all([child.exited, reading]);
    await rm(folder, { recursive: true });
  };
  try {
    await eventually("the mail server", () => state.isReady || child.exitCode !== null);
    if (!state.isReady) throw new Error("the mail server did not start");
  } catch (error) {
    await end();
    throw error;
  }
  const wire = await wireTo(port);
  return {
    ...{ port: wire.port, mails, wire },
    [Symbol.asyncDispose]: async () => {
      await wire.stop();
      await end();
    },
  };
}
