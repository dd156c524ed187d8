import type { worker as en } from "../en/worker.ts";

export const worker: typeof en = {
  acknowledge: "Bestätigen",
  notAcknowledged: "Das hat den Server nicht erreicht: nicht bestätigt",
  notSent: "„{}“ konnte nicht gesendet werden",
  offline: "Keine Verbindung",
  offlineWhy:
    "Das Dashboard ist privat, deshalb ist auf diesem Gerät nichts davon gespeichert. Es öffnet sich wieder, sobald der Server erreichbar ist.",
  again: "Noch einmal versuchen",
};
