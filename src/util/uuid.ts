/** UUIDs of version 8 (RFC 9562 §5.8), whose 122 free bits are ours: names of records for clients that accept nothing else. */
import { BASE32 } from "./ids.ts";

/** The bits of an id of 26 characters that its UUID has no room for. */
const LEFT_OUT = 8n;
const CHARACTERS = 26;

/** The UUID of an id of 26 characters of base32: the first 122 of its 130 bits. */
export const uuidOf = (id: string): string => uuid(numberOf(id) >> LEFT_OUT);

/** The UUID of a hash, at least 32 hexadecimal digits. */
export const uuidOfHash = (hash: string): string => uuid(BigInt(`0x${hash.slice(0, 32)}`) >> 6n);

/** The first and last of the ids that have this UUID, of which one exists if any; undefined if `uuidOf` gives no such text. */
export function idsOf(text: string): { first: string; last: string } | undefined {
  const [, high = "", middle = "", low = ""] = FORM.exec(text)?.map((part) => part.replaceAll("-", "")) ?? [];
  if (high === "") return undefined;
  const bits = (BigInt(`0x${high}${middle}`) << 62n) | (BigInt(`0x${low}`) & LOW);
  const first = bits << LEFT_OUT;
  return { first: textOf(first), last: textOf(first | ((1n << LEFT_OUT) - 1n)) };
}

/** The digits that are not ours: the version 8 and the variant, whose two bits are 10. */
const FORM = /^([0-9a-f]{8}-[0-9a-f]{4})-8([0-9a-f]{3})-([89ab][0-9a-f]{3}-[0-9a-f]{12})$/;
const LOW = (1n << 62n) - 1n;

/** `bits`: 122 of them. */
function uuid(bits: bigint): string {
  const high = (bits >> 62n).toString(16).padStart(15, "0");
  const low = ((bits & LOW) | (1n << 63n)).toString(16);
  return `${high.slice(0, 8)}-${high.slice(8, 12)}-8${high.slice(12)}-${low.slice(0, 4)}-${low.slice(4)}`;
}

function numberOf(id: string): bigint {
  let bits = 0n;
  for (const character of id) bits = (bits << 5n) | BigInt(BASE32.indexOf(character));
  return bits;
}

function textOf(bits: bigint): string {
  let text = "";
  for (let left = bits; text.length < CHARACTERS; left >>= 5n) text = (BASE32[Number(left & 31n)] ?? "") + text;
  return text;
}
