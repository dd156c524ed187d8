/** Runs what ntfy's documentation shows, by the programs that it is shown for, against a peal. */
import { mkdtempSync, readFileSync } from "node:fs";
import { chmod, copyFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExampleRequest, Language } from "../../src/build/examples.ts";
import { PAYLOADS } from "../rewrites/fixtures.ts";
import { converse, isWhole } from "../support/raw.ts";
import { pythonWith } from "../tools.ts";

/** Where a client is pointed to: all that a user changes. */
export interface Target {
  /** The server's address: peal's, or that of a namespace. */
  server: string;
  /** What stands for `mytopic`. */
  topic: string;
  /** What stands for `othertopic`. */
  other: string;
  key: string;
}

/** The smallest JPEG there is: 125 bytes, one grey pixel. */
const JPEG = Buffer.from(
  "ffd8ffdb004300030202020202030202020303030304060404040404080606050609080a0a090809090a0c0f0c0a0b0e0b09090d110d0e0f101011100a0c12131210130f101010ffc9000b080001000101011100ffcc000600101005ffda0008010100003f00d2cf20ffd9",
  "hex",
);

/** A folder with the files that examples name. */
const FOLDER = mkdtempSync(join(tmpdir(), "peal-from-ntfy-"));
await writeFile(join(FOLDER, "flower.jpg"), JPEG);
await writeFile(join(FOLDER, "README.md"), "# A page\n");
await writeFile(join(FOLDER, "script.sh"), '#!/bin/sh\necho "The script got: $message"\n');
await chmod(join(FOLDER, "script.sh"), 0o755);
await copyFile(join(PAYLOADS, "grafana/single-firing.json"), join(FOLDER, "grafana.json"));
await copyFile(join(PAYLOADS, "github/star.json"), join(FOLDER, "github.json"));

const fileOf = (name: string): Uint8Array => readFileSync(join(FOLDER, name));

/** An example for this server and topic. */
const here = (text: string, { server, topic, other }: Target): string =>
  text
    .replaceAll(/(?:https:\/\/)?ntfy\.sh/g, server)
    .replaceAll("mytopic", topic)
    .replaceAll("othertopic", other);

/** Whether an example says by itself who sends it. */
const hasCredentials = (args: string): boolean => /\$KEY/.test(args);

/** The command line of an example; `-f`: a refusal is a failure, as in most scripts. */
export function commandOf(program: "curl" | "ntfy" | "shell", args: string, target: Target): string {
  const typed = here(args, target);
  if (program === "shell") return typed.replace("curl ", `curl -H "Authorization: Bearer $KEY" `);
  // this of its commands looks for the file in one place alone, which is the machine's if it is root
  if (program === "ntfy") return `ntfy ${typed.replace(/^(sub(?:scribe)?) /, '$1 --config "$NTFY_CONFIG" ')}`;
  return `curl -fsSN ${hasCredentials(args) ? "" : '-H "Authorization: Bearer $KEY" '}${typed}`;
}

/**
 * Of a shell that runs examples. ntfy's command reads its server, its token and what it subscribes to from a file. `id`: of an
 * earlier message.
 */
export async function environmentOf({ server, key, topic }: Target, id = ""): Promise<Record<string, string>> {
  const config = join(mkdtempSync(join(tmpdir(), "peal-ntfy-client-")), "client.yml");
  const subscribe = [{ topic, command: 'echo "Important: $m"', if: { priority: "high,urgent" } }];
  await writeFile(config, JSON.stringify({ "default-host": server, "default-token": key, subscribe })); // JSON is YAML
  const { PATH = "", TZ } = process.env; // the zone in which the server under test reads a time of day
  return { PATH, HOME: FOLDER, NTFY_CONFIG: config, KEY: key, id, LANG: "C.UTF-8", ...(TZ !== undefined && { TZ }) };
}

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line of bash in the folder, to its end. */
export async function typed(command: string, env: Record<string, string>): Promise<Ended> {
  const child = Bun.spawn(["bash", "-c", command], { cwd: FOLDER, env, stdio: ["ignore", "pipe", "pipe"] });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, stdout, stderr };
}

/** A command line that runs on until it is ended. */
export interface Reader extends AsyncDisposable {
  /** Its standard output so far. */
  heard(): string;
  /** Its exit code. */
  ended: Promise<number>;
}

export function startReader(command: string, env: Record<string, string>): Reader {
  // a process group of its own, so that what the shell has started ends with it
  const child = Bun.spawn(["setsid", "bash", "-c", command], { cwd: FOLDER, env, stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  const drained = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) text += decoder.decode(chunk, { stream: true });
  })();
  return {
    heard: () => text,
    ended: child.exited,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await child.exited;
      await drained;
    },
  };
}

/** A request for this server, as a client of the language sends it. */
interface Call {
  method: string;
  url: string;
  headers: Record<string, string>;
  /** In base64. */
  body?: string;
}
interface Answered {
  status: number;
  text: string;
}

