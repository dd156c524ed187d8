import type { glance as en } from "../../en/dashboard/check-glance.ts";
import { number } from "../numbers.ts";

const kind = {
  ok: "in Ordnung",
  part: "einen Teil des Tages ausgefallen",
  missed: "ausgefallen, kein Erfolg",
  paused: "pausiert oder still",
  none: "keine Daten",
};

export const glance: typeof en = {
  find: "Checks finden",
  noneFound: (q) => `Kein Check passt zu „${q}“`,
  checks: (n) => `${number(n)} ${n === 1 ? "Check" : "Checks"}, sortiert nach`,
  sorts: { need: "Dringlichkeit", name: "Namen", success: "ältestem Erfolg" },
  paused: (by) => (by === undefined ? "Pausiert seit {}, kein Alarm." : `Pausiert von ${by} seit {}, kein Alarm.`),
  lastOk: "Letzter Erfolg {}.",
  said: (line) => `: „${line}“`,
  axis: "Ein Feld je Tag, {} bis heute",
  uptime: "Verfügbar",
  kind,
  percent: (part) => `${number(Math.floor(part * 1000) / 10)}\u00a0%`,
  unknown: "–",
  days: (name, n, counts) => {
    const parts = [
      counts.ok === 0 ? "" : `${number(counts.ok)} ${kind.ok}`,
      counts.part === 0 ? "" : `${number(counts.part)} ${kind.part}`,
      counts.missed === 0 ? "" : `${number(counts.missed)} ${kind.missed}`,
      counts.paused === 0 ? "" : `${number(counts.paused)} ${kind.paused}`,
      counts.none === 0 ? "" : `${number(counts.none)} ${kind.none}`,
    ].filter((part) => part !== "");
    return `Die letzten ${number(n)} Tage von ${name}: ${parts.join(", ")}`;
  },
  title: (n) => `Letzte ${number(n)} Tage`,
  calendar: "{} bis heute: eine Spalte je Woche, Montag oben.",
  dayIs: (day, is) => `${day}: ${is}`,
  downFor: (is, lasted) => `${is}, ${lasted}`,
  span: "{} bis {}",
  day: "Tag",
  was: "Zustand",
  wasDown: "Ausgefallen für",
  uptimeOf: (n) => `Verfügbar, ${number(n)} Tage`,
  without: "Ohne Pausen, stille Zeiten und Zeiten, in denen dieser Server aus war.",
  usual: "Übliche Dauer",
  drift: (before, change) => `${before} in den 30 Tagen davor (${change})`,
  change: (part) => `${part < 0 ? "−" : "+"}${number(Math.abs(Math.round(part * 100)))}\u00a0%`,
  okOf: (ok, all) => `${number(ok)} von ${number(all)} ok`,
  ok: "ok",
  ran: "begonnen {}",
  addDevice: "Gerät hinzufügen",
};
