/** A socket that stands for systemd's (sd_notify(3)). Needs python3. */
import { eventually } from "./eventually.ts";

/** Prints each datagram as a line of JSON, and that nothing came for 0.6 s; `/ready` of the port in it is asked the moment READY comes. */
const RECEIVER = `
import json, os, re, socket, sys, urllib.request
heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
name = sys.argv[1]
heard.bind("\\0" + name[1:] if name[0] == "@" else name)
if name[0] != "@":
    os.chmod(name, 0o777)
print("bound", flush=True)
heard.settimeout(0.6)
while True:
    try:
        lines = heard.recv(4096).decode().split("\\n")
    except socket.timeout:
        print(json.dumps([["silence"], None]), flush=True)
        continue
    answer = None
    if lines[0] == "READY=1":
        port = re.search(r"port (\\d+)", lines[1]).group(1)
        answer = urllib.request.urlopen(f"http://127.0.0.1:{port}/ready").status
    print(json.dumps([lines, answer]), flush=True)
`;

type Datagram = [lines: string[], answer: number | null];

export interface Supervisor extends AsyncDisposable {
  /** What was heard so far, with the status of `/ready` for READY. */
  heard: () => Datagram[];
  /** How often `word` was the first line. */
  count: (word: string) => number;
}

/** Listens as systemd does. `within`: a command that starts it elsewhere, such as in another network. */
export async function supervisor(address: string, within: readonly string[] = []): Promise<Supervisor> {
  const command = [...within, "python3", "-c", RECEIVER, address];
  const child = Bun.spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) text += decoder.decode(chunk);
  })();
  await eventually("the socket", () => text.includes("bound\n"));
  const heard = () =>
    text
      .split("\n")
      .slice(1, -1)
      .map((line) => JSON.parse(line) as Datagram);
  return {
    heard,
    count: (word) => heard().filter(([[first]]) => first === word).length,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
    },
  };
}
