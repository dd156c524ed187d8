import type { phone as en } from "../en/phone.ts";

export const phone: typeof en = {
  title: "Aufs Telefon damit",
  app: "Mit der ntfy-App",
  beside:
    "Die Seite des Topics auf dem Telefon öffnen und auf {} tippen, oder die ntfy-App nehmen, kostenlos für Android und iPhone.",
  instead:
    "Browser nehmen Push nur über https an. Die ntfy-App kommt ohne aus und ist kostenlos, für Android und iPhone.",
  direct: "Die App verbindet sich selbst mit diesem Server. Sie klingelt also überall, wo das Telefon ihn erreicht.",
  withPath:
    "Mit der ntfy-App lässt sich dieser Server nicht lesen: Sie nimmt nur Adressen ohne Pfad an, und diese endet mit {}.",
  ownMachine:
    "Unter {} erreicht das Telefon nichts. Diese Seite mit der Adresse des Servers im eigenen Netz öffnen, etwa {}: Dann steht hier, was in die App gehört.",
  machine: "mein-server",
  onAndroid: "Die ntfy-App auf Android",
  androidInstall: "ntfy von {} oder {} installieren.",
  androidOpen: "Diesen Code scannen, oder die Seite des Topics auf dem Telefon öffnen und auf {} tippen.",
  openIn: "In ntfy öffnen",
  qr: (topic) => `QR-Code, der das Topic ${topic} in der ntfy-App öffnet`,
  androidAllow: "Benachrichtigungen erlauben, und die Akku-Optimierung ausschalten, falls die App danach fragt.",
  androidType: "Es öffnet sich nichts? In der App auf {} tippen, {} einschalten und eingeben:",
  androidAnother: "Anderen Server verwenden",
  onIphone: "Die ntfy-App auf dem iPhone",
  iphoneInstall: "ntfy aus dem {} installieren.",
  iphoneServer: "In ihren Einstellungen als {} eintragen:",
  iphoneTopic: "Auf {} tippen und dieses Topic eingeben:",
  iphoneLate:
    "Sofort kommen Nachrichten nur, wenn auf diesem Server {} gesetzt ist. Sonst entscheidet iOS, wann die App nachsieht: binnen einer halben Stunde, oder erst nach Stunden, wenn das Telefon ruht.",
  iphoneAtOnce: (host) =>
    `Nachrichten kommen sofort: Dieser Server weckt die App über ${host}, und dort ist nur zu sehen, dass es etwas Neues gibt.`,
  server: "Adresse des Servers",
  topic: "Topic",
  copyServer: "Adresse des Servers kopieren",
  copyTopic: "Topic kopieren",
};
