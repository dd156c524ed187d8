/** Asks the server for forwards, and reads their settings from the command line. */
import type { TSchema } from "@sinclair/typebox";
import type { Kind } from "../delivery/forwards/kind.ts";
import type { ForwardRecord } from "../forwards/schema.ts";
import { said } from "../rewrites/tool-setup.ts";
import { CommandFailed, JSON_FLAG, UsageError, type Flag, type Invocation } from "./command.ts";
import { namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { withNamed } from "./named.ts";
import { readSecret } from "./password.ts";

export const FORWARD_ARG = "<forward>";
export const FORWARD_FLAGS: readonly Flag[] = [namespaceFlag("the forward"), JSON_FLAG];

export const allForwards = async (local: Local, namespace: string): Promise<ForwardRecord[]> =>
  (await local.ask<{ forwards: ForwardRecord[] }>("GET", `/v1/${namespace}/forwards`)).forwards;

/** Calls `use` with the path of the forward that the first argument names, by id or name. */
export const withForward = async <T>(
  invocation: Invocation,
  use: (local: Local, path: string) => Promise<T>,
): Promise<T> => withNamed({ noun: "forward", all: allForwards }, invocation, use);

/**
 * The settings of `--set`, and the secret ones: those that the kind needs and those of `--ask` are asked for, or read from
 * standard input, because every user of the machine could read an argument.
 */
export async function settingsIn(kind: Kind, { lists }: Invocation): Promise<Record<string, unknown>> {
  const settings: Record<string, unknown> = {};
  for (const given of lists["set"] ?? []) {
    const [, name = "", value = ""] = /^([^=]+)=([^]*)$/.exec(given) ?? [];
    const schema = fieldOf(kind, name, given);
    if (kind.secrets.includes(name))
      throw new UsageError(`--set ${name}=…: use --ask ${name}, everybody can read arguments`);
    settings[name] = valueOf(schema, value);
  }
  const needed = kind.secrets.filter((name) => kind.settings.required?.includes(name) === true);
  for (const name of new Set([...needed, ...(lists["ask"] ?? [])])) {
    fieldOf(kind, name, name);
    const { label } = kind.form[name] ?? { label: name };
    const value = await readSecret(`${said(label, "en")}: `);
    if (value === "") throw new CommandFailed(`${name} is empty; nothing was changed`);
    settings[name] = value;
  }
  return settings;
}

function fieldOf(kind: Kind, name: string, given: string): TSchema {
  const schema = kind.settings.properties[name];
  if (schema !== undefined) return schema;
  throw new UsageError(`${given}: ${kind.name} has the settings ${Object.keys(kind.settings.properties).join(", ")}`);
}

function valueOf(schema: TSchema, text: string): unknown {
  const type: unknown = schema["type"];
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return (type === "integer" || type === "number") && /^-?\d+$/.test(text) ? Number(text) : text;
}
