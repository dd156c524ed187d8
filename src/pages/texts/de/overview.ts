import type { overview as en } from "../en/overview.ts";
import { number } from "./numbers.ts";
import { capital, spelled } from "./spelled.ts";

export const overview: typeof en = {
  title: "Übersicht",
  heading: ({ down, failed, isMore, waiting, checks }) => {
    const parts = [
      down > 0 && (down === 1 ? "ein Check ist ausgefallen" : `${spelled(down)} Checks sind ausgefallen`),
      failed > 0 &&
        (failed === 1
          ? "ein Push ist fehlgeschlagen"
          : `${isMore ? "mehr als " : ""}${spelled(failed)} Pushes sind fehlgeschlagen`),
      waiting > 0 &&
        (waiting === 1 ? "eine dringende Nachricht wartet" : `${spelled(waiting)} dringende Nachrichten warten`),
    ].filter((part) => part !== false);
    if (parts.length > 0) return `${capital(parts.join(", "))}.`;
    if (checks === 0) return "Alles ruhig.";
    return checks === 1
      ? "Alles ruhig, der eine Check ist in Ordnung."
      : `Alles ruhig, alle ${spelled(checks)} Checks sind in Ordnung.`;
  },
  others: ({ fine, late, down }) => {
    if (fine === 0) return "";
    const lateWords = late === 1 ? "einer davon überfällig" : `${spelled(late)} davon überfällig`;
    if (down === 0)
      return late === 0
        ? ""
        : late === 1
          ? "Ein Check ist überfällig."
          : `${capital(spelled(late))} Checks sind überfällig.`;
    const who = fine === 1 ? "Der andere ist in Ordnung" : `Die anderen ${number(fine)} sind in Ordnung`;
    return late === 0 ? `${who}.` : `${who}, ${lateWords}.`;
  },
  lastMessage: "Letzte Nachricht {}.",
  noMessage: "Noch ist keine Nachricht da.",
  needsYou: "Zu tun",
  state: { down: "Ausgefallen", failed: "Fehlgeschlagen" },
  notAccepted: (title) => `„${title}“ wurde nicht angenommen`,
  waiting: "Dringend, wartet auf jemanden seit {}.",
  acknowledge: "Bestätigen",
  moreDown: (n) => (n === 1 ? "1 weiterer Check ist ausgefallen" : `${number(n)} weitere Checks sind ausgefallen`),
  moreFailed: (n, isMore) =>
    n === 1
      ? "1 weiterer Push ist fehlgeschlagen"
      : `${isMore ? "Mehr als " : ""}${number(n)} weitere Pushes sind fehlgeschlagen`,
  latest: "Neueste Nachrichten",
  allTopics: "Alle Topics",
  empty: { title: "Noch keine Nachrichten", text: "Was Skripte und Programme senden, erscheint hier von selbst." },
  muteAll: "1 h alles stumm",
  mutedUntil: "Stumm bis {}",
  start: {
    title: "Erste Schritte",
    done: (n, all) => `${number(n)} von ${number(all)} erledigt`,
    isDone: "erledigt",
    hide: "Ausblenden",
    message: "Eine erste Nachricht senden",
    device: "Ein Telefon verbinden",
    check: "Einen Cronjob überwachen: eine Zeile an seinem Ende, und Stille löst den Alarm aus",
    https: "peal über https anbieten: Telefone nehmen Push nur von dort an",
  },
};
