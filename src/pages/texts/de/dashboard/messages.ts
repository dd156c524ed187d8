/** Alle Nachrichten aller Topics in einer Liste. */
import type { messages as en } from "../../en/dashboard/messages.ts";

export const messages: typeof en = {
  title: "Nachrichten",
  search: "Alle Nachrichten durchsuchen",
  open: "Unbestätigt",
  noneOpen: "Alles ist bestätigt",
  searchedTo: "Bisher durchsucht: zurück bis {}.",
};
