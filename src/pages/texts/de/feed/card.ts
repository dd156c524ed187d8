import type { card as en } from "../../en/feed/card.ts";
import { count, number } from "../numbers.ts";

export const card: typeof en = {
  message: (id) => `Nachricht ${number(id)}`,
  resolved: "Behoben",
  firingSince: "aktiv seit",
  firingFor: "aktiv seit {}",
  happened: "geschehen",
  open: (host) => `${host} öffnen`,
  write: (address) => `An ${address} schreiben`,
  call: (telephone) => `${telephone} anrufen`,
  image: (host) => `Bild von ${host}`,
  expired: "die Datei ist abgelaufen",
  showLines: (lines) => (lines === 1 ? "Die ganze Zeile zeigen" : `Alle ${count(lines, "Zeile", "Zeilen")} zeigen`),
  showAll: "Alles zeigen",
  earlier: (n, more) => (more ? `die ${number(n)} davor und weitere` : `${number(n)} frühere`),
  menu: "Mehr zu dieser Nachricht",
  waiting: "wartet auf jemanden",
  ringsUntil: "Klingelt jede Minute, bis jemand bestätigt, längstens bis",
  rangUntil: "Niemand hat bestätigt. Geklingelt hat es bis",
  acknowledge: "Bestätigen",
  needsConnection: "Zum Bestätigen muss dieses Gerät online sein.",
  notAcknowledged: "Das hat den Server nicht erreicht. Noch einmal versuchen.",
  acknowledged: "bestätigt",
  copyText: "Text kopieren",
  copyLink: "Link kopieren",
  copyCurl: "Als curl kopieren",
};
