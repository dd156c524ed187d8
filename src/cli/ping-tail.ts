/** The end of an output. */

/** The server keeps no more of the end (CHECKINS.md §2). */
const MAX_BYTES = 8_192;

/** Keeps the last 8 kB of what is added. */
export class Tail {
  bytes: Uint8Array = new Uint8Array();

  add(chunk: Uint8Array): void {
    const kept = Math.min(this.bytes.length, Math.max(0, MAX_BYTES - chunk.length));
    this.bytes = Buffer.concat([this.bytes.subarray(this.bytes.length - kept), chunk.subarray(-MAX_BYTES)]);
  }
}
