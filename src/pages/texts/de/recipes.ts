import type { recipes as en } from "../en/recipes.ts";

export const recipes: typeof en = {
  homeAssistant: "configuration.yaml, danach eine Aktion mit notify.peal",
  githubActions: "Als letzter Schritt des Jobs; der Schlüssel ist ein Secret des Repositorys, PEAL_KEY",
  apprise: "Ein Befehl, oder eine Zeile der Konfigurationsdatei",
  command: "Befehl",
  systemd: "Eine Unit, die startet, wenn eine andere fehlschlägt",
  aboveJobs: "Über den Jobs",
  behindJob: "Hinter einem Job",
  restic: "Ein Skript um restic herum, oder die Befehle von borgmatic",
  resticScript: "restic, als Skript",
  smartd: "smartd.conf und ein Skript, das von dort gestartet wird",
  truenas: "System, Advanced, Cron Jobs, alle 15 Minuten: seine Warnungen sind eine Karte, die aktuell gehalten wird",
  nodeRed: "Menü, Import: was als payload ankommt, wird veröffentlicht",
  alertmanager: "Ein Receiver der Konfigurationsdatei",
  shoutrrr: "Benachrichtigungs-URL von Beszel, WATCHTOWER_NOTIFICATION_URL von Watchtower",
};
