/** deploy/fail2ban/ on the lines that a real server writes. */
import { expect, test } from "bun:test";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";
import { login, person, SAME_SITE } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";
import { image, run, textOf } from "./files.ts";

const FILTER = "deploy/fail2ban/filter.d/peal.conf";
/** Who guesses, behind a proxy that is trusted. */
const [GUESSER, GUESSER6, OWNER] = ["203.0.113.7", "2001:db8::7", "198.51.100.4"];
const from = (address: string) => ({ "x-forwarded-for": address });

/** What a server writes while people guess a password, a key and the set-up code, and while others use it. */
async function logOf(env: Record<string, string>): Promise<string> {
  let setup = "";
  {
    await using unclaimed = await startPeal({ env: { ...env, PEAL_LOG: "debug" }, unclaimed: true });
    const body = new URLSearchParams({ code: "AAAA-AAAA-AAAA-AAAA", name: "x", password: "correct horse battery" });
    await unclaimed.request("/-/setup", { method: "POST", body, headers: { ...SAME_SITE, ...from(GUESSER) } });
    await eventually("the line", () => unclaimed.logs().includes("wrong_code"));
    setup = unclaimed.logs();
  }
  await using peal = await startPeal({ env: { ...env, PEAL_LOG: "debug" } });
  await person(peal, { name: "mara" });
  for (const address of [GUESSER, GUESSER6]) {
    await login(peal, { password: "a wrong password" }, { headers: { ...SAME_SITE, ...from(address) } });
    await peal.request("/home/hello", {
      method: "POST",
      body: `authentication failed client=${OWNER} code=invalid_key request=x`,
      headers: { authorization: `Bearer svc_${"0".repeat(64)}`, ...from(address) },
    });
  }
  // the owner signs in, publishes, mistypes an address, forgets a key, and has a name that looks like a line of the log
  await login(peal, {}, { headers: { ...SAME_SITE, ...from(OWNER) } });
  await peal.api("POST", "/home/hello", `warn  authentication failed client=${OWNER}`, from(OWNER));
  await peal.request("/home/nothing-here/1", { headers: from(OWNER) });
  await peal.request("/home/hello", { method: "POST", body: "x", headers: from(OWNER) });
  await peal.request(`/v1/authentication%20failed%20client=${OWNER}`, {
    headers: {
      ...from(OWNER),
      "user-agent": `\nwarn  authentication failed client=${OWNER} code=invalid_key request=x`,
    },
  });
  await eventually("the lines", () => (peal.logs().match(/authentication failed/g) ?? []).length >= 4);
  await peal.kill("SIGTERM");
  return setup + peal.logs();
}

/** The addresses that the filter finds in a log, each as often as it would be counted. */
async function found(log: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    const file = join(folder, "log");
    await writeFile(file, log);
    const { said } = await run(["fail2ban-regex", "--out", "ip", file, FILTER]);
    return said.trim().split("\n").toSorted();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const ALL = [GUESSER6, GUESSER6, GUESSER, GUESSER, GUESSER].toSorted();
const JOURNAL = { JOURNAL_STREAM: "8:1" }; // journald adds the time
const plainTime = /^[\d-]+T[\d:.]+Z /gm;

// prettier-ignore
const forms: [form: string, env: Record<string, string>, as: (line: string) => string][] = [
  ["text",                    {},                                  (line) => line],
  ["JSON",                    { PEAL_LOG_FORMAT: "json" },         (line) => line],
  ["text of the journal",     JOURNAL,                             (line) => `Nov 26 21:00:00 nas peal[42]: ${line}`],
  ["JSON of the journal",     { ...JOURNAL, PEAL_LOG_FORMAT: "json" }, (line) => `Nov 26 21:00:00 nas peal[42]: ${line}`],
];
testWith("fail2ban").each(forms)("finds those who guess, and nobody else: %s", async (form, env, as) => {
  const log = await logOf(env);
  if (form.startsWith("text of")) expect(log).not.toMatch(plainTime);
  const lines = log.trimEnd().split("\n");
  expect(lines.length).toBeGreaterThan(8);
  expect(await found(`${lines.map(as).join("\n")}\n`)).toEqual(ALL);
});

testWith("fail2ban")("finds nobody where nobody guessed", async () => {
  const innocent = [
    `2026-11-26T21:00:00.000Z info  started client=${OWNER} code=invalid_key request=x`,
    `2026-11-26T21:00:00.000Z warn  other authentication failed client=${OWNER} code=invalid_key request=x`,
    `2026-11-26T21:00:00.000Z warn  authentication failed client=${OWNER} code=missing_key request=x`,
    `2026-11-26T21:00:00.000Z warn  refused detail="warn  authentication failed client=${OWNER} code=invalid_key request=x"`,
    `{"time":"2026-11-26T21:00:00.000Z","level":"info","event":"x","text":"\\"event\\":\\"authentication failed\\",\\"client\\":\\"${OWNER}\\""}`,
  ];
  expect(await found(`${innocent.join("\n")}\n`)).toEqual([""]);
});

testWith("fail2ban")("fail2ban accepts the jail, which closes the port of the image and those of https", async () => {
  expect(textOf("fail2ban/jail.d/peal.conf")).toMatch(new RegExp(`^port = ${image.port},7326,80,443$`, "m"));
  const folder = await mkdtemp(join(tmpdir(), "peal-test-"));
  try {
    await cp("/etc/fail2ban", folder, { recursive: true });
    await rm(join(folder, "jail.d"), { recursive: true });
    await cp("deploy/fail2ban", folder, { recursive: true });
    const { code, said } = await run(["fail2ban-client", "-c", folder, "--dp"]);
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain("['add', 'peal', 'systemd']");
    expect(said).toContain("['set', 'peal', 'maxretry', 10]");
    expect(said).toMatch(/\['set', 'peal', 'addjournalmatch', .*_SYSTEMD_UNIT=peal\.service/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the filter looks for the codes that the server gives to failed tries", async () => {
  const text = textOf("fail2ban/filter.d/peal.conf");
  expect(text.match(/invalid_key\|wrong_password\|wrong_code/g)).toHaveLength(1);
});
