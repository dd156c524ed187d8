/** `peal hooks requests`: what came to a hook. */
import type { RequestRecord } from "../hooks/schema.ts";
import { CommandFailed, print, table, UsageError, writeOut, type Command } from "./command.ts";
import { HOOK_ARG, HOOK_FLAGS, withHook } from "./hooks-ask.ts";

export const hooksRequests: Command = {
  name: "hooks requests",
  args: [HOOK_ARG],
  summary: "List a hook's latest 20 requests, or print the body of one.",
  flags: [
    { name: "body", value: "n", description: "Print the body of this request: its first 64 KiB, byte for byte." },
    { name: "forget", description: "Delete them; the messages stay." },
    ...HOOK_FLAGS,
  ],
  examples: ["peal hooks requests grafana", "peal hooks requests grafana --body 17"],
  run: async (invocation) => {
    const { positionals, values, switches } = invocation;
    const [named = ""] = positionals;
    const { body } = values;
    if (body !== undefined && switches.has("forget")) throw new UsageError("--body and --forget can't be combined");
    if (switches.has("forget")) {
      await withHook(invocation, async (local, path) => local.ask("DELETE", `${path}/requests`));
      return print(switches, { forgotten: named }, () => `forgot what came to ${named}`);
    }
    const { requests } = await withHook(invocation, async (local, path) =>
      local.ask<{ requests: RequestRecord[] }>("GET", `${path}/requests`),
    );
    if (body !== undefined) {
      const request = requests.find(({ n }) => String(n) === body);
      if (request === undefined) throw new CommandFailed(`request ${body} is not kept; without --body they are listed`);
      return writeOut(bytesOf(request));
    }
    const head = ["N", "TIME", "METHOD", "FROM", "SOURCE", "MESSAGE", "BYTES", "AGENT"];
    return print(switches, requests, () => table([head, ...requests.map(row)]));
  },
};

const bytesOf = ({ body = "", body_base64: encoded }: RequestRecord): Uint8Array =>
  encoded === undefined ? Buffer.from(body) : Buffer.from(encoded, "base64");

const row = ({ n, at, method, from, source, message_id: id, body_bytes: bytes, user_agent: agent }: RequestRecord) => [
  ...[String(n), at, method, from, source, id === undefined ? "waits" : String(id), String(bytes), agent ?? ""],
];
