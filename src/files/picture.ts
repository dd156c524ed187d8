/**
 * Tells pictures by their first bytes: what they are, and how large they are shown. Pure; it never throws, and looks at no
 * byte twice. Sources: PNG (RFC 2083 §3.1, §4.1.1), GIF89a §17–18, WebP (RFC 9649 §2), JPEG (ITU-T T.81 B.1.1, B.2.2),
 * Exif 2.32 §4.6.2.
 */

export interface Picture {
  type: "image/png" | "image/jpeg" | "image/gif" | "image/webp";
  /** Pixels, turned as it is shown. Absent if the size is too far from the beginning, or broken. */
  width?: number;
  height?: number;
}

/** How much of the beginning is examined: a JPEG has its preview and its colour profile before its size. */
export const PICTURE_HEAD = 131_072;
/** This many bytes tell what it is. */
export const PICTURE_MARK = 16;

/** Undefined if it is not a picture that browsers are shown. */
export function pictureIn(head: Uint8Array): Picture | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (const { type, begins, size } of KINDS) {
    if (!begins.every(([at, text]) => reads(head, at, text))) continue;
    const [width, height] = within(view, size) ?? [0, 0];
    return width > 0 && height > 0 ? { type, width, height } : { type };
  }
  return undefined;
}

type Size = (view: DataView) => readonly [width: number, height: number] | undefined;

interface Kind {
  type: Picture["type"];
  begins: readonly (readonly [at: number, text: string])[];
  size: Size;
}

/** Undefined if the size would lie behind the end. */
function within(view: DataView, size: Size): ReturnType<Size> {
  try {
    return size(view);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const reads = (bytes: Uint8Array, at: number, text: string): boolean =>
  Buffer.from(bytes.subarray(at, at + text.length)).toString("latin1") === text;

const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** 24 bits, the lowest byte first. */
const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16);

function webp(view: DataView): ReturnType<Size> {
  switch (textAt(view, 12)) {
    case "VP8 ":
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case "VP8L": {
      const bits = view.getUint32(21, true);
      return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
    }
    case "VP8X":
      return [uint24(view, 24) + 1, uint24(view, 27) + 1];
    default:
      return undefined;
  }
}

const [SOF0, SOF15, DHT, JPG, DAC, SOS, APP1] = [0xc0, 0xcf, 0xc4, 0xc8, 0xcc, 0xda, 0xe1];
const NO_FRAMES = new Set([DHT, JPG, DAC]);

/** Goes from segment to segment, up to the frame. */
function jpeg(view: DataView): ReturnType<Size> {
  let isTurned = false;
  for (let at = 2; ;) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) {
      at += 1; // padding
      continue;
    }
    if (marker === SOS) return undefined;
    const length = view.getUint16(at + 2);
    if (length < 2) return undefined;
    if (marker === APP1) isTurned ||= isTurnedByExif(view, at + 4, length - 2);
    if (marker >= SOF0 && marker <= SOF15 && !NO_FRAMES.has(marker)) {
      const [height, width] = [view.getUint16(at + 5), view.getUint16(at + 7)];
      return isTurned ? [height, width] : [width, height];
    }
    at += 2 + length;
  }
}

const ORIENTATION = 0x0112;
/** From this value on, width and height change places. */
const FIRST_TURNED = 5;
const ENTRY_BYTES = 12;
const MAX_ENTRIES = 100;

/** A phone stores a picture the way its sensor is held, and says how to turn it. */
function isTurnedByExif(view: DataView, at: number, length: number): boolean {
  const exif = new DataView(view.buffer, view.byteOffset + at, Math.min(length, view.byteLength - at));
  const found = within(exif, (one) => {
    if (textAt(one, 0) !== "Exif") return undefined;
    const isLittle = one.getUint16(6) === 0x4949;
    const first = 6 + one.getUint32(10, isLittle);
    const entries = Math.min(MAX_ENTRIES, one.getUint16(first, isLittle));
    for (let n = 0, entry = first + 2; n < entries; n++, entry += ENTRY_BYTES)
      if (one.getUint16(entry, isLittle) === ORIENTATION) return [one.getUint16(entry + 8, isLittle), 0];
    return undefined;
  });
  return found !== undefined && found[0] >= FIRST_TURNED && found[0] <= 8;
}

const KINDS: readonly Kind[] = [
  { type: "image/png", begins: [[0, "\x89PNG\r\n\x1a\n"]], size: (view) => [view.getUint32(16), view.getUint32(20)] },
  { type: "image/jpeg", begins: [[0, "\xff\xd8\xff"]], size: jpeg },
  { type: "image/gif", begins: [[0, "GIF87a"]], size: (view) => [view.getUint16(6, true), view.getUint16(8, true)] },
  { type: "image/gif", begins: [[0, "GIF89a"]], size: (view) => [view.getUint16(6, true), view.getUint16(8, true)] },
  { type: "image/webp", begins: [[0, "RIFF"], [8, "WEBP"]], size: webp }, // prettier-ignore
];
