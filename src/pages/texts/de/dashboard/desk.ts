import type { desk as en } from "../../en/dashboard/desk.ts";
import { number } from "../numbers.ts";

export const desk: typeof en = {
  home: "peal, Übersicht",
  main: "Hauptmenü",
  noNamespace: "Hier ist kein Namensraum zu sehen. Ein Admin kann das ändern.",
  more: "Mehr",
  signedOut: "Abgemeldet",
  offline: "Keine Verbindung",
  changedMeanwhile:
    "Jemand hat das geändert, seit die Seite geladen wurde. Noch einmal speichern überschreibt es mit dem, was hier steht. {}",
  seeTheirs: "Aktuellen Stand ansehen",
  gone: "Diese Seite gibt es nicht mehr",
  entries: {
    overview: "Übersicht",
    // the bar of a small phone breaks it there
    messages: "Nach\u00adrichten",
    topics: "Topics",
    checks: "Checks",
    devices: "Geräte",
    keys: "Schlüssel",
    deliveries: "Zustellungen",
    settings: "Einstellungen",
  },
  admin: (name) => `${name}, Admin`,
  down: (checks) => `${number(checks)} ausgefallen`,
  isDown: "ausgefallen",
  hasFailed: "fehlgeschlagen",
  typeBefore: "Zum Weitermachen ",
  typeAfter: " eintippen",
  typedWrong: (typed) =>
    typed === "" ? "Es wurde nichts eingetippt und nichts getan." : `Da steht „${typed}“. Es wurde nichts getan.`,
  refused: {
    nothing: "Hier ist nichts",
    nothingWhy:
      "Es wurde gelöscht, sein Link wurde ersetzt, die Adresse hat einen Tippfehler, oder es gehört zu einem Namensraum, der nicht zu sehen ist.",
    admins: "Diese Seite ist für Admins",
    adminsWhy: (name) =>
      `Angemeldet ist ${name}, ohne Rechte eines Admins. Ein Admin kann das unter Einstellungen, Personen ändern.`,
    toOverview: "Zur Übersicht",
  },
  flash: {
    messageDeleted: (id) => `Nachricht ${number(id)} ist gelöscht.`,
    messageBack: (id) => `Nachricht ${number(id)} ist wieder da.`,
    messageGone: (id) => `Nachricht ${number(id)} lässt sich nicht mehr zurückholen.`,
    acknowledged: (id) => `Nachricht ${number(id)} ist bestätigt. Sie klingelt nicht mehr.`,
    unacknowledged: (id) => `Nachricht ${number(id)} ist nicht mehr bestätigt. Sie klingelt wieder.`,
    stillAcknowledged: (id) =>
      `Nachricht ${number(id)} bleibt bestätigt: Das lässt sich nur zwei Minuten lang zurücknehmen.`,
  },
};
