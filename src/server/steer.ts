/**
 * Sends new connections to one of several listeners of a port (SO_REUSEPORT). Else the kernel gives some to the listener that is
 * about to be closed, and resets those that it has not accepted: three with each change of a certificate, with 32 clients that
 * connect without a pause; with this none (measured, PLATFORM.md §8).
 */
import { ptr } from "bun:ffi";
import { readdirSync, readlinkSync } from "node:fs";
import { openLibc } from "../util/libc.ts";

const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** `BPF_RET | BPF_K` of linux/bpf_common.h: the program returns its constant. */
const RETURN = 0x06;

/** The sockets of this process by what they are, `socket:[inode]`; undefined where they cannot be seen, as without `/proc`. */
export function openSockets(folder = "/proc/self/fd"): Map<string, number> | undefined {
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return undefined;
  }
  const sockets = new Map<string, number>();
  for (const fd of files)
    try {
      const target = readlinkSync(`${folder}/${fd}`);
      if (target.startsWith("socket:")) sockets.set(target, Number(fd));
    } catch {
      // the file that read the folder is closed by now
    }
  return sockets;
}

/**
 * All new connections go to the listener of this index, in the order in which they were opened. An index that there is no
 * longer, once the others are closed, lets the kernel choose among those that are left. False: it cannot be done here.
 */
export function steerTo(fd: number, index: number): boolean {
  const instruction = new DataView(new ArrayBuffer(8)); // struct sock_filter
  instruction.setUint16(0, RETURN, true);
  instruction.setUint32(4, index, true);
  const code = new Uint8Array(instruction.buffer);
  const program = new DataView(new ArrayBuffer(16)); // struct sock_fprog
  program.setUint16(0, 1, true);
  program.setBigUint64(8, BigInt(ptr(code)), true);
  const libc = openLibc({ setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" } });
  if (libc === undefined) return false;
  const isSet =
    libc.symbols.setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, new Uint8Array(program.buffer), 16) === 0;
  libc.close();
  return isSet && code.length > 0; // used here, so that no collection frees it before
}
