/** `peal forwards`: other services that messages are handed on to. */
import { KINDS, kindNamed } from "../delivery/forwards/kinds.ts";
import type { ForwardRecord } from "../forwards/schema.ts";
import { said } from "../rewrites/tool-setup.ts";
import { systemClock } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { relative } from "./checks-words.ts";
import { EXIT, JSON_FLAG, print, table, UsageError, type Command } from "./command.ts";
import { resultOf, textOf } from "./devices.ts";
import { allForwards, FORWARD_ARG, FORWARD_FLAGS, settingsIn, withForward } from "./forwards-ask.ts";
import { inNamespace, namespaceFlag } from "./in-namespace.ts";

export const forwardsList: Command = {
  name: "forwards list",
  args: [],
  summary: "List a namespace's forwards, what they follow, and whether they work.",
  flags: FORWARD_FLAGS,
  examples: ["peal forwards list", "peal forwards list --namespace media --json"],
  run: async (invocation) => {
    const forwards = await inNamespace(invocation, allForwards);
    return print(invocation.switches, forwards, () => table([HEAD, ...forwards.map(row)]));
  },
};

const HEAD = ["NAME", "KIND", "TO", "TOPICS", "LAST SUCCESS", "TROUBLE", "ID"];

const row = ({ name = "–", kind, host, topics, last_success_at: last, ...rest }: ForwardRecord): string[] => [
  ...[name, kind, host, topics.map((topic) => topic.name).join(",") || "none"],
  ...[relative(last, systemClock.now()), rest.trouble ?? "none", rest.id],
];

export const forwardsAdd: Command = {
  name: "forwards add",
  args: ["<kind>"],
  words: KINDS.map(({ name }) => name),
  summary: "Hand the messages of topics on to another service.",
  about:
    "The secret settings that the kind needs are prompted for, and then those of --ask. " +
    "If standard input isn't a terminal, each is a line of it. " +
    `Kinds and their settings:\n${KINDS.map(lineOf).join("\n")}`,
  flags: [
    namespaceFlag("the forward"),
    { name: "name", value: "text", description: "Shown in lists." },
    {
      name: "topic",
      value: "topic",
      isList: true,
      description: "A topic that it follows; can be given several times.",
    },
    {
      name: "set",
      value: "field=value",
      isList: true,
      description: "A setting of its kind; can be given several times.",
    },
    { name: "ask", value: "field", isList: true, description: "A secret setting that is prompted for as well." },
    JSON_FLAG,
  ],
  examples: [
    "peal forwards add discord --topic backups --name family",
    "peal forwards add ntfy --topic alerts --set topic=alerts-4fb1 --ask token",
    "peal forwards add gotify --topic alerts --set server=https://gotify.example.com < token.txt",
  ],
  run: async (invocation) => {
    const { positionals, values, lists, switches } = invocation;
    const [named = ""] = positionals;
    const kind = kindNamed(named);
    if (kind === undefined)
      throw new UsageError(`${named}: must be one of ${KINDS.map(({ name }) => name).join(", ")}`);
    const settings = await settingsIn(kind, invocation);
    const body = defined({ kind: kind.name, settings, name: values["name"], topics: lists["topic"] });
    const made = await inNamespace(
      invocation,
      async (local, namespace) => local.ask<ForwardRecord>("POST", `/v1/${namespace}/forwards`, body),
      { name: "--name", topics: "--topic" },
    );
    return print(switches, made, ({ id, host }) => `${id} forwards to ${host}; try it: peal forwards test ${id}`);
  },
};

function lineOf({ name, title, settings, secrets }: (typeof KINDS)[number]): string {
  const fields = Object.keys(settings.properties).map((field) => {
    const isNeeded = settings.required?.includes(field) === true;
    const shown = secrets.includes(field) ? `${field} (secret)` : field;
    return isNeeded ? shown : `[${shown}]`;
  });
  return `  ${name}: ${said(title, "en") === name ? "" : `${said(title, "en")}: `}${fields.join(", ")}`;
}

export const forwardsTest: Command = {
  name: "forwards test",
  args: [FORWARD_ARG],
  summary: "Send a test message and print the service's answer.",
  flags: FORWARD_FLAGS,
  examples: ["peal forwards test family"],
  run: async (invocation) => {
    const test = await withForward(invocation, async (local, path) => {
      await local.ask("POST", `${path}/test`);
      return resultOf(local, path);
    });
    await print(invocation.switches, test, () => textOf(test));
    return test.state === "accepted" ? EXIT.ok : EXIT.failed;
  },
};

export const forwardsRemove: Command = {
  name: "forwards remove",
  args: [FORWARD_ARG],
  summary: "Remove a forward; nothing more is handed on.",
  flags: FORWARD_FLAGS,
  examples: ["peal forwards remove family"],
  run: async (invocation) => {
    const [named = ""] = invocation.positionals;
    await withForward(invocation, async (local, path) => local.ask("DELETE", path));
    return print(invocation.switches, { removed: named }, () => `removed ${named}`);
  },
};
