/** Files in `tls/` of the data directory, for its owner alone. */
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { writeWhole } from "../util/whole-file.ts";
import { Told } from "./acme/problem.ts";

/** Undefined: there is none. @throws Told */
export function readKept(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw told("read", error);
  }
}

/** Whole or not at all, also after a power cut. @throws Told */
export function writeKept(path: string, text: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeWhole(path, text);
  } catch (error) {
    throw told("write", error);
  }
}

/** @throws Told */
export function forget(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    throw told("delete", error);
  }
}

const told = (what: string, error: unknown): Told =>
  new Told(`peal cannot ${what} a file of its own: ${error instanceof Error ? error.message : String(error)}.`);
