/** `PEAL_TLS=acme`: the first certificate of an authority, here Pebble (RFC 8555; OPERATIONS.md §7). */
import { expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPatience } from "../../src/tls/acme/patience.ts";
import { createLog } from "../../src/telemetry/log.ts";
import { DAY, HOUR } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { startPebble } from "../support/pebble.ts";
import { testWith } from "../support/tools.ts";
import { certified, folderOf, NAME } from "./authority.ts";
import { fresh } from "./load.ts";

const withPebble = testWith("pebble", "pebble-challtestsrv");

withPebble("HTTP-01: the name is proved on a port of its own, and https answers with the certificate", async () => {
  await using pebble = await startPebble();
  await using own = await certified(pebble);
  const certificate = await own.issued();
  expect(certificate.names).toEqual([NAME]);
  expect(certificate.issuer).toContain("Pebble");
  const { status, serial } = await fresh(`${own.https()}/ready`);
  expect(status).toBe(200);
  expect(serial).toBe(own.serial());
  expect(own.status().problem).toBeUndefined();
  // what is kept is for its owner alone
  expect((await stat(own.folder)).mode & 0o777).toBe(0o700);
  for (const file of ["account.pem", `${NAME}.pem`])
    expect((await stat(join(own.folder, file))).mode & 0o777).toBe(0o600);
});

withPebble("a restart uses the certificate that is kept, also while the authority is away", async () => {
  await using pebble = await startPebble();
  await using own = await certified(pebble);
  await own.issued();
  const before = own.serial();
  await pebble.stop();
  await own.peal.restart();
  expect(own.status().certificate?.names).toEqual([NAME]);
  expect((await fresh(`${own.https()}/ready`)).serial).toBe(before);
  expect(own.status().problem).toBeUndefined();
});

withPebble("HTTP-01 is answered on peal's own http port too", async () => {
  await using pebble = await startPebble();
  const { httpPort } = pebble;
  await using own = await certified(pebble, {
    env: { PEAL_LISTEN: `127.0.0.1:${httpPort}`, PEAL_ACME_LISTEN: "off" },
  });
  expect((await own.issued()).names).toEqual([NAME]);
  expect(own.peal.url).toContain(String(httpPort));
});

withPebble("DNS-01: a program sets the record, and takes it away", async () => {
  await using pebble = await startPebble();
  const folder = await mkdtemp(join(tmpdir(), "peal-dns-"));
  const [program, log] = [join(folder, "dns"), join(folder, "log")];
  await writeFile(
    program,
    `#!/bin/sh
echo "$1 $2 $PEAL_ACME_DNS_TOKEN" >>${log}
[ "$1" = add ] && exec curl -sf -d "{\\"host\\":\\"$2.\\",\\"value\\":\\"$3\\"}" ${pebble.dns}/set-txt
exec curl -sf -d "{\\"host\\":\\"$2.\\"}" ${pebble.dns}/clear-txt
`,
    { mode: 0o755 },
  );
  await using own = await certified(pebble, {
    env: { PEAL_ACME_DNS: `exec:${program}`, PEAL_ACME_DNS_TOKEN: "a-token-of-dns" },
  });
  expect((await own.issued()).names).toEqual([NAME]);
  expect(await readFile(log, "utf8")).toBe(
    `add _acme-challenge.${NAME} a-token-of-dns\nremove _acme-challenge.${NAME} a-token-of-dns\n`,
  );
  await rm(folder, { recursive: true });
});

withPebble("a nonce that is refused is replaced, even if half of them are", async () => {
  await using pebble = await startPebble({ PEBBLE_WFE_NONCEREJECT: "50" });
  await using own = await certified(pebble);
  expect((await own.issued()).names).toEqual([NAME]);
});

withPebble("a name that leads elsewhere: it says why, http goes on, and after an hour operators are told", async () => {
  await using pebble = await startPebble();
  await using own = await certified({ ...pebble, httpPort: 1 });
  const { peal, clock } = own;
  const problem = await own.passing("the trouble", () => {
    const { problem } = own.status();
    return problem?.includes("could not see") === true && problem;
  });
  expect(problem).toContain(`http://${NAME}/.well-known/acme-challenge/`);
  const health = (await (await peal.request("/health")).json()) as { checks: { tls: string }; problems: string[] };
  expect(health.checks.tls).toBe("degraded");
  expect(health.problems).toContain(problem);
  expect((await peal.request("/ready")).status).toBe(200);
  clock.advance(HOUR);
  expect((await own.told("There is no HTTPS certificate")).message).toContain("could not see that the name is yours");
});

withPebble("what is kept and cannot be read is replaced, and prevents no start", async () => {
  await using pebble = await startPebble();
  const dataDir = await mkdtemp(join(tmpdir(), "peal-test-"));
  const folder = folderOf(dataDir, pebble.url);
  await mkdir(folder, { recursive: true });
  for (const file of ["account.pem", `${NAME}.pem`, `${NAME}.wait.json`]) await writeFile(join(folder, file), "{");
  await using own = await certified(pebble, { dataDir });
  expect((await own.issued()).names).toEqual([NAME]);
  await rm(dataDir, { recursive: true });
});

withPebble(
  "a certificate that cannot be used, as something has the port, is used later: no second is asked for",
  async () => {
    await using pebble = await startPebble();
    await using own = await certified(pebble);
    const [address] = own.peal.running.tlsAddresses;
    const other = Bun.serve({ hostname: "127.0.0.1", port: address?.port ?? 0, fetch: () => new Response() });
    await own.passing("the trouble", () => own.status().problem?.includes("PEAL_LISTEN_TLS"));
    const kept = await readFile(join(own.folder, `${NAME}.pem`), "utf8");
    await other.stop(true);
    await own.issued();
    expect(kept).toContain(own.peal.running.deps.tls?.certificate?.pair.cert ?? "nothing");
  },
);

withPebble.each([-24 * HOUR, 24 * HOUR])(
  "a clock that is off by a day (%p ms) does not prevent a certificate",
  async (offMs) => {
    await using pebble = await startPebble();
    await using own = await certified(pebble, { clock: heldClock(Date.now() + offMs) });
    expect((await own.issued()).names).toEqual([NAME]);
    if (offMs < 0) expect(own.status().problem).toContain("clock is probably behind");
    else expect(own.status().problem).toBeUndefined();
  },
);

test("how long the authority is left alone does not grow when the clock is set back, and outlives a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  const clock = heldClock();
  const log = createLog({ level: "error", format: "text" }, clock);
  const patience = createPatience(join(folder, "tls", "wait.json"), { clock, log });
  patience.failed("too many certificates", 2 * HOUR);
  const again = createPatience(join(folder, "tls", "wait.json"), { clock, log });
  expect(again.waiting()).toMatchObject({ reason: "too many certificates", afterMs: 2 * HOUR });
  clock.jump(-30 * DAY);
  for (const one of [patience, again]) expect(one.waiting()).toMatchObject({ afterMs: 2 * HOUR });
  clock.advance(2 * HOUR);
  for (const one of [patience, again]) expect(one.waiting()).toBeUndefined();
  await rm(folder, { recursive: true });
});
