import type { docs as en } from "../en/docs.ts";

export const docs: typeof en = {
  title: "HTTP-API",
  version: (version) => `peal ${version}`,
  sameAs: "Dasselbe für Programme:",
  keys: "Ein Schlüssel steht im Header Authorization: Bearer svc_…, oder bei Basic als Passwort. Fehler sind Problems nach RFC 9457: code sagt, welcher, detail, was zu tun ist. Die Beschreibungen sind englisch.",
  contents: "Inhalt",
  needsKey: "Braucht einen API-Schlüssel.",
  needsNone: "Braucht keinen Schlüssel.",
  parameters: "Parameter",
  body: "Inhalt der Anfrage",
  problem: "Ein Problem.",
  required: "Pflicht",
  or: "oder",
  listOf: (of, most) => `Liste von ${of}${most === undefined ? "" : `, ≤ ${most}`}`,
  characters: "Zeichen",
  bytes: "Bytes",
  anything: "beliebig",
};
