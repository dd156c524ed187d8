/** Words of every page. */
import type { Level } from "../../../drafts/draft.ts";

export const common = {
  /** The language's name for itself. */
  ownName: "English",
  /** For dates: the day before the month, 24 hours. */
  locale: "en-GB",
  skip: "Skip to content",
  theme: { toDark: "Switch to the dark theme", toLight: "Switch to the light theme" },
  copy: { copy: "Copy", done: "Copied", command: "Copy command", number: "Copy request number" },
  command: "Command",
  commandLanguage: "Language of the command",
  tools: { title: "From a tool with webhooks" },
  level: { info: "Info", success: "Success", warning: "Warning", error: "Error" } satisfies Record<Level, string>,
  priority: { urgent: "Urgent", high: "high priority", low: "low priority" },
  source: new Map([
    ["api", "API"],
    ["ntfy", "ntfy"],
    ["hook", "hook"],
    ["check", "check"],
    ["dashboard", "dashboard"],
    ["schedule", "scheduled"],
    ["system", "peal"],
  ]),
};
