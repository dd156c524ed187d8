import { lasting } from "../lasting.ts";
import type { charts as en } from "../en/charts.ts";
import { count, number } from "./numbers.ts";

const messages = (n: number): string => count(n, "Nachricht", "Nachrichten");
const after = (ms: number): string =>
  ms < 10_000 ? `${number(Math.round(ms / 100) / 10)}\u00a0s` : lasting(Math.round(ms / 1_000) * 1_000);

export const charts: typeof en = {
  volume: ({ info, success, warning, error }) => {
    const parts = [
      error > 0 && `${number(error)}\u00a0Fehler`,
      warning > 0 && count(warning, "Warnung", "Warnungen"),
      success > 0 && count(success, "Erfolg", "Erfolge"),
    ].filter((part) => part !== false);
    return [messages(info + success + warning + error), ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
  },
  mostAnHour: (n) => `bis zu ${number(n)} in der Stunde`,
  at: (time, words) => `${time}: ${words}`,
  day: {
    title: "Letzte 24 Stunden",
    byHour: (namespace) => `Nachrichten in ${namespace}, Stunde für Stunde`,
    down: "ausgefallen",
    since: "ausgefallen seit {}",
    during: "ausgefallen von {} bis {}",
    times: (n, ms) => `${number(n)}-mal ausgefallen, zusammen ${lasting(ms)}`,
    timesSince: (n) => `${number(n)}-mal ausgefallen, zuletzt seit {}`,
    taken: (by) => `${by ?? "jemand"} kümmert sich`,
    isGap: "peal lief nicht, als die Meldung fällig war",
    more: (n, isMore) =>
      n === 1 && !isMore
        ? "und 1 weiterer Check, der ausfiel"
        : `und ${isMore ? "mehr als " : ""}${number(n)} weitere Checks, die ausfielen`,
    elsewhere: (n, down, sum) =>
      `In ${n === 1 ? "1 weiteren Namensraum" : `${number(n)} weiteren Namensräumen`}: ${messages(sum)}, ${count(down, "Check", "Checks")} ausgefallen.`,
    quiet: (names, more) =>
      `Nichts geschah in ${names}${more === 0 ? "" : ` und ${more === 1 ? "1 weiteren Namensraum" : `${number(more)} weiteren Namensräumen`}`}.`,
  },
  month: {
    title: "Letzte 30 Tage",
    byDay: "Tag für Tag",
    zone: (zone) => `Tage in ${zone}`,
    clear: "Alle Tage zeigen",
  },
  week: {
    title: "Letzte 7 Tage",
    pushes: "Pushes am Tag",
    outcome: (accepted, failed) =>
      `${count(accepted, "Push", "Pushes")} angenommen, ${number(failed)} fehlgeschlagen oder verfallen`,
    good: "angenommen",
    bad: "fehlgeschlagen oder verfallen",
    share: "Angenommener Anteil, Stunde für Stunde",
    accepted: (accepted, all) => `${number(accepted)} von ${number(all)} angenommen`,
    median: (ms) => `im Median ${after(ms)}`,
    newest: (n) => `Die ${number(n)} zuletzt hinzugefügten Geräte`,
    wrong: "Stunden mit fehlgeschlagenen Pushes",
  },
  spark: {
    sum: (n) => `${number(n)} in 24\u00a0h`,
    most: (n, time) => `am meisten gegen ${time}: ${number(n)} in einer Stunde`,
    mostAt: "meist {}",
  },
  fold: {
    title: "Geräte mit Problemen",
    waiting: (n) => `${number(n)} warten`,
    failed: (n) => `${number(n)} fehlgeschlagen`,
    expired: (n) => `${number(n)} verfallen`,
  },
};
