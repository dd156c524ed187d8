/** `peal admin`: people and sessions from the terminal, also for someone who has lost the password (WEB.md §2). */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { typed } from "../../src/cli/password.ts";
import { peal as run } from "../support/command.ts";
import { pageAt } from "../support/page.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { login, PASSWORD, person } from "../support/signin.ts";
import { atTerminal } from "../support/terminal.ts";
import { testWith } from "../support/tools.ts";

const admin = async ({ dataDir }: Peal, args: string[], input?: string) =>
  run(["admin", ...args], { PEAL_DATA_DIR: dataDir }, "/", input);

test.each(["through the running server", "without a server"])(
  "%s the first admin is made on an unclaimed server, whose set-up code then stops working; a lost password is replaced",
  async (how) => {
    await using peal = await startPeal({ unclaimed: true });
    const offline = async <T>(work: () => Promise<T>): Promise<T> => {
      const isOffline = how === "without a server";
      if (isOffline) await peal.kill("SIGTERM");
      const done = await work();
      if (isOffline) await peal.start();
      return done;
    };
    const made = await offline(async () => admin(peal, ["create", "Mara"], `${PASSWORD}\n`));
    expect(made).toEqual({ code: 0, stdout: "created Mara\n", stderr: "" });
    const signedIn = await login(peal);
    expect(signedIn.status).toBe(303);
    expect(existsSync(join(peal.dataDir, "setup-code"))).toBe(false);
    expect((await run(["setup-code"], { PEAL_DATA_DIR: peal.dataDir })).stderr).toContain(
      "Someone has already claimed",
    );
    expect((await run(["namespaces", "list"], { PEAL_DATA_DIR: peal.dataDir })).stdout).toContain("home");

    const cookie = signedIn.headers.get("set-cookie") ?? "";
    const done = await offline(async () => admin(peal, ["password", "MARA"], "another long password\r\n"));
    expect(done).toMatchObject({ code: 0, stdout: "Mara has a new password and is signed out everywhere\n" });
    expect((await login(peal)).status).toBe(422);
    expect((await login(peal, { password: "another long password" })).status).toBe(303);
    expect((await peal.request("/-/confirm", { headers: { cookie } })).status).toBe(303);
  },
);

