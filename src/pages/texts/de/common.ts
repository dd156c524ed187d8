/**
 * Words of every page, in German: short, and addressing nobody where that reads well, else "du".
 *
 * One word for each thing: topic Topic (das) · message Nachricht · namespace Namensraum · key Schlüssel · share link
 * Link zum Teilen · device Gerät · delivery Zustellung · accepted angenommen · expired verfallen · lost verloren ·
 * quiet hours Ruhezeit · mute stummschalten, muted stumm · unmute wieder klingeln · acknowledge bestätigen · check Check · ping Ping · run Lauf
 * · grace Karenz · up in Ordnung · late überfällig · down ausgefallen · paused pausiert · incident Ausfall · revoke
 * widerrufen · replace ersetzen · remove entfernen · delete löschen · claim übernehmen · setup Einrichtung · sign in
 * anmelden · backup Backup · settings Einstellungen.
 */
import type { common as en } from "../en/common.ts";

export const common: typeof en = {
  ownName: "Deutsch",
  locale: "de-DE",
  skip: "Zum Inhalt",
  theme: { toDark: "Zum dunklen Design wechseln", toLight: "Zum hellen Design wechseln" },
  copy: { copy: "Kopieren", done: "Kopiert", command: "Befehl kopieren", number: "Nummer der Anfrage kopieren" },
  command: "Befehl",
  commandLanguage: "Sprache des Befehls",
  tools: { title: "Aus Programmen mit Webhooks" },
  level: { info: "Info", success: "Erfolg", warning: "Warnung", error: "Fehler" },
  priority: { urgent: "Dringend", high: "hohe Priorität", low: "niedrige Priorität" },
  shared: {
    save: "Speichern",
    cancel: "Abbrechen",
    edit: "Bearbeiten",
    keep: "Behalten",
    back: "Zurück",
    undo: "Rückgängig",
    close: "Schließen",
    unmute: "Wieder klingeln",
    signOut: "Abmelden",
    sendTest: "Test senden",
    lookAgain: "Noch einmal nachsehen",
    copyShareLink: "Link kopieren",
    changePassword: "Passwort ändern",
    name: "Name",
    namespace: "Namensraum",
    password: "Passwort",
    newPassword: "Neues Passwort",
    timezone: "Zeitzone",
    tags: "Tags",
    tagsHint: "Durch Kommas getrennt.",
    priority: "Priorität",
    grace: "Karenz",
    show: "Anzeigen",
    all: "Alle",
    older: "Ältere",
    noUndo: "Das lässt sich nicht rückgängig machen.",
    used: "zuletzt benutzt {}",
    from: (address) => `von ${address}`,
    tagged: "Mit Tag",
    settingsOf: (name) => `Einstellungen von ${name}`,
    deleteOf: (name) => `${name} löschen?`,
    removeOf: (name) => `${name} entfernen`,
    shareQr: (topic) => `QR-Code des Links zum Teilen von Topic ${topic}`,
  },
  source: new Map([
    ["api", "API"],
    ["ntfy", "ntfy"],
    ["hook", "Hook"],
    ["check", "Check"],
    ["dashboard", "Dashboard"],
    ["schedule", "geplant"],
    ["system", "peal"],
  ]),
};
