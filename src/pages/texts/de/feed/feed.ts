import type { feed as en } from "../../en/feed/feed.ts";
import { count, number } from "../numbers.ts";

export const feed: typeof en = {
  search: "Suchen",
  searchTopic: "Dieses Topic durchsuchen",
  counted: "Gezählt ist nur diese Seite",
  today: "Heute",
  yesterday: "Gestern",
  clearTag: "Alle Tags zeigen",
  older: "Ältere Nachrichten",
  newest: "Neueste Nachrichten",
  searchedTo: (id) => `Bisher durchsucht: zurück bis Nachricht ${number(id)}.`,
  goOn: "Weitersuchen",
  noneFound: (words) => `In keiner Nachricht steht „${words}“`,
  searched: "Durchsucht wurden Titel und Text aller Nachrichten.",
  clearSearch: "Suche aufheben",
  noneHere: "Keine solche Nachricht",
  showAll: "Alle Nachrichten zeigen",
  noneOlder: "Ältere sind hier keine mehr",
  noneKept: "Hier ist nichts mehr gespeichert",
  nothingYet: "Noch nichts hier",
  sendFirst: "Die erste Nachricht steht hier, sobald sie gesendet ist.",
  keyHint: (namespace) => ({
    before: " ist ein Schlüssel des Namensraums ",
    namespace,
    after: ", der veröffentlichen darf. Wer diesen Server betreibt, legt ihn an. Diese Seite zeigt ihn nie.",
  }),
  about: "Über dieses Topic",
  elsewhere: "Anderswo",
  copyLink: "Link kopieren",
  whoReads: "Wer den Link hat, kann dieses Topic lesen.",
  staysFor: (days, messages) =>
    days > 0 && messages > 0
      ? `Nachrichten bleiben ${count(days, "Tag", "Tage")}, davon die neuesten ${number(messages)}.`
      : days > 0
        ? `Nachrichten bleiben ${count(days, "Tag", "Tage")}.`
        : messages > 1
          ? `Die neuesten ${number(messages)} Nachrichten bleiben.`
          : messages > 0
            ? "Die neueste Nachricht bleibt."
            : "Nachrichten bleiben, bis sie gelöscht werden.",
  keys: {
    title: "Tasten",
    short: "{} {} nächste und vorige, {} suchen, {} stumm, {} alle.",
    all: [
      ["j", "Nächste Nachricht"],
      ["k", "Vorige Nachricht"],
      ["/", "Suchen"],
      ["c", "Nachricht kopieren"],
      ["m", "Auf diesem Gerät stummschalten, oder wieder klingeln lassen"],
      ["?", "Diese Liste"],
    ],
    on: "Tasten sind an",
    show: "Alle Tasten",
  },
  withoutScript: (zone) =>
    `Ohne JavaScript ist Neues erst nach dem Neuladen zu sehen, und Benachrichtigungen gibt es keine. Die Zeiten sind die von ${zone}.`,
  description: (namespace) => `Nachrichten eines Topics in ${namespace}, live.`,
};
