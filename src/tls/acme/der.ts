/** DER (X.690), as far as requests for certificates and their names need it. */

export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const n = content.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const octets = (...parts: readonly Uint8Array[]): Buffer => der(0x04, ...parts);
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);

/** The first two arcs share a byte, the others are in base 128. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const high = (arc: number): number[] => base128(arc).map((byte) => byte | 0x80);
  const base128 = (arc: number): number[] => (arc < 0x80 ? [arc] : [...high(arc >> 7), arc & 0x7f]);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

export interface Value {
  tag: number;
  content: Buffer;
}

/** The values that follow each other in `bytes`. @throws RangeError if they are cut off */
export function values(bytes: Buffer): Value[] {
  const found: Value[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = bytes.readUInt8(at);
    const first = bytes.readUInt8(at + 1);
    const more = first < 0x80 ? 0 : first & 0x7f;
    const length = more === 0 ? first : bytes.readUIntBE(at + 2, more);
    const from = at + 2 + more;
    if (from + length > bytes.length) throw new RangeError("the DER is cut off");
    found.push({ tag, content: bytes.subarray(from, from + length) });
    at = from + length;
  }
  return found;
}
