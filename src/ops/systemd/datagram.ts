/** Datagrams to a unix socket, by the C library: `node:dgram` has no unix sockets (unix(7)). */
import { ptr } from "bun:ffi";
import { openLibc } from "../../util/libc.ts";

const AF_UNIX = 1;
const SOCK_DGRAM = 2;
const SOCK_CLOEXEC = 0o2000000;
const MSG_DONTWAIT = 0x40;
const MSG_NOSIGNAL = 0x4000;
/** `sun_path` of `struct sockaddr_un`. */
const PATH_BYTES = 108;

const FUNCTIONS = {
  socket: { args: ["int", "int", "int"], returns: "int" },
  sendto: { args: ["int", "ptr", "usize", "int", "ptr", "u32"], returns: "i64" },
} as const;

/** Sends a text; never waits. @throws Error when the socket does not take it */
export type SendDatagram = (text: string) => void;

/** `address`: an absolute path, or a name of Linux's abstract sockets behind an `@`. @throws Error when there is none */
export function datagramsTo(address: string): SendDatagram {
  const to = socketAddress(address);
  const libc = openLibc(FUNCTIONS);
  if (libc === undefined) throw new Error("there is no C library by a name that peal knows");
  const { symbols } = libc;
  const socket = symbols.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) throw new Error("no socket could be made");
  return (text) => {
    const bytes = Buffer.from(text);
    const sent = symbols.sendto(socket, ptr(bytes), bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL, ptr(to), to.length);
    if (Number(sent) !== bytes.length) throw new Error(`${address} did not take the datagram`);
  };
}

/** `struct sockaddr_un`: the family, and the path with a zero behind it, or an abstract name behind a zero. */
export function socketAddress(address: string): Uint8Array {
  const path = Buffer.from(address.startsWith("@") ? `\0${address.slice(1)}` : `${address}\0`);
  if (!/^[/@]./.test(address) || path.length > PATH_BYTES) throw new Error(`${address} is no address of a unix socket`);
  return Buffer.concat([Buffer.from(Uint16Array.of(AF_UNIX).buffer), path]);
}
