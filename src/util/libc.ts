/** The C library, for the few calls that Bun has no function for. */
import { dlopen, type FFIFunction, type Library } from "bun:ffi";

/** glibc, and musl under the names that it has on each processor. */
const NAMES = ["libc.so.6", "libc.musl-x86_64.so.1", "libc.musl-aarch64.so.1"];

/** Opens it with these functions. Undefined where there is none: on another system than Linux, where the numbers of calls differ too. */
export function openLibc<Functions extends Record<string, FFIFunction>>(
  functions: Functions,
): Library<Functions> | undefined {
  for (const name of NAMES)
    try {
      return dlopen(name, functions);
    } catch {
      // the next name
    }
  return undefined;
}
