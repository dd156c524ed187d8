/** Asks the server that is imported from, with a token that is never an argument. */
import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { readFileSync } from "node:fs";
import { CommandFailed, UsageError, type Invocation } from "./command.ts";
import { readable } from "./import-file.ts";

const TIMEOUT_MS = 30_000;

/** The base address of the other server, without a slash at its end. */
export function serverOf(values: Invocation["values"]): string {
  const text = values["url"];
  if (text === undefined) throw new UsageError("--url <address> is missing");
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "")
    throw new UsageError("--url must be an http or https address without a name, password or query");
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}

/** From PEAL_IMPORT_TOKEN, the file PEAL_IMPORT_TOKEN_FILE, or the first line of standard input. */
export async function readToken(of: string): Promise<string> {
  const { PEAL_IMPORT_TOKEN: given, PEAL_IMPORT_TOKEN_FILE: file } = process.env;
  if (given === undefined && file === undefined && process.stdin.isTTY)
    throw new UsageError(`needs ${of} in PEAL_IMPORT_TOKEN, PEAL_IMPORT_TOKEN_FILE or on standard input`);
  const text = given ?? (file === undefined ? await Bun.stdin.text() : readFileSync(readable(file), "utf8"));
  const token = (text.split(/\r?\n/, 1)[0] ?? "").trim();
  if (token === "" || !/^[\x21-\x7e]+$/.test(token))
    throw new UsageError(`${of} is empty or has characters that no token has`);
  return token;
}

/** The JSON of an answer of this form. @throws CommandFailed in words for the operator */
export async function ask<T extends TSchema>(
  url: string,
  headers: Record<string, string>,
  form: T,
): Promise<Static<T>> {
  const path = URL.parse(url)?.pathname ?? url;
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (cause: unknown) => {
      throw new CommandFailed(`${url} can't be reached: ${cause instanceof Error ? cause.message : String(cause)}`, {
        cause,
      });
    },
  );
  if (response.status === 401 || response.status === 403)
    throw new CommandFailed(`${path} answers ${response.status}: the token isn't valid there`);
  if (response.status >= 300 && response.status < 400)
    throw new CommandFailed(`${path} redirects to another address; give that one with --url`);
  if (response.status === 404)
    throw new CommandFailed(`${path} isn't there (404). Is --url right, and is that server of a recent version?`);
  if (!response.ok) throw new CommandFailed(`${path} answers ${response.status}; try again later`);
  const body: unknown = await response.json().catch(() => undefined);
  const error = Value.Errors(form, body).First();
  if (error !== undefined)
    throw new CommandFailed(
      `${path} gives something else than expected (${error.path || "/"}: ${error.message}). Is --url right?`,
    );
  return body;
}

export const URL_FLAG = { name: "url", value: "address", description: "Address of the server." };
export const targetFlags = [
  { name: "namespace", value: "name", description: "Where to; default: PEAL_ADMIN_NAMESPACE. Created if it is new." },
];
export const topicFlag = { name: "topic", value: "name", description: "Topic of the checks' alerts; default: checks." };

/** The namespace that things are imported into. */
export const targetOf = async ({ values, load }: Invocation): Promise<string> =>
  values["namespace"] ?? (await load()).config.adminNamespace;
