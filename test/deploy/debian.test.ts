/**
 * The way of docs/install.md for systemd, docs/first-steps.md and docs/upgrade.md, on a Debian where nothing else is installed: from the
 * files of a release to a message over https, by what the pages say and nothing else. Their commands are pasted as they stand; only the
 * address of the release is another one.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeExtras } from "../../src/build/release/extras.ts";
import { writeSums } from "../../src/build/release/sums.ts";
import { debianIfPossible, type Debian } from "../support/debian.ts";
import { eventually } from "../support/eventually.ts";
import { blocksOf, fencesOf, forOneShell, pageAt, pattern, printedBy } from "../support/page.ts";
import { authority } from "../support/push/ca.ts";
import { COMMAND } from "../support/server.ts";
import { startSystemd, type Systemd } from "../support/systemd.ts";
import { areHere } from "../support/tools.ts";

const INSTALL = pageAt("docs/install.md");
const STEPS = pageAt("docs/first-steps.md");
const runHere = (page: string) => fencesOf(page).filter(({ mark }) => mark === "run by test/deploy/debian.test.ts");
/** The commands for systemd, in order. */
const [download, install, https, upgrade] = [...runHere(INSTALL), ...runHere(pageAt("docs/upgrade.md"))].map(
  ({ text }) => text,
);
const shown = /```text\n([^]*?)```/.exec(INSTALL.slice(INSTALL.indexOf(download ?? "")))?.[1] ?? "";
const [, address = ""] = /^RELEASE=(.*)$/m.exec(download ?? "") ?? [];
const [, base = ""] = /base_url = "(.*)"/.exec(https ?? "") ?? [];
/** How `peal` is called there. */
const [, alias = ""] = /With systemd it's `(alias peal=[^`]+)`/.exec(STEPS) ?? [];
const PASSWORD = "a sentence of some words";
/** Commands as the page has them to be changed for this machine. */
const forProcessor = (text = ""): string => text.replaceAll("peal-linux-x64", `peal-linux-${process.arch}`);

const folder = await mkdtemp(join(tmpdir(), "peal-release-"));
/** `bun test` alone has no binary. */
const isBinary = COMMAND.length === 1;
const mayBe = isBinary && areHere("mmdebstrap", "bwrap", "root", "mount", "python3");
const debian = await (mayBe ? debianIfPossible([new URL(base).hostname]) : undefined);

