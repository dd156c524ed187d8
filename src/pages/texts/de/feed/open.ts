import type { open as en } from "../../en/feed/open.ts";

export const open: typeof en = {
  title: "Jetzt offen",
  handled: "In Arbeit",
  more: "Es ist mehr offen, als hier Platz hat.",
  asks: "unbestätigt seit {}",
  came: "um {} noch aktiv",
  taken: (by) => `${by ?? "Jemand"} kümmert sich seit {} darum.`,
  quiet: "Still bis {}.",
  muted: "Benachrichtigungen sind bis {} stumm, auch dringende.",
  mutedTopic: "stumm bis {}",
  topicMuted: (topic) => `Das Topic ${topic} ist bis {} stumm.`,
  allMuted: "Alles ist bis {} stumm, auch dringende Nachrichten.",
};
