import type { signin as en } from "../../en/dashboard/signin.ts";
import { count, number } from "../numbers.ts";

export const signin: typeof en = {
  title: "Anmelden",
  signIn: "Anmelden",
  refused: "Name und Passwort passen nicht zusammen.",
  left: (tries: number) => `Noch ${count(tries, "Versuch", "Versuche")} in dieser Minute von dieser Adresse.`,
  forgottenBefore: "Vergessen? Auf dem Server setzt ",
  forgottenAfter: " ein neues und meldet überall ab.",
  aName: "NAME",

  confirmTitle: "Noch einmal das Passwort",
  confirmLede:
    "Höchstens alle 10 Minuten gefragt: vor neuen Schlüsseln, bei Personen und vor dem, was nicht rückgängig zu machen ist.",
  confirmAs: "Angemeldet als ",
  confirm: "Weiter",
  wrongPassword: "Das Passwort stimmt nicht.",
  notNow: "Nicht jetzt",
  flash: {
    sendAgain: "Noch ist nichts geschehen: das Formular ansehen und noch einmal absenden.",
    downloadAgain: "Das Passwort stimmt. Jetzt noch einmal herunterladen.",
  },

  unknownTitle: (name: string) => `Hier heißt niemand „${name}“`,
  unknownText:
    "Der Proxy hat jemanden unter diesem Namen angemeldet. Ein Admin legt die Person unter Einstellungen an, oder auf dem Server dieser Befehl:",

  fault: {
    nameWrong: "1 bis 64 Zeichen, und keine unsichtbaren.",
    nameTaken: "So heißt hier schon jemand.",
    short: (characters: number, missing: number) =>
      characters === 0
        ? "Mindestens 12 Zeichen."
        : `${count(characters, "Zeichen", "Zeichen")}, es ${missing === 1 ? "fehlt noch eins" : `fehlen noch ${number(missing)}`}.`,
    long: "Das sind mehr als 1.024 Bytes.",
  },
};
