import type { forwards as en } from "../../en/dashboard/forwards.ts";

export const forwards: typeof en = {
  add: "An einen anderen Dienst weiterleiten",
  lede: "Jede Nachricht eines Topics geht weiter an einen Dienst, den es schon gibt, mit so vielen Versuchen wie bei einem Telefon.",
  services: "Dienste",
  about: new Map([
    [
      "webhook",
      "Ein eigenes Programm, als JSON, dessen Herkunft es prüfen kann; oder alles, was das Format von Slack oder Discord annimmt.",
    ],
    ["ntfy", "Ein Topic auf einem anderen ntfy-Server."],
    ["gotify", "Eine Anwendung auf einem Gotify-Server."],
    ["discord", "Ein Kanal auf einem Discord-Server."],
    ["slack", "Slack, auch Mattermost oder Rocket.Chat."],
    ["telegram", "Ein Chat oder eine Gruppe, über einen Bot."],
    ["matrix", "Ein Raum auf einem Matrix-Server."],
    ["pushover", "Die Apps von Pushover; Dringendes kann klingeln, bis es jemand bestätigt."],
    ["apprise", "Rund 130 weitere Dienste, über einen Apprise-API-Server."],
    ["email", "Eine Adresse, über den eigenen E-Mail-Anbieter."],
  ]),
  newOne: (service) => `Weiterleiten an ${service}`,
  changeOf: (name) => `Wohin ${name} sendet`,
  topic: "Nachrichten aus dem Topic",
  topicHint: "Sein Link zum Teilen, oder dessen Ende.",
  nameHint: "So heißt die Weiterleitung in Listen. Bleibt das Feld leer, heißt sie wie der Dienst.",
  asUsual: "Standard",
  secretStays: "Ist gesetzt und wird nie wieder gezeigt. Bleibt das Feld leer, bleibt es dabei.",
  removeSecret: (label) => `Entfernen: ${label}`,
  create: "Weiterleitung anlegen",
  noTopicYet: "Noch gibt es kein Topic",
  where: "Wohin sie sendet",
  isSet: "gesetzt, wird nicht gezeigt",
  change: "Ändern …",
  ofServer: "Vom Server selbst angelegt, weil {} gesetzt ist.",
  wrong: {
    name: "Ein Name hat 1 bis 100 Zeichen.",
    needed: "Dieses Feld ausfüllen.",
    shape: (example) =>
      `Das hat nicht die Form, die dieses Feld braucht${example === undefined ? "" : `, zum Beispiel ${example}`}.`,
    number: (least, most) =>
      most === Infinity
        ? `Eine ganze Zahl ab ${least} eingeben.`
        : `Eine ganze Zahl von ${least} bis ${most} eingeben.`,
    length: (least, most) => `${least} bis ${most} Zeichen eingeben.`,
    again: "Noch einmal eingeben: Die Seite bekommt Geheimes nicht zurück.",
    host: (host) =>
      `Dorthin sendet peal nicht: Die Adresse ist nicht öffentlich, oder die Verbindung ist nicht verschlüsselt. Wer diesen Server betreibt, kann sie mit PEAL_FORWARD_HOSTS=${host} erlauben.`,
    full: "Mehr Weiterleitungen kann dieser Namensraum nicht haben, oder das Topic nicht mehr Geräte.",
    said: new Map([
      [
        "is this server: a message would come back, and be forwarded again",
        "Das ist dieser Server: Jede Nachricht käme zurück und würde wieder weitergeleitet.",
      ],
      ["must not have a user name or password", "Die Adresse ohne Benutzername und Passwort eingeben."],
      [
        "can't be used together with a user name",
        "Entweder ein Token oder einen Benutzernamen eingeben, nicht beides.",
      ],
      [
        "either `key` or `urls` is needed, not both",
        "Entweder den Schlüssel einer Konfiguration oder Apprise-URLs eingeben, nicht beides.",
      ],
      ["can only be used with `key`", "Tags gibt es nur zusammen mit dem Schlüssel einer Konfiguration."],
      ["must be one mail address, or `Name <address>`", "Eine einzige Adresse eingeben, mit oder ohne Namen."],
      ["must be mail addresses with commas between them", "E-Mail-Adressen eingeben, durch Kommas getrennt."],
      ["has more than 20 addresses", "Höchstens 20 Adressen eingeben."],
      [
        "must be entered again, because it would go to another host",
        "Noch einmal eingeben: Es ginge an einen anderen Server.",
      ],
      [
        "must be `whsec_` and the base64 of 16 bytes or more",
        "whsec_ und mindestens 16 Byte in Base64 eingeben, oder einen beliebigen anderen Text.",
      ],
    ]),
  },
  noTopics: "Sie folgt keinem Topic, also bekommt der Dienst nichts.",
  removed: {
    link: "Weiterleitung entfernen …",
    again: "Um sie wieder anzulegen, braucht es ihre Zugangsdaten.",
    button: "Weiterleitung entfernen",
    keep: "Weiterleitung behalten",
  },
  flash: {
    made: (name) => `${name} ist bereit. Mit einem Test zeigt sich, ob etwas ankommt.`,
    changed: "Gespeichert. Mit einem Test zeigt sich, ob etwas ankommt.",
  },
};
