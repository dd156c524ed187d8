/** Programs for Intel Macs, which Bun leaves with the signature of its own runtime: it does not fit what was added. */

const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;

/**
 * The program without its signature (Apple, mach-o/loader.h): an Intel Mac runs a program without one, and ends a program whose
 * pages are not as signed. On Apple silicon one is needed, and there Bun signs anew.
 * @throws Error on a program that is built in another way
 */
export function withoutSignature(program: Uint8Array): Uint8Array {
  const view = new DataView(program.buffer, program.byteOffset, program.length);
  const u32 = (at: number) => view.getUint32(at, true);
  if (u32(0) !== MAGIC_64) throw new Error("no program for macOS");
  const commands: { at: number; kind: number; bytes: number }[] = [];
  for (let at = HEADER_BYTES, n = 0; n < u32(16); n++) {
    const bytes = u32(at + 4);
    commands.push({ at, kind: u32(at), bytes });
    at += bytes;
  }
  const last = commands.at(-1);
  const linked = commands.filter(
    ({ at, kind }) => kind === LC_SEGMENT_64 && nameAt(program, at + 8) === "__LINKEDIT",
  )[0];
  if (
    last?.kind !== LC_CODE_SIGNATURE ||
    linked === undefined ||
    u32(last.at + 8) + u32(last.at + 12) !== program.length
  )
    throw new Error("the signature is not where it is expected");
  const end = u32(last.at + 8);
  const unsigned = program.slice(0, end);
  const edit = new DataView(unsigned.buffer);
  edit.setUint32(16, u32(16) - 1, true); // how many commands
  edit.setUint32(20, u32(20) - last.bytes, true); // their size
  unsigned.fill(0, last.at, last.at + last.bytes);
  // the segment that the signature was the end of: its file offset, and how far it goes
  edit.setBigUint64(linked.at + 48, BigInt(end) - view.getBigUint64(linked.at + 40, true), true);
  return unsigned;
}

const nameAt = (program: Uint8Array, at: number): string =>
  Buffer.from(program.subarray(at, at + 16))
    .toString("latin1")
    .replace(/\0.*/, "");
