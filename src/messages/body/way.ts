/** Decides how a body is read: by its headers, or by its first bytes if the headers say nothing. Pure. */
import { isUtf8 } from "node:buffer";
import { pictureIn } from "../../files/picture.ts";
import { mediaType } from "../../http/body.ts";

/** How a body is read. `look`: its bytes show whether it is a file. */
export type Way = "plain" | "file" | "form" | "look";

export function wayOf({ method }: Pick<Request, "method">, contentType: string, filename: string | undefined): Way {
  if (filename !== undefined) return "file";
  if (contentType === "") return method === "PUT" ? "look" : "plain";
  const type = mediaType(contentType);
  if (type === "multipart/form-data") return "form";
  if (type === "application/octet-stream") return "look";
  return isFileType(type) ? "file" : "plain";
}

const FILE_TYPES = new Set(
  "pdf zip gzip x-gzip x-tar x-7z-compressed vnd.rar x-bzip2 x-xz zstd epub+zip msword x-pcap vnd.tcpdump.pcap"
    .split(" ")
    .map((name) => `application/${name}`),
);
const isFileType = (type: string): boolean => /^(?:image|audio|video|font)\//.test(type) || FILE_TYPES.has(type);

/** Whether bytes of no stated type are text. PowerShell sends Latin-1 and UTF-16, but says that it is text. */
export function isTextOf(bytes: Uint8Array, contentType: string): boolean {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return true;
  if (bytes.includes(0) || pictureIn(bytes) !== undefined || isPdf(bytes)) return false;
  return contentType === "" || isUtf8(bytes);
}

const isPdf = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 5)).toString("latin1") === "%PDF-";
