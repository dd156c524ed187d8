/** authentik's generic webhook transport with its default body (REWRITES.md §8). */
import { field, lineAt, proseAt } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { inWords, joined, testNotice, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";
import { cut } from "../../text.ts";
import { TURN_ON } from "../../tool-setup.ts";

export const authentik: Source<"authentik"> = {
  name: "authentik",
  title: "authentik",
  setup: {
    place: {
      en: "Events, Notification Transports, Create; then choose it in a notification rule",
      de: "Events, Notification Transports, Create; danach in einer Notification Rule auswählen",
    },
    withHook: (url) => [
      { label: "Mode", value: "Webhook (generic)", isChoice: true },
      { label: "Webhook URL", value: url },
      { label: TURN_ON, value: "Send once", isChoice: true },
    ],
    notes: [
      "Leave the mappings empty. With **Send once** off, the same event is sent once for each member of the rule's group. authentik doesn't report",
      "when a problem is over, so its cards don't close.",
    ],
  },
  fits: (payload) =>
    typeof field(payload, "body") === "string" &&
    typeof field(payload, "severity") === "string" &&
    Object.hasOwn(payload, "user_username"),
  tell(payload) {
    const body = proseAt(payload, "body") ?? "";
    if (body.startsWith(TEST)) return testNotice("authentik", "authentik", cut(body.slice(TEST.length), MAX_TITLE));
    const { action, facts } = repr(body);
    const user = facts.get("username") ?? lineAt(payload, "event_user_username");
    const [first = "", ...more] = body.split("\n");
    return {
      ...(LOOKS.get(lineAt(payload, "severity") ?? "") ?? looks.WARNING),
      title: action === undefined ? cut(first, MAX_TITLE) : joined([inWords(action), user], ": "),
      lines: [
        action === undefined ? joined([first.length > MAX_TITLE ? first : undefined, ...more], "\n") : undefined,
        ...[...facts].filter(([name]) => name !== "username").map(([name, value]) => `${inWords(name)}: ${value}`),
        user === undefined || action !== undefined ? undefined : `User: ${user}`,
      ],
      tags: ["authentik", lineAt(payload, "severity"), action],
      data: present({ action, severity: lineAt(payload, "severity"), user }),
    };
  },
};

const TEST = "Test Notification from transport ";
const MAX_TITLE = 100;

const LOOKS = new Map<string, Look>([
  ["alert", looks.TROUBLE],
  ["warning", looks.WARNING],
  ["notice", looks.NOTICE],
]);

const MAX_FACTS = 6;
const MAX_READ = 4_000;
/** Fields that mean nothing to people. */
const DULL = new Set(["app", "args", "method", "model_name", "name", "next", "path", "pk", "request_id", "uid"]);
const PAIR = /'([a-z_]{1,40})': (?:'([^'\\]{1,200})'|(-?\d{1,20}|True|False)\b)/g;

/** `login_failed: {'username': 'mara', …}`: an event without a message is the context as Python prints it. */
function repr(body: string): { action?: string; facts: Map<string, string> } {
  const facts = new Map<string, string>();
  const action = /^([a-z_]{1,60}): \{/.exec(body)?.[1];
  if (action === undefined) return { facts };
  for (const [, name = "", text, word] of body.slice(0, MAX_READ).matchAll(PAIR))
    if (!DULL.has(name) && !facts.has(name) && facts.size < MAX_FACTS) facts.set(name, text ?? word ?? "");
  return { action, facts };
}
