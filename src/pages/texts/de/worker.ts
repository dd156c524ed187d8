import type { worker as en } from "../en/worker.ts";

export const worker: typeof en = {
  acknowledge: "Bestätigen",
  notAcknowledged: "Das hat den Server nicht erreicht: nicht bestätigt",
  notSent: "„{}“ konnte nicht gesendet werden",
};
