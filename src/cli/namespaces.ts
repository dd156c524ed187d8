/** `peal namespaces`: the scopes of keys and topics. */
import { JSON_FLAG, print, table, type Command } from "./command.ts";
import { openLocal } from "./local.ts";

interface NamespaceJson {
  name: string;
  created_at: string;
}

/** What was deleted with a namespace. */
interface GoneJson {
  topics: number;
  messages: number;
  /** `messages` is the count up to its limit. */
  more_messages?: true;
  checks: number;
  keys: number;
  /** The key of PEAL_ADMIN_KEY was among its keys. */
  own_key?: true;
}

export const namespacesCreate: Command = {
  name: "namespaces create",
  args: ["<name>"],
  summary: "Create a namespace: the first part of its topics' addresses, with its own keys.",
  flags: [JSON_FLAG],
  examples: ["peal namespaces create media", "peal keys create --namespace media"],
  run: async ({ positionals: [name = ""], switches, load }) => {
    await using local = await openLocal(load);
    const made = await local.ask<NamespaceJson>("POST", "/-/local/namespaces", { name });
    return await print(switches, made, ({ name }) => `created ${name}; next: peal keys create --namespace ${name}`);
  },
};

export const namespacesList: Command = {
  name: "namespaces list",
  args: [],
  summary: "List the namespaces.",
  flags: [JSON_FLAG],
  examples: ["peal namespaces list"],
  run: async ({ switches, load }) => {
    await using local = await openLocal(load);
    const { namespaces } = await local.ask<{ namespaces: NamespaceJson[] }>("GET", "/-/local/namespaces");
    const rows = namespaces.map((namespace) => [namespace.name, namespace.created_at.slice(0, 10)]);
    return await print(switches, namespaces, () => table([["NAME", "CREATED"], ...rows]));
  },
};

export const namespacesRename: Command = {
  name: "namespaces rename",
  args: ["<name>", "<new-name>"],
  summary: "Rename a namespace.",
  about:
    "Its topics' addresses change: publishers need the new ones, and existing share links stop working. Keys, hooks, " +
    "ping URLs and devices stay as they are.",
  flags: [JSON_FLAG],
  examples: ["peal namespaces rename status servers"],
  run: async ({ positionals: [name = "", to = ""], switches, load }) => {
    await using local = await openLocal(load);
    const path = `/-/local/namespaces/${encodeURIComponent(name)}/rename`;
    const renamed = await local.ask<NamespaceJson>("POST", path, { name: to });
    return await print(switches, renamed, () => `${name} is now ${to}: publish to /${to}/… and share its new links`);
  },
};

export const namespacesDelete: Command = {
  name: "namespaces delete",
  args: ["<name>"],
  summary: "Delete a namespace with its topics, messages, checks and keys. This cannot be undone.",
  flags: [JSON_FLAG],
  examples: ["peal namespaces delete media"],
  run: async ({ positionals: [name = ""], switches, load }) => {
    await using local = await openLocal(load);
    const gone = await local.ask<GoneJson>("DELETE", `/-/local/namespaces/${encodeURIComponent(name)}`);
    return await print(switches, { deleted: name, ...gone }, () => `deleted ${name}: ${wordsOf(gone)}`);
  },
};

function wordsOf({ topics, messages, more_messages: more, checks, keys, own_key: own }: GoneJson): string {
  const some = more === true ? `${messages} or more messages` : count(messages, "message");
  const counts = [count(topics, "topic"), some, count(checks, "check"), count(keys, "key")].join(", ");
  return own === true ? `${counts}, including the key from PEAL_ADMIN_KEY: a restart doesn't bring it back` : counts;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;
