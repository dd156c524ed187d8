/** `peal hooks`: URLs that publish whatever a tool posts to them. */
import { DIALECTS } from "../hooks/hook.ts";
import type { HookRecord } from "../hooks/schema.ts";
import { systemClock } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { relative } from "./checks-words.ts";
import { CommandFailed, JSON_FLAG, print, table, type Command } from "./command.ts";
import { allHooks, HOOK_ARG, HOOK_FLAGS, withHook } from "./hooks-ask.ts";
import { inNamespace } from "./in-namespace.ts";
import { TOPIC_ARG, withTopicName } from "./topic-ask.ts";

export const hooksList: Command = {
  name: "hooks list",
  args: [],
  summary: "List a namespace's hooks and when each was last used.",
  flags: HOOK_FLAGS,
  examples: ["peal hooks list", "peal hooks list --namespace media --json"],
  run: async (invocation) => {
    const hooks = await inNamespace(invocation, allHooks);
    const now = systemClock.now();
    const rows = hooks.map(({ name = "–", topic_name: topic, last_used_at: used, last_used_from: from = "", id }) => [
      ...[name, topic, relative(used, now), from, id],
    ]);
    return print(invocation.switches, hooks, () => table([["NAME", "TOPIC", "LAST USED", "FROM", "ID"], ...rows]));
  },
};

export const hooksShow: Command = {
  name: "hooks show",
  args: [HOOK_ARG],
  summary: "Show a hook with its URL.",
  flags: HOOK_FLAGS,
  examples: ["peal hooks show grafana", "peal hooks show grafana --json"],
  run: async (invocation) => {
    const hook = await withHook(invocation, async (local, path) => local.ask<HookRecord>("GET", path));
    return print(invocation.switches, hook, () => table(factsOf(hook)));
  },
};

const LOST = "not known: the server has lost its secret; `peal hooks rotate` creates a new one";

/** Everything that people ask about a hook, as labels and values. */
function factsOf(hook: HookRecord): [label: string, value: string][] {
  const now = systemClock.now();
  const { last_used_at: used, last_used_from: from, old_url_until: old } = hook;
  const rows: [string, string | undefined][] = [
    ["name", hook.name],
    ["topic", hook.topic_name],
    ["url", hook.url ?? LOST],
    ["discord url", hook.discord_url],
    ["apprise url", hook.apprise_url],
    ["gotify token", hook.gotify_token],
    ["old url works until", old],
    ["read as", hook.as],
    ["last used", used === undefined ? "never" : `${used} (${relative(used, now)}) from ${from ?? "?"}`],
    ["last source", hook.last_source],
    ["requests", String(hook.requests)],
    ["keeps requests", hook.keep_requests ? "the latest 20, for 7 days" : "no"],
    ["get publishes too", hook.get ? "yes" : "no"],
    ["created", hook.created_at],
    ["id", hook.id],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value]]));
}

export const hooksCreate: Command = {
  name: "hooks create",
  args: [TOPIC_ARG],
  summary: "Create a hook for a topic; its URL is printed alone on standard output.",
  about: "Whoever has the URL can publish to the topic, which is created if it is new.",
  flags: [
    { name: "name", value: "text", description: "Shown in lists: the tool that uses it." },
    {
      name: "as",
      words: DIALECTS,
      description: "Whose webhooks the tool believes it posts to; default: seen from the URL and the body.",
    },
    { name: "get", description: "GET publishes too, from the query." },
    { name: "keep-no-requests", description: "Don't keep the latest 20 requests for 7 days." },
    JSON_FLAG,
  ],
  examples: [
    "URL=$(peal hooks create home/grafana --name grafana)",
    "peal hooks create media/requests --name seerr --as discord",
  ],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const made = await withTopicName(
      invocation,
      async (local, namespace, topic) =>
        local.ask<HookRecord>("POST", `/v1/${namespace}/hooks`, {
          ...defined({ topic, name: values["name"], as: values["as"] }),
          ...(switches.has("get") && { get: true }),
          ...(switches.has("keep-no-requests") && { keep_requests: false }),
        }),
      { topic: TOPIC_ARG, name: "--name", as: "--as" },
    );
    return print(switches, made, urlOf);
  },
};

export const hooksRename: Command = {
  name: "hooks rename",
  args: [HOOK_ARG, "<new-name>"],
  summary: "Rename a hook; its URL stays as it is.",
  flags: HOOK_FLAGS,
  examples: ["peal hooks rename grafana grafana-nas"],
  run: async (invocation) => {
    const [named = "", name = ""] = invocation.positionals;
    const hook = await withHook(invocation, async (local, path) => local.ask<HookRecord>("PATCH", path, { name }), {
      name: "<new-name>",
    });
    return print(invocation.switches, hook, () => `${named} is now ${name}`);
  },
};

export const hooksRotate: Command = {
  name: "hooks rotate",
  args: [HOOK_ARG],
  summary: "Give a hook a new URL, printed alone on standard output; the old one works for another 24 hours.",
  flags: [{ name: "now", description: "The old URL stops working at once." }, ...HOOK_FLAGS],
  examples: ["peal hooks rotate grafana", "peal hooks rotate grafana --now"],
  run: async (invocation) => {
    const now = invocation.switches.has("now");
    const hook = await withHook(invocation, async (local, path) =>
      local.ask<HookRecord>("POST", `${path}/rotate`, { now }),
    );
    return print(invocation.switches, hook, urlOf);
  },
};

export const hooksDelete: Command = {
  name: "hooks delete",
  args: [HOOK_ARG],
  summary: "Delete a hook with what came to it; its URL stops working, its messages stay.",
  flags: HOOK_FLAGS,
  examples: ["peal hooks delete grafana"],
  run: async (invocation) => {
    const [named = ""] = invocation.positionals;
    await withHook(invocation, async (local, path) => local.ask("DELETE", path));
    return print(invocation.switches, { deleted: named }, () => `deleted ${named}`);
  },
};

function urlOf({ url }: HookRecord): string {
  if (url === undefined) throw new CommandFailed(`its URL is ${LOST}`);
  return url;
}
