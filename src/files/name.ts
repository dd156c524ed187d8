/** Makes names of files from what senders write: for pages, readers' disks, and headers. Pure. */
import { cut, oneLine } from "../util/text/text.ts";

const MAX_CHARACTERS = 120;
const MAX_ENDING = 12;
/** Characters that readers' file systems or shells do not take as part of a name. */
const UNSAFE = /[<>:"|?*\\/]/g;
/** Names of devices on Windows, whatever extension they have. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** Extensions by media type, for files without a name. */
const ENDINGS = new Map([
  ["image/jpeg", "jpg"],
  ["image/png", "png"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["audio/mpeg", "mp3"],
  ["video/mp4", "mp4"],
  ["application/pdf", "pdf"],
  ["application/zip", "zip"],
  ["application/gzip", "gz"],
  ["text/plain", "txt"],
]);

/** The last part of a path, on one line, at most 120 characters with its extension; never empty. */
export function fileName(given: string, type: string): string {
  const last = given.split(/[\\/]/).at(-1) ?? "";
  const plain = oneLine(last.toWellFormed().normalize("NFC")).replaceAll(UNSAFE, "_").replaceAll(/\s+/g, " ");
  const name = plain.replace(/^[. ]+|[. ]+$/g, "").replace(DEVICE, "_$&");
  return name === "" ? `file.${ENDINGS.get(type) ?? "bin"}` : shortened(name);
}

function shortened(name: string): string {
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= MAX_ENDING ? name.slice(dot) : "";
  const stem = ending === "" ? name : name.slice(0, dot);
  return cut(stem, MAX_CHARACTERS - ending.length) + ending;
}

/** `Content-Disposition` (RFC 6266): the name in ASCII for old readers, and the whole name (RFC 8187). */
export function disposition(kind: "inline" | "attachment", name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, "_");
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded(name)}`;
}

/** The `value-chars` of RFC 8187 §3.2.1 are fewer than `encodeURIComponent` leaves. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
