import type { signin as en } from "../en/signin.ts";
import { count } from "./numbers.ts";

export const signin: typeof en = {
  title: "Anmelden",
  name: "Name",
  password: "Passwort",
  signIn: "Anmelden",
  refused: "Name und Passwort passen nicht zusammen.",
  left: (tries: number) => `Noch ${count(tries, "Versuch", "Versuche")} in dieser Minute von dieser Adresse.`,
  forgottenBefore: "Vergessen? Auf dem Server setzt ",
  forgottenAfter: " ein neues und meldet überall ab.",
  aName: "NAME",

  confirmTitle: "Noch einmal das Passwort",
  confirmLede:
    "Alle 10 Minuten einmal gefragt, vor neuen Schlüsseln und vor allem, was nicht rückgängig zu machen ist.",
  confirmAs: "Angemeldet als ",
  confirm: "Weiter",
  wrongPassword: "Das ist nicht das Passwort.",
  notNow: "Nicht jetzt",

  unknownTitle: (name: string) => `„${name}“ gibt es hier nicht`,
  unknownText:
    "Der Proxy hat diesen Namen angemeldet. Ein Admin legt ihn unter Einstellungen an, oder auf dem Server dieser Befehl:",

  fault: {
    nameWrong: "1 bis 64 Zeichen, und keine unsichtbaren.",
    nameTaken: "So heißt hier schon jemand.",
    short: (characters: number, missing: number) =>
      characters === 0
        ? "Mindestens 12 Zeichen."
        : `${count(characters, "Zeichen", "Zeichen")}. ${missing === 1 ? "Eins mehr genügt" : `${String(missing)} mehr genügen`}.`,
    long: "Das sind mehr als 1.024 Bytes.",
  },
};