const onDebian = (machine: Debian) => () => {
  const parts: AsyncDisposable[] = [machine];
  let systemd: Systemd;
  /** Runs it as a person does, and expects that nothing fails. */
  async function pasted(script: string): Promise<string> {
    const { code, stdout, stderr } = await machine.run(script);
    expect({ code, stderr: code === 0 ? "" : stderr, stdout }).toEqual({ code: 0, stderr: "", stdout });
    return stdout;
  }

  beforeAll(async () => {
    const program = `peal-linux-${process.arch}`;
    await copyFile(COMMAND[0] ?? "", join(folder, program));
    await writeSums(folder, [program, ...(await writeExtras(folder, COMMAND, 0))]);
    const server = Bun.spawn(
      [...machine.inNetwork, "python3", "-m", "http.server", "--bind", "127.0.0.1", "--directory", folder, "8000"],
      { stdio: ["ignore", "ignore", "ignore"] },
    );
    parts.push({
      [Symbol.asyncDispose]: async () => {
        server.kill();
        await server.exited;
      },
    });
    await eventually("the release page", async () => (await machine.run("curl -fs http://127.0.0.1:8000/")).code === 0);
    systemd = await startSystemd(machine, "peal");
    parts.push(systemd);
    // the owner's certificate, of an authority that the owner's machines trust
    const { cert, key } = authority.issue([new URL(base).hostname]);
    await writeFile(join(machine.root, "root/fullchain.pem"), cert);
    await writeFile(join(machine.root, "root/privkey.pem"), key, { mode: 0o600 });
    await writeFile(join(machine.root, "usr/local/share/ca-certificates/owner.crt"), authority.cert);
    await pasted("update-ca-certificates");
  }, 60_000);
  afterAll(async () => {
    for (const part of parts.toReversed()) await part[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  test("the files are downloaded, and their sums are checked", async () => {
    expect(address).toStartWith("https://");
    const printed = await pasted(forProcessor(download).replace(address, "http://127.0.0.1:8000"));
    expect(printed.trimEnd()).toMatch(pattern(forProcessor(shown)));
    await pasted("cp peal.service kept; echo >>peal.service");
    const { code, stdout } = await machine.run("sha256sum --check --ignore-missing SHA256SUMS");
    expect(stdout).toContain("peal.service: FAILED");
    expect(code).toBe(1);
    await pasted("mv kept peal.service");
  });

  test("the service is installed and started, and the log has the link", async () => {
    const log = await pasted(forProcessor(install));
    expect(log).toContain("Set up peal (one time), in a browser");
    expect(log).toMatch(/http:\/\/localhost:7325\/-\/setup#\S+/);
    expect(await readlink(join(machine.root, "etc/systemd/system/multi-user.target.wants/peal.service"))).toEndWith(
      "/etc/systemd/system/peal.service",
    );
    expect(systemd.notified.heard()).toContainEqual([["READY=1", "STATUS=Listening on port 7325"], 200]);
  });

  test("systemd finds nothing wrong with the unit", async () => {
    const verify = async (unit: string) => machine.run(`systemd-analyze verify --man=no /etc/systemd/system/${unit}`);
    expect(await verify("peal.service")).toEqual({ code: 0, stdout: "", stderr: "" });
    await pasted(
      "sed s/^WatchdogSec=/WatchdogMin=/ /etc/systemd/system/peal.service >/etc/systemd/system/wrong.service",
    );
    expect((await verify("wrong.service")).stderr).toContain("WatchdogMin");
  });

  test("it serves https with the owner's certificate, which it reads as nobody else", async () => {
    expect(await pasted(https ?? "")).toContain('"status":"ok"');
    expect(await pasted("stat --format=%a /etc/peal/privkey.pem")).toBe("640\n");
    const troubles = systemd.journal().match(/^\S+ (?:warn|error) .*$/gm) ?? [];
    // a container may not raise the limit that the unit asks for
    expect(troubles.filter((line) => !line.includes("the limit on open files"))).toEqual([]);
  });

  test("whoever opens the link claims it, over https", async () => {
    const [link = ""] = systemd.journal().match(new RegExp(`${base}/-/setup#\\S+`)) ?? [];
    const { origin, pathname, hash } = new URL(link);
    expect(await pasted(`curl -fsS ${origin}${pathname}`)).toContain("<input");
    const fields = Object.entries({ code: hash.slice(1), name: "mara", password: PASSWORD });
    const form = fields.map(([name, value]) => `--data-urlencode '${name}=${value}'`).join(" ");
    const claimed = await pasted(`curl -fsS -c jar -H 'Sec-Fetch-Site: same-origin' ${form} ${origin}${pathname}`);
    expect(claimed).toMatch(/svc_[0-9a-f]{64}/);
    expect(await pasted(`curl -fsS -b jar -o /dev/null -w '%{http_code}' ${origin}/-/`)).toBe("200");
    const { code } = await machine.run(`curl -fsS -H 'Sec-Fetch-Site: same-origin' ${form} ${origin}${pathname}`);
    expect(code).not.toBe(0); // the code works once
  });

  test("the first steps work as they stand, and the message can be read over https, after an upgrade too", async () => {
    const blocks = blocksOf(STEPS);
    expect(alias).toContain("sudo");
    const printed = printedBy(await pasted(`${alias}\n${forOneShell(blocks.map(({ commands }) => commands))}`));
    for (const [n, { commands, shown: expected = "" }] of blocks.entries())
      expect(printed[n], commands).toMatch(pattern(expected.replaceAll("http://localhost:7325", base)));
    const [, topic = ""] = /"topic_url":"([^"]+)"/.exec(printed[0] ?? "") ?? [];
    expect(topic).toStartWith(`${base}/home/nas/`);
    expect(await pasted(`curl -fsS ${topic}`)).toContain("It works");
    await pasted(forProcessor(upgrade));
    expect(await pasted(`curl -fsS ${topic}`)).toContain("It works");
  });

  test("it is healthy, as the page asks it", async () => {
    const [, command = ""] = /with systemd,\s+`(sudo [^`]+ health)`/.exec(INSTALL) ?? [];
    expect(await pasted(command)).toBe("ok\n");
  });

  test("it says that it stops when systemd ends it, and ends well", async () => {
    expect(await systemd.stop()).toBe(0);
    // once at each restart too
    await eventually("STOPPING", () => systemd.notified.count("STOPPING=1") === systemd.notified.count("READY=1"));
    expect(systemd.notified.count("READY=1")).toBe(3);
  });
};

if (debian !== undefined) describe("on a clean Debian", onDebian(debian));
