/** Commands that mute a topic or a whole namespace for a while. */
import { parseMoment } from "../util/time.ts";
import { rfc3339, systemClock } from "../util/clock.ts";
import { JSON_FLAG, print, UsageError, type Command } from "./command.ts";
import { openLocal } from "./local.ts";
import { TOPIC_ARG, TOPIC_FLAGS, withTopic } from "./topic-ask.ts";

const UNTIL_ARG = "<duration|time|off>";
const ABOUT =
  "Messages are still stored and shown, but nothing is sent to devices, not even urgent messages. `off` ends it.";

interface Muted {
  name: string;
  muted_until?: string;
}

export const topicsMute: Command = {
  name: "topics mute",
  args: [TOPIC_ARG, UNTIL_ARG],
  summary: "Mute a topic: send nothing to devices for a while.",
  about: ABOUT,
  flags: TOPIC_FLAGS,
  examples: ["peal topics mute home/backups 8h", "peal topics mute home/backups off"],
  run: async (invocation) => {
    const body = { muted_until: untilOf(invocation.positionals[1]) };
    const topic = await withTopic(invocation, async (local, path) => local.ask<Muted>("PATCH", path, body));
    return print(invocation.switches, topic, told);
  },
};

export const namespacesMute: Command = {
  name: "namespaces mute",
  args: ["<name>", UNTIL_ARG],
  summary: "Mute a namespace: send nothing to devices for a while.",
  about: ABOUT,
  flags: [JSON_FLAG],
  examples: ["peal namespaces mute home 1h", "peal namespaces mute home 2027-01-31T08:00:00Z"],
  run: async ({ positionals: [name = "", until], switches, load }) => {
    const body = { muted_until: untilOf(until) };
    await using local = await openLocal(load);
    return await print(
      switches,
      await local.ask<Muted>("PATCH", `/-/local/namespaces/${encodeURIComponent(name)}`, body),
      told,
    );
  },
};

export const topicsUnmute: Command = {
  name: "topics unmute",
  args: [TOPIC_ARG],
  summary: "End the mute of a topic.",
  flags: TOPIC_FLAGS,
  examples: ["peal topics unmute home/backups"],
  run: async ({ positionals: [topic = ""], ...rest }) => topicsMute.run({ ...rest, positionals: [topic, "off"] }),
};

export const namespacesUnmute: Command = {
  name: "namespaces unmute",
  args: ["<name>"],
  summary: "End the mute of a namespace.",
  flags: [JSON_FLAG],
  examples: ["peal namespaces unmute home"],
  run: async ({ positionals: [name = ""], ...rest }) => namespacesMute.run({ ...rest, positionals: [name, "off"] }),
};

const told = ({ name, muted_until: until }: Muted): string =>
  until === undefined ? `${name} is unmuted` : `${name} is muted until ${until}`;

/** In the API's form. @throws UsageError */
function untilOf(text = ""): string | null {
  if (text === "off") return null;
  const now = systemClock.now();
  const at = parseMoment(text, now);
  if (at !== undefined && at <= now) throw new UsageError(`${text}: is already over. \`off\` ends a mute`);
  if (at === undefined)
    throw new UsageError(`${text}: must be a duration like 8h, a time like 2027-01-31T08:00:00Z, or off`);
  return rfc3339(at);
}
