import type { overview as en } from "../../en/dashboard/overview.ts";
import { number } from "../numbers.ts";
import { capital, spelled } from "../spelled.ts";

const are = (n: number): string => (n === 1 ? "ist" : "sind");

export const overview: typeof en = {
  heading: (given) => {
    const { isRefusing, down, failed, isMore, waiting, moreWaiting, firing, moreFiring } = given;
    const { pushes, namespace, checks } = given;
    const parts = [
      isRefusing && "Veröffentlichen wird abgelehnt",
      waiting > 0 &&
        (waiting === 1
          ? "eine dringende Nachricht ist unbestätigt"
          : `${moreWaiting ? "mehr als " : ""}${spelled(waiting)} dringende Nachrichten sind unbestätigt`),
      firing > 0 &&
        (firing === 1
          ? "eine Störung ist aktiv"
          : `${moreFiring ? "mehr als " : ""}${spelled(firing)} Störungen sind aktiv`),
      down > 0 && (down === 1 ? "ein Check ist ausgefallen" : `${spelled(down)} Checks sind ausgefallen`),
      failed > 0 &&
        (failed === 1
          ? "ein Push ist fehlgeschlagen"
          : `${isMore ? "mehr als " : ""}${spelled(failed)} Pushes sind fehlgeschlagen`),
      pushes === "none" && "Pushes kommen nicht durch",
      pushes === "some" && "manche Pushes kommen nicht durch",
    ].filter((part) => part !== false);
    if (parts.length > 0) return `${capital(parts.join(", "))}.`;
    const { all, fine = 0 } = checks;
    const quiet = namespace === undefined ? "Alles ruhig" : `In ${namespace} ist alles ruhig`;
    if (fine === 0) return `${quiet}.`;
    if (fine < all) return `${quiet}, ${fine === 1 ? "ein Check ist" : `${spelled(fine)} Checks sind`} in Ordnung.`;
    return all === 1
      ? `${quiet}, der eine Check ist in Ordnung.`
      : `${quiet}, alle ${spelled(all)} Checks sind in Ordnung.`;
  },
  others: ({ down, fine = 0, late = 0, paused, fresh, handled = 0 }) => {
    const isAll = late + paused + fresh + handled === 0;
    const others = fine === 1 ? "der andere ist" : `die anderen ${number(fine)} sind`;
    const parts = [
      down > 0 && fine > 0 && `${isAll ? others : `${number(fine)} ${are(fine)}`} in Ordnung`,
      handled > 0 && `${number(handled)} ${are(handled)} in Arbeit`,
      late > 0 && `${number(late)} ${are(late)} überfällig`,
      paused > 0 && `${number(paused)} ${are(paused)} pausiert`,
      fresh > 0 && `${number(fresh)} noch nie gemeldet`,
    ].filter((part) => part !== false);
    return parts.length === 0 ? "" : `${capital(parts.join(", "))}.`;
  },
  lastMessage: "Letzte Nachricht {}.",
  noMessage: "Noch ist keine Nachricht da.",
  refusing: "Warum Veröffentlichen abgelehnt wird:",
  state: { down: "Ausgefallen", failed: "Fehlgeschlagen" },
  notAccepted: (title) => `„${title}“ wurde nicht angenommen`,
  moreDown: (n) => (n === 1 ? "1 weiterer Check ist ausgefallen" : `${number(n)} weitere Checks sind ausgefallen`),
  moreFailed: (n, isMore) =>
    n === 1
      ? "1 weiterer Push ist fehlgeschlagen"
      : `${isMore ? "Mehr als " : ""}${number(n)} weitere Pushes sind fehlgeschlagen`,
  latest: "Neueste Nachrichten",
  allMessages: "Alle Nachrichten",
  empty: { title: "Noch keine Nachrichten", text: "Was Skripte und Programme senden, erscheint hier." },
  muteAll: "Alles stumm …",
  start: {
    title: "Erste Schritte",
    done: (n, all) => `${number(n)} von ${number(all)} erledigt`,
    isDone: "erledigt",
    hide: "Ausblenden",
    message: "Eine erste Nachricht senden",
    device: "Ein Telefon oder diesen Browser verbinden",
    check: "Einen Cronjob überwachen: eine Zeile an seinem Ende, und Stille löst den Alarm aus",
    https: "peal über https anbieten: Telefone nehmen Push nur von dort an",
  },
};
