import type { notify as en } from "../en/notify.ts";

export const notify: typeof en = {
  about: "Benachrichtigungen",
  start: "Benachrichtigen",
  offTitle: "Auf diesem Gerät benachrichtigen",
  off: "Eine Benachrichtigung für jede neue Nachricht, auch wenn diese Seite geschlossen ist.",
  askingTitle: "Der Browser fragt",
  asking: "Dort Benachrichtigungen erlauben, dann kommen sie auch, wenn diese Seite geschlossen ist.",
  onTitle: "Benachrichtigungen sind für diesen Browser an",
  test: "Test senden",
  stop: "Nicht mehr benachrichtigen",
  lostTitle: "Benachrichtigungen kommen nicht mehr",
  lost: "Der Browser oder sein Push-Dienst hat dieses Abo fallen lassen. Was verpasst wurde, steht hier auf der Seite.",
  startAgain: "Wieder benachrichtigen",
  failedTitle: "Benachrichtigungen sind nicht an",
  blockedTitle: "Dieser Browser blockiert Benachrichtigungen von peal.",
  blocked: "In den Einstellungen der Website erlauben (das Zeichen links der Adresse), dann neu laden.",
  insecureTitle: "Browser nehmen Push nur über https an.",
  insecure:
    "Lesen geht hier. Für Benachrichtigungen braucht es die https-Adresse; wer diesen Server betreibt, kennt sie.",
  unsupportedTitle: "Dieser Browser kann keinen Push empfangen.",
  unsupported:
    "Vielleicht ein privates Fenster oder eine alte Version. Für Benachrichtigungen diese Seite in einem anderen Browser öffnen.",
  homeScreenTitle: "Zweimal tippen bis zur Glocke",
  homeScreen: "iPhones und iPads benachrichtigen nur von einem Symbol auf dem Home-Bildschirm aus.",
  step1: { before: "Auf ", what: "Teilen", after: " in der Leiste des Browsers tippen." },
  step2: { before: "", what: "Zum Home-Bildschirm", after: " wählen." },
  step3: { before: "peal über das neue Symbol öffnen und auf ", what: "Benachrichtigen", after: " tippen." },
};
