/** Asks the server for forwards, and reads their settings from the command line. */
import type { TSchema } from "@sinclair/typebox";
import type { Kind } from "../delivery/forwards/kind.ts";
import type { ForwardRecord } from "../forwards/schema.ts";
import { said } from "../rewrites/tool-setup.ts";
import { CommandFailed, JSON_FLAG, UsageError, type Flag, type Invocation } from "./command.ts";
import { namespaceFlag } from "./in-namespace.ts";
import type { Local } from "./local.ts";
import { withNamed } from "./named.ts";
import { readSecrets } from "./password.ts";

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
 * The settings of `--set`, and the secret ones: those that the kind needs and then those of `--ask` are asked for, or are lines
 * of standard input, because every user of the machine could read an argument.
 */
export async function settingsIn(kind: Kind, { lists }: Invocation): Promise<Record<string, unknown>> {
  const settings: Record<string, unknown> = {};
  for (const given of lists["set"] ?? []) {
    const [, name, value = ""] = /^([^=]+)=([^]*)$/.exec(given) ?? [];
    if (name === undefined) throw new UsageError("--set takes field=value");
    const schema = fieldOf(kind, name);
    if (kind.secrets.includes(name))
      throw new UsageError(`--set ${name}=…: use --ask ${name}, everybody can read arguments`);
    settings[name] = valueOf(schema, value);
  }
  const needed = kind.secrets.filter((name) => kind.settings.required?.includes(name) === true);
  const asked = [...new Set([...needed, ...(lists["ask"] ?? [])])];
  for (const name of asked) fieldOf(kind, name);
  const answers = await readSecrets(asked.map((name) => `${said(kind.form[name]?.label ?? name, "en")}: `));
  for (const [at, name] of asked.entries()) {
    const value = answers[at] ?? "";
    if (value === "") throw new CommandFailed(`${name} is empty; nothing was changed`);
    settings[name] = value;
  }
  return settings;
}

/** @throws UsageError without the value, which may be a secret */
function fieldOf(kind: Kind, name: string): TSchema {
  const fields = new Map(Object.entries(kind.settings.properties));
  const schema = fields.get(name);
  if (schema !== undefined) return schema;
  throw new UsageError(`${name}: ${kind.name} has the settings ${[...fields.keys()].join(", ")}`);
}

function valueOf(schema: TSchema, text: string): unknown {
  const type: unknown = schema["type"];
  if (type === "boolean" && /^(?:true|false)$/.test(text)) return text === "true";
  return (type === "integer" || type === "number") && /^-?\d+$/.test(text) ? Number(text) : text;
}
