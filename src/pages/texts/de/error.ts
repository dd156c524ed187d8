import type { error as en } from "../en/error.ts";

export const error: typeof en = {
  request: (id) => `Anfrage ${id}`,
  again: "Noch einmal versuchen",
  haveCode: "Ich habe den Code",
  toStart: "Zur Startseite",
  titles: new Map([
    [400, "Diese Anfrage ist nicht zu verstehen"],
    [401, "Dafür muss man angemeldet sein"],
    [403, "Das ist nicht erlaubt"],
    [404, "Das gibt es hier nicht"],
    [405, "Diese Adresse kann das nicht"],
    [409, "Das passt nicht zu dem, was schon da ist"],
    [413, "Das ist zu groß"],
    [414, "Die Adresse ist zu lang"],
    [415, "In dieser Form ist das nicht zu lesen"],
    [422, "Etwas daran stimmt nicht"],
    [503, "Der Server kann das gerade nicht"],
  ]),
  pages: {
    unknown_topic: {
      title: "Unter diesem Link gibt es kein Topic",
      text: "Vielleicht hat er einen Tippfehler, oder er wurde durch einen neuen ersetzt. Dann sind die Nachrichten unter dem neuen noch da. Wer ihn weitergegeben hat, kennt den neuen.",
    },
    publish_by_post: {
      title: "An diese Adresse werden Nachrichten gesendet",
      text: "Skripte und Tools senden hierher, mit einem API-Schlüssel. Zum Lesen gibt es den Link des Topics: Er endet mit einem langen Schlüssel.",
    },
    unknown_message: {
      title: "Diese Nachricht ist nicht mehr da",
      text: "Sie wurde gelöscht, oder sie war älter, als das Topic Nachrichten behält.",
    },
    not_found: { title: "Unter dieser Adresse ist nichts", text: "Vielleicht hat der Link einen Tippfehler." },
    sign_in_needed: {
      title: "Nicht mehr angemeldet",
      text: "Die Sitzung ist zu Ende, es wurde nichts geändert. Was getippt wurde, ist nicht verloren: anmelden (in einem neuen Tab), dann diese Seite neu laden, das sendet das Formular noch einmal.",
    },
    cross_site: {
      title: "Dieses Formular kam von woanders",
      text: "Keine Seite dieses Servers hat es gesendet, oder der Browser hat es nicht gesagt. Nichts wurde geändert. Die Seite hier öffnen und das Formular noch einmal senden.",
    },
    rate_limited: {
      title: "Das war zu schnell",
      text: "Dieser Server antwortet einer Adresse nur begrenzt oft hintereinander. Einen Moment warten, dann noch einmal versuchen.",
    },
    internal: {
      title: "Das hat nicht geklappt, und es liegt an uns",
      text: "In einer Minute noch einmal versuchen. Bleibt es dabei, steht der Grund im Log des Servers unter dieser Nummer:",
    },
    unavailable: {
      title: "Der Server kann gerade nichts speichern",
      text: "Vielleicht ist seine Platte voll. Nichts wurde geändert, nichts ging verloren. In einer Minute noch einmal versuchen.",
    },
    busy: {
      title: "Der Server hat zu viel zu tun",
      text: "Viele lesen gerade gleichzeitig. In ein paar Sekunden noch einmal versuchen.",
    },
    sign_in_busy: {
      title: "Der Server prüft gerade andere Passwörter",
      text: "Viele Anmeldungen warten auf ihre Prüfung, für diese war kein Platz mehr: niemand hat das Passwort angesehen, und es zählt nicht als Versuch. In 2 Sekunden noch einmal versuchen, und notfalls wieder: wer es am längsten versucht, kommt als Nächstes dran.",
    },
    stopping: { title: "Der Server startet neu", text: "Gleich noch einmal versuchen." },
    not_set_up: {
      title: "Dieser Server wartet auf seine Übernahme",
      before: "Wer ihn gestartet hat, hat einen Einrichtungscode: im Log, in ",
      after: " oder von diesem Befehl ausgegeben.",
    },
  },
};
