import type { notify as en } from "../../en/feed/notify.ts";

export const notify: typeof en = {
  about: "Benachrichtigungen",
  start: "Benachrichtigen",
  offTitle: "Auf diesem Gerät benachrichtigen",
  off: "Eine Benachrichtigung für jede neue Nachricht, auch wenn diese Seite geschlossen ist.",
  askingTitle: "Der Browser fragt",
  asking: "Dort Benachrichtigungen erlauben, dann kommen sie auch, wenn diese Seite geschlossen ist.",
  joiningTitle: "Der Push-Dienst wird gefragt",
  joining: "Das dauert ein paar Sekunden.",
  onTitle: "Benachrichtigungen sind für diesen Browser an",
  stop: "Nicht mehr benachrichtigen",
  lostTitle: "Benachrichtigungen kommen nicht mehr",
  lost: "Der Browser oder sein Push-Dienst hat dieses Abo beendet. Was verpasst wurde, steht hier auf der Seite.",
  startAgain: "Wieder benachrichtigen",
  failedTitle: "Benachrichtigungen sind nicht an",
  blockedTitle: "Dieser Browser blockiert Benachrichtigungen von peal.",
  blocked: "In den Einstellungen der Website erlauben (das Zeichen links der Adresse), dann neu laden.",
  insecureTitle: "Browser nehmen Push nur über https an.",
  insecure:
    "Lesen ist auch hier möglich. Für Benachrichtigungen braucht es die https-Adresse; wer diesen Server betreibt, kennt sie.",
  insecureApp:
    "Lesen ist auch hier möglich. Benachrichtigungen bringt {} oder die https-Adresse; wer diesen Server betreibt, kennt sie.",
  ntfyApp: "die ntfy-App",
  unsupportedTitle: "Dieser Browser kann keinen Push empfangen.",
  unsupported:
    "Vielleicht ein privates Fenster oder eine alte Version. Für Benachrichtigungen diese Seite in einem anderen Browser öffnen.",
  unsupportedApp:
    "Vielleicht ein privates Fenster oder eine alte Version. Benachrichtigungen bringt ein anderer Browser oder {}.",
  homeScreenTitle: "Zweimal tippen bis zur Glocke",
  homeScreen: "iPhones und iPads benachrichtigen nur von einem Symbol auf dem Home-Bildschirm aus.",
  quiet: "Hier stumm",
  quietWhat: "Schaltet dieses Topic nur auf diesem Gerät stumm, auch Dringendes. Auf der Seite steht alles.",
  quietHour: "1 Stunde",
  quietTomorrow: "Bis morgen",
  mutedWhat: "Bis dahin kommt von diesem Topic nichts auf dieses Gerät.",
  step1: { before: "Auf ", what: "Teilen", after: " in der Leiste des Browsers tippen." },
  step2: { before: "", what: "Zum Home-Bildschirm", after: " wählen." },
  step3: { before: "peal über das neue Symbol öffnen und auf ", what: "Benachrichtigen", after: " tippen." },
};