test("docs/sign-in.md: someone who signs in only through a proxy sees what the command says, and is not an admin", async () => {
  await using peal = await startPeal();
  for (const name of ["media", "home"]) await run(["namespaces", "create", name], { PEAL_DATA_DIR: peal.dataDir });
  await admin(peal, ["create", "jonas"], PASSWORD);
  const [, words = ""] = /`peal admin (create mara [^`]*--no-password)`/.exec(pageAt("docs/sign-in.md")) ?? [];
  expect(await admin(peal, words.split(" "))).toEqual({ code: 0, stdout: "created mara\n", stderr: "" });
  expect(JSON.parse((await admin(peal, ["list", "--json"])).stdout)).toMatchObject([
    { name: "jonas", admin: true },
    { name: "mara", admin: false, namespaces: ["home", "media"], has_password: false },
  ]);
});

test("people are listed, changed and removed; mistakes are reported in terms of the command line", async () => {
  await using peal = await startPeal();
  await admin(peal, ["create", "mara"], PASSWORD);
  await admin(peal, ["create", "jonas", "--namespaces", "home", "--no-password"]);
  const rows = async () =>
    (await admin(peal, ["list"])).stdout.split("\n").map((line) => line.split(/ {2,}/).slice(0, 3));
  expect(await rows()).toEqual([
    ["NAME", "SEES", "SIGNS IN BY"],
    ["jonas", "home", "proxy"],
    ["mara", "admin", "password"],
    [""],
  ]);
  expect((await admin(peal, ["update", "jonas", "--name", "Jo", "--namespaces", "all"])).stdout).toBe("updated Jo\n");
  expect((await rows())[1]).toEqual(["Jo", "all", "proxy"]);
  await person(peal, { name: "Eva", namespaces: [] });
  expect((await rows())[1]).toEqual(["Eva", "none", "password"]);
  // prettier-ignore
  const refused: [args: string[], input: string | undefined, code: number, told: string][] = [
    [["create", "x"],                                "short",  1,  "the password: must have 12 characters or more"],
    [["create", "MARA"],                             PASSWORD, 1,  "Someone is already called `MARA`"],
    [["create", "x", "--namespaces", "nowhere"],     PASSWORD, 1,  "--namespaces: unknown namespace `nowhere`"],
    [["update", "mara", "--namespaces", "home"],     undefined, 1, "Make someone else an admin first"],
    [["remove", "mara"],                             undefined, 1, "Make someone else an admin first"],
    [["remove", "eve"],                              undefined, 1, "nobody is called eve"],
    [["update", "Jo", "--admin", "--namespaces", "home"], undefined, 64, "can't be combined"],
    [["create", "x", PASSWORD],                      undefined, 64, "unexpected argument"],
  ];
  for (const [args, input, code, told] of refused) {
    const ran = await admin(peal, args, input);
    expect([args, ran.code, ran.stderr.includes(told) || ran.stderr]).toEqual([args, code, true]);
  }
  expect((await admin(peal, ["update", "Jo", "--admin"])).code).toBe(0);
  expect((await admin(peal, ["password", "mara", "--remove"])).stdout).toBe(
    "mara has no password and is signed out everywhere: PEAL_AUTH_HEADER is not set, so they can't sign in\n",
  );
  const byProxy = { PEAL_DATA_DIR: peal.dataDir, PEAL_AUTH_HEADER: "Remote-User" };
  expect((await run(["admin", "password", "mara", "--remove"], byProxy)).stdout).toContain(
    ": they sign in only through the proxy of",
  );
  expect([(await login(peal)).status, (await rows()).find(([name]) => name === "mara")]).toEqual([
    422,
    ["mara", "admin", "proxy"],
  ]);
  expect((await admin(peal, ["remove", "mara"])).stdout).toBe("removed mara\n");
  expect((await rows()).flat()).not.toContain("mara");
  expect(peal.logs()).not.toContain(PASSWORD);
});

test("while a key works and there is no admin, the start says how to make one; an admin's sessions are listed and ended", async () => {
  await using peal = await startPeal();
  expect(peal.output()).toContain("peal admin create NAME");
  await admin(peal, ["create", "mara"], PASSWORD);
  const before = peal.output().length;
  await peal.kill("SIGTERM");
  await peal.start();
  expect(peal.output().slice(before)).not.toContain("peal admin create");

  await login(peal);
  await login(peal);
  const list = async () => JSON.parse((await admin(peal, ["sessions", "mara", "--json"])).stdout) as { id: string }[];
  const [first, second] = await list();
  expect((await admin(peal, ["sessions", "mara", "--end", first?.id ?? ""])).code).toBe(0);
  expect(await list()).toMatchObject([{ id: second?.id, address: "127.0.0.1" }]);
  expect((await admin(peal, ["sessions", "mara", "--end", first?.id ?? ""])).stderr).toContain("Unknown session");
  await admin(peal, ["sessions", "mara", "--end", "all"]);
  expect(await list()).toEqual([]);
});

// prettier-ignore
test.each([
  ["a letter taken back, one of four bytes too", "", "ab🎉\x7f\x7fc\r",        { text: "ac", isWhole: true, rest: "" }],
  ["all taken back",                             "abc", "d\x15e",              { text: "e", isWhole: false, rest: "" }],
  ["arrows, Alt and other controls",             "", "a\x1b[D\x1bOP\x1b[1;5Cb\x1bfc\x17\t", { text: "abc", isWhole: false, rest: "" }],
  ["the marks of what is pasted",                "", "\x1b[200~pass word\x1b[201~\r", { text: "pass word", isWhole: true, rest: "" }],
  ["what is typed ahead",                        "a", "b\rcd\r",               { text: "ab", isWhole: true, rest: "cd\r" }],
  ["the end of the input",                       "ab", "\x04",                 { text: "ab", isWhole: true, rest: "" }],
])("keys that are not letters type nothing: %s", (_, before, keys, line) => {
  expect(typed(before, keys)).toEqual(line);
});

testWith("python3")("at a terminal the password is asked for twice, and never shown", async () => {
  await using peal = await startPeal();
  const typed = async (...lines: string[]) =>
    atTerminal(["admin", "create", "mara"], { PEAL_DATA_DIR: peal.dataDir }, lines);
  const differ = await typed(PASSWORD, `${PASSWORD}!`);
  expect(differ.code).toBe(1);
  expect(differ.screen).toContain("the passwords don't match; nothing was changed");
  const stopped = await typed("\x03");
  expect(stopped.code).toBe(1);
  expect(stopped.screen).toMatch(/^Password for mara: \r\n.*interrupted; nothing was changed/);
  // one key too many, deleted again
  const made = await typed(`not this\x15${PASSWORD}x\x7f`, PASSWORD);
  expect(made).toEqual({ screen: "Password for mara: \r\nOnce more: \r\ncreated mara\r\n", code: 0 });
  expect((await login(peal)).status).toBe(303);
});
