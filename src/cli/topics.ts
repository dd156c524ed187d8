/** `peal topics`: which there are, and how they are made, changed and deleted. */
import type { Static } from "@sinclair/typebox";
import type { RotatedTopic, TopicPatchBody, TopicRecord } from "../topics/schema.ts";
import { systemClock, type Millis } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { numberOrText } from "./checks-ask.ts";
import { relative } from "./checks-words.ts";
import { JSON_FLAG, print, table, type Command } from "./command.ts";
import { inNamespace, namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { allTopics, TOPIC_ARG, TOPIC_FLAGS, withTopic, withTopicName } from "./topic-ask.ts";

export const topicsList: Command = {
  name: "topics list",
  args: [],
  summary: "List a namespace's topics with their share links.",
  flags: [
    { name: "archived", description: "Those that are archived instead." },
    namespaceFlag("the topics"),
    JSON_FLAG,
  ],
  examples: ["peal topics list", "peal topics list --namespace media --archived"],
  run: async (invocation) => {
    const { switches } = invocation;
    const topics = await inNamespace(invocation, async (local, ns) => allTopics(local, ns, switches.has("archived")));
    const now = systemClock.now();
    const rows = topics.map((topic) => [
      topic.name,
      relative(topic.last_message_at, now),
      topic.muted_until ?? "–",
      topic.url,
    ]);
    return print(switches, topics, () => table([["TOPIC", "LAST MESSAGE", "MUTED UNTIL", "LINK"], ...rows]));
  },
};

export const topicsShow: Command = {
  name: "topics show",
  args: [TOPIC_ARG],
  summary: "Show a topic's settings and share link.",
  flags: TOPIC_FLAGS,
  examples: ["peal topics show home/backups", "peal topics show home/backups --json"],
  run: async (invocation) => {
    const topic = await withTopic(invocation, async (local, path) => local.ask<TopicRecord>("GET", path));
    return print(invocation.switches, topic, () => table(factsOf(topic, systemClock.now())));
  },
};

/** Everything that people ask about a topic, as labels and values. */
function factsOf(topic: TopicRecord, now: Millis): [label: string, value: string][] {
  const { retention_days: days, retention_messages: most, last_message_at: last, muted_until: muted } = topic;
  const limit = (count: number | undefined) =>
    count === undefined ? "the server's default" : count === 0 ? "no limit" : String(count);
  return [
    ["name", topic.name],
    ["link", topic.url],
    ["last message", last === undefined ? "none" : `${last} (${relative(last, now)}), id ${topic.last_id}`],
    ["muted until", muted ?? "–"],
    ["archived", topic.archived ? "yes" : "no"],
    ["days kept", limit(days)],
    ["messages kept", limit(most)],
    ...(topic.description === undefined ? [] : [["description", topic.description] satisfies [string, string]]),
    ["created", topic.created_at],
  ];
}

const LIMITS = { days: "keep-days", messages: "keep-messages" } as const;

export const topicsCreate: Command = {
  name: "topics create",
  args: [TOPIC_ARG],
  summary: "Create a topic; its share link is printed alone on standard output.",
  about:
    "A publish to a new name creates its topic too: create one first to share its link, or to set how long it keeps messages.",
  flags: [
    { name: "description", value: "text", description: "What it is about, shown on its page." },
    { name: LIMITS.days, value: "n", description: "Days it keeps a message, 0: no limit; default: the server's." },
    { name: LIMITS.messages, value: "n", description: "Messages it keeps, 0: no limit; default: the server's." },
    ...TOPIC_FLAGS,
  ],
  examples: ["peal topics create home/backups", "peal topics create home/doorbell --keep-days 7"],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const { description, [LIMITS.days]: days, [LIMITS.messages]: messages } = values;
    const made = await withTopicName(
      invocation,
      async (local, namespace, name) =>
        local.ask<TopicRecord>("POST", `/v1/${namespace}/topics`, {
          ...defined({ name, description }),
          ...(days !== undefined && { retention_days: numberOrText(days) }),
          ...(messages !== undefined && { retention_messages: numberOrText(messages) }),
        }),
      {
        name: TOPIC_ARG,
        description: "--description",
        retention_days: `--${LIMITS.days}`,
        retention_messages: `--${LIMITS.messages}`,
      },
    );
    return print(switches, made, ({ url }) => url);
  },
};

export const topicsRename: Command = {
  name: "topics rename",
  args: [TOPIC_ARG, "<new-name>"],
  summary: "Rename a topic; its share link and devices stay as they are, and publishers need the new name.",
  flags: TOPIC_FLAGS,
  examples: ["peal topics rename home/backups nas-backups"],
  run: async (invocation) => {
    const [named = "", to = ""] = invocation.positionals;
    const topic = await withTopic(invocation, async (local, path) => change(local, path, { name: to }), {
      name: "<new-name>",
    });
    return print(invocation.switches, topic, ({ namespace, name }) => `${named} is now ${namespace}/${name}`);
  },
};

/** One that archives topics, or takes them out again. */
const archiving = (word: string, archived: boolean, summary: string): Command => ({
  name: `topics ${word}`,
  args: [TOPIC_ARG],
  summary,
  flags: TOPIC_FLAGS,
  examples: [`peal topics ${word} home/old-nas`],
  run: async (invocation) => {
    const topic = await withTopic(invocation, async (local, path) => change(local, path, { archived }));
    return print(invocation.switches, topic, ({ name }) => `${name} is ${archived ? "" : "not "}archived`);
  },
});

export const topicsArchive = archiving(
  "archive",
  true,
  "Archive a topic: it leaves the lists, and stays readable under its link.",
);
export const topicsUnarchive = archiving("unarchive", false, "List an archived topic again.");

export const topicsRotate: Command = {
  name: "topics rotate",
  args: [TOPIC_ARG],
  summary: "Give a topic a new share link, printed alone on standard output; the old one stops working at once.",
  about:
    "Publishers and hooks go on. Devices are unsubscribed unless --keep names them, and follow the new link to come back.",
  flags: [
    { name: "keep", value: "ref,ref", description: "Devices that stay subscribed: their REF in `peal devices`." },
    ...TOPIC_FLAGS,
  ],
  examples: ["peal topics rotate home/backups", "peal topics rotate home/backups --keep 8h2k9w0c3m5n7p8q"],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const keep = values["keep"]?.split(",").map((ref) => ref.trim()) ?? [];
    const rotated = await withTopic(
      invocation,
      async (local, path) => local.ask<Static<typeof RotatedTopic>>("POST", `${path}/rotate`, { keep_devices: keep }),
      { keep_devices: "--keep" },
    );
    const { kept_devices: kept, dropped_devices: dropped } = rotated;
    if (kept.length + dropped.length > 0 && !switches.has("json"))
      console.error(`peal: devices: ${kept.length} stay subscribed, ${dropped.length} no longer`);
    return print(switches, rotated, ({ url }) => url);
  },
};

export const topicsDelete: Command = {
  name: "topics delete",
  args: [TOPIC_ARG],
  summary: "Delete a topic with all its messages. This cannot be undone.",
  flags: TOPIC_FLAGS,
  examples: ["peal topics delete home/old-nas"],
  run: async (invocation) => {
    const [named = ""] = invocation.positionals;
    await withTopic(invocation, async (local, path) => local.ask("DELETE", path));
    return print(invocation.switches, { deleted: named }, () => `deleted ${named}`);
  },
};

const change = async (local: Local, path: string, body: TopicPatchBody): Promise<TopicRecord> =>
  local.ask<TopicRecord>("PATCH", path, body);
