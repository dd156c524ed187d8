/** Finds the files that imports read. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { CommandFailed, UsageError } from "./command.ts";

/** The whole path of a file that can be read. @throws UsageError or CommandFailed in words for the operator */
export function readable(file: string): string {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`there is no file ${path}`);
  if (!statSync(path).isFile()) throw new UsageError(`${path} is not a file`);
  try {
    accessSync(path, constants.R_OK);
  } catch (cause) {
    throw new CommandFailed(`${path} may not be read by this user; run the command as its owner or as root`, { cause });
  }
  return path;
}
