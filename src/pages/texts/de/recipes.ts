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
  nodeRed: "Menü, Import: was als payload ankommt, wird veröffentlicht",
  alertmanager: "Ein Receiver der Konfigurationsdatei",
  authentik: "Events, Notification Transports, Create; danach in einer Notification Rule auswählen",
  jellyfin:
    "Dashboard, Plugins, Webhook (aus dem Katalog), Add Generic Destination; dann ankreuzen, was gesendet werden soll",
  switchOn: "Einschalten",
  watchtower: "Die Umgebung des Containers",
};
