/** Tautulli's agent LunaSea, the only one that posts JSON to any address without a template (REWRITES.md §8). */
import { field, lineAt, objectAt, proseAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { firing, inWords, resolved, testNotice, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present, sha } from "../../told.ts";
import { TURN_ON } from "../../tool-setup.ts";

export const tautulli: Source<"tautulli"> = {
  name: "tautulli",
  title: "Tautulli",
  setup: {
    place: "Settings, Notification Agents",
    withHook: (url) => [
      { label: "Agent", value: "LunaSea", isChoice: true },
      { label: "LunaSea Webhook URL", value: url },
      { label: TURN_ON, value: "Include Subject Line", isChoice: true },
      {
        label: "Triggers",
        value: "Plex Server Down, Plex Server Back Up, Plex Remote Access Down, Plex Remote Access Back Up",
        isChoice: true,
      },
    ],
    notes: [
      "Leave the profile empty. **Plex Server Back Up** closes the card of **Plex Server Down**; other triggers, for example Playback Start, arrive",
      "as quiet notes. The subject line distinguishes servers.",
    ],
  },
  fits: (payload) => {
    const data = field(payload, "data");
    return (
      typeof field(payload, "action") === "string" && isObject(data) && Object.hasOwn(data, "tautulli_update_version")
    );
  },
  tell(payload) {
    const action = lineAt(payload, "action") ?? "";
    if (action === "test") return testNotice("tautulli", "Tautulli");
    const data = objectAt(payload, "data");
    const { subject, says, more } = textOf(data);
    const { look, of } = ACTIONS.get(action) ?? { look: looks.QUIET };
    return {
      ...look,
      title: says ?? inWords(action),
      lines: [...more, subject],
      tags: ["tautulli"],
      key: of && `tautulli:${sha(8, subject ?? "")}:${of}`,
      data: present({
        action,
        item: lineAt(data, "title"),
        user: lineAt(data, "user"),
        player: lineAt(data, "player"),
      }),
    };
  },
};

// prettier-ignore
const ACTIONS = new Map<string, { look: Look; of?: string }>([
  ["intdown",         { look: firing(looks.TROUBLE), of: "server" }],
  ["intup",           { look: resolved(looks.GOOD), of: "server" }],
  ["extdown",         { look: firing(looks.TROUBLE), of: "remote" }],
  ["extup",           { look: resolved(looks.GOOD), of: "remote" }],
  ["plexpydbcorrupt", { look: looks.TROUBLE }],
  ["tokenexpired",    { look: looks.TROUBLE }],
  ["error",           { look: looks.WARNING }],
  ["buffer",          { look: looks.WARNING }],
  ["concurrent",      { look: looks.NOTICE }],
  ["newdevice",       { look: looks.NOTICE }],
]);

/** If the subject is sent too, it is the first of several lines: `Tautulli ({server})`. */
function textOf(data: Fields): { subject?: string; says?: string | undefined; more: string[] } {
  const all = (proseAt(data, "message") ?? "").split("\n").filter((each) => each !== "");
  const [subject, ...rest] = all;
  if (subject === undefined || rest.length === 0 || !subject.startsWith("Tautulli")) return cutFirst(all);
  return { subject, ...cutFirst(rest) };
}

const cutFirst = ([says, ...more]: string[]) => ({ says: says?.replace(/\.$/, ""), more });
