import type { home as en } from "../en/home.ts";

export const home: typeof en = {
  title: "peal läuft",
  lede: "Was hier veröffentlicht wird, liest man über den Link zum Teilen des Topics.",
  publish: "Eine Nachricht veröffentlichen",
  publishHint:
    "$KEY ist ein API-Schlüssel. Der erste Teil der Adresse ist sein Namensraum, der zweite das Topic, das dabei entsteht, wenn es neu ist.",
  read: "Ein Topic lesen",
  readBefore: "Die Antwort auf eine veröffentlichte Nachricht enthält eine ",
  readAfter: ": den Link zum Teilen des Topics. Wer ihn hat, kann das Topic lesen, und sonst niemand.",
  docs: "Die ganze HTTP-API",
};