/** A request of an example, and where it is sent. `id`: of an earlier message. */
export interface ToSend {
  request: ExampleRequest;
  target: Target;
  id?: string | undefined;
}

function callOf({ request: { method, path, headers = {}, body, json, file }, target, id = "" }: ToSend): Call {
  const content = file === undefined ? (json === undefined ? body : here(JSON.stringify(json), target)) : fileOf(file);
  const said = path.includes("$AUTH") ? {} : { Authorization: `Bearer ${target.key}` };
  const known = wordsOf(target.key, id);
  const filled = (text: string) => text.replaceAll(/\$[A-Za-z]+/g, (word) => known.get(word) ?? word);
  return {
    method,
    url: filled(here(`https://ntfy.sh${path === "/" ? "" : path}`, target)),
    headers: Object.fromEntries(Object.entries({ ...said, ...headers }).map(([name, value]) => [name, filled(value)])),
    ...(content !== undefined && { body: Buffer.from(content).toString("base64") }),
  };
}

/** What words of the examples stand for (`Example`). */
function wordsOf(key: string, id: string): ReadonlyMap<string, string> {
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const basic = base64(`phil:${key}`);
  return new Map([
    ["$id", id],
    ["$BASIC", basic],
    ["$NOBODY", base64(`:${key}`)],
    ["$AUTH", base64(`Basic ${basic}`).replaceAll("=", "")],
  ]);
}

/** Sends the requests one after another, by a client of the language. */
export async function sendAll(language: Language | "HTTP", requests: readonly ToSend[]): Promise<Answered[]> {
  const calls = requests.map(callOf);
  if (language === "Python") return program([pythonWith("requests") ?? "python3", "-c", PYTHON], calls);
  if (language === "JavaScript") return program(["node", "-e", NODE], calls);
  return Promise.all(calls.map(async (call) => overSocket(language, call)));
}

async function program(command: string[], calls: readonly Call[]): Promise<Answered[]> {
  const child = Bun.spawn(command, { stdio: [Buffer.from(JSON.stringify(calls)), "pipe", "inherit"] });
  const text = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`${command[0] ?? ""} failed: ${text}`);
  return JSON.parse(text) as Answered[];
}

const PYTHON = `
import base64, json, sys, requests
answers = []
for call in json.load(sys.stdin):
    body = base64.b64decode(call["body"]) if "body" in call else None
    r = requests.request(call["method"], call["url"], data=body, headers=call["headers"])
    answers.append({"status": r.status_code, "text": r.text})
print(json.dumps(answers))
`;

const NODE = `
const calls = JSON.parse(require("fs").readFileSync(0, "utf8"));
(async () => {
  const answers = [];
  for (const { method, url, headers, body } of calls) {
    const content = body === undefined ? undefined : Buffer.from(body, "base64");
    const isText = content !== undefined && content[0] !== 0xff;
    const response = await fetch(url, { method, headers, body: isText ? content.toString() : content });
    answers.push({ status: response.status, text: await response.text() });
  }
  console.log(JSON.stringify(answers));
})();
`;

/** What these languages add by themselves to the requests of the documentation. */
export function customOf(
  language: Language | "HTTP",
  { headers, body }: Pick<Call, "headers" | "body">,
): Record<string, string> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const form: Record<string, string> =
    hasType || body === undefined ? {} : { "Content-Type": "application/x-www-form-urlencoded" };
  if (language === "PHP") return { ...form, Connection: "close" };
  if (language === "PowerShell")
    return {
      ...form,
      "User-Agent": "Mozilla/5.0 (Linux; Debian) PowerShell/7.4.6",
      "Accept-Encoding": "gzip, deflate, br",
    };
  if (language === "Go") return { "User-Agent": "Go-http-client/1.1", "Accept-Encoding": "gzip" };
  return {};
}

/** Writes the request on a connection of its own. Go sends files in chunks, because it doesn't know how long they are. */
async function overSocket(language: Language | "HTTP", call: Call): Promise<Answered> {
  const { method, url, headers, body } = call;
  const { host, pathname, search, origin } = new URL(url);
  const bytes = Buffer.from(body ?? "", "base64").toString("latin1");
  const isChunked = language === "Go" && bytes.startsWith("\xff");
  const length = isChunked ? { "Transfer-Encoding": "chunked" } : { "Content-Length": String(bytes.length) };
  const sent = { Host: host, ...customOf(language, call), ...headers, ...length };
  const head = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const content = isChunked ? `${bytes.length.toString(16)}\r\n${bytes}\r\n0\r\n\r\n` : bytes;
  const text = `${method} ${pathname}${search} HTTP/1.1\r\n${head.join("")}\r\n${content}`;
  const heard = await converse(origin, Buffer.from(text, "latin1"), isWhole);
  const end = heard.indexOf("\r\n\r\n");
  return { status: Number(heard.slice(9, 12)), text: Buffer.from(heard.slice(end + 4), "latin1").toString() };
}
