/** The table of docs/from-ntfy.md: what ntfy's documentation shows, and what peal makes of it. Tests run every row. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A program or a language that the documentation shows an example for. */
export type Language = "JavaScript" | "Go" | "PowerShell" | "Python" | "PHP";

export interface ExampleRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** At most one of these is there. */
  body?: string;
  json?: object;
  /** Its name. */
  file?: string;
}

/** A message that is published as JSON, or the text of one. */
export type Given = string | ({ message: string; topic?: string } & Record<string, unknown>);

/**
 * One example of https://docs.ntfy.sh, with shorter texts. The server is `ntfy.sh`, the topic `mytopic`; `$KEY` stands for the
 * token, `$id` for the id of the first message. In requests, `$BASIC` is a user and the token as Basic authentication has them,
 * `$NOBODY` the token without a user, and `$AUTH` the whole header as the query takes it.
 */
export interface Example {
  /** Page and anchor. */
  at: string;
  what: string;
  /** Arguments, as typed in bash. Each is an example of its own, unless there are `steps`. */
  curl?: string[];
  ntfy?: string[];
  shell?: string[];
  /** The request of those who publish otherwise. */
  http?: ExampleRequest;
  /** The same for `steps`. */
  requests?: ExampleRequest[];
  /** The request of those who read otherwise. */
  reads?: { path: string };
  /** Who sends that request too. */
  by?: Language[];

  /** The message, as peal's history has it, in part. */
  is?: Record<string, unknown>;
  /** Fields that it does not have. */
  lacks?: string[];
  /** A text that is somewhere in it. */
  holds?: string;
  /** The message waits for its time. */
  waits?: { message: string };
  /** What the answer says otherwise than the message. */
  answer?: Record<string, unknown>;
  /** The answers to one request after another, in part. */
  steps?: Record<string, unknown>[];
  /** What a poll finds after them, waiting messages too. Absent: what the answers told. */
  left?: Record<string, unknown>[];
  /** The status is one of these. */
  refused?: number[];

  /** Messages that are there before somebody reads, and those that come then. */
  given?: Given[];
  sends?: Given[];
  /** Texts that the reader is given, in this order. */
  gets?: string[];
  /** The reader ends by itself. */
  ends?: boolean;

  /** The result in words, where the fields do not say it. */
  makes?: string;
  /** What is otherwise than at ntfy, and why. */
  why?: string;
}

export const examples = (): Example[] =>
  JSON.parse(readFileSync(join(import.meta.dir, "../../test/ntfy/examples.json"), "utf8")) as Example[];

const HEAD = [
  ["example", "shown for", "what peal makes of it"],
  ["---", "---", "---"],
];

/** The cells of each row of the table. */
export const exampleRows = (): string[][] => [...HEAD, ...examples().map(rowOf)];

function rowOf(example: Example): string[] {
  const { at, what, curl, ntfy, shell, http, requests, reads, by = [], why } = example;
  const shown = [
    ...(curl === undefined ? [] : ["curl"]),
    ...(ntfy === undefined ? [] : ["ntfy's command"]),
    ...(shell === undefined ? [] : ["bash"]),
    ...((http ?? requests ?? reads) === undefined ? [] : ["HTTP"]),
    ...by,
  ];
  return [
    `[${what}](https://docs.ntfy.sh/${at})`,
    shown.join(", "),
    [resultOf(example), why].filter(Boolean).join(". "),
  ];
}

/** No full stop: a reason may follow. */
function resultOf({ makes, is, answer, waits, refused, gets, lacks = [] }: Example): string {
  if (makes !== undefined) return makes;
  if (refused !== undefined) return `refused: ${refused.join(" or ")}`;
  if (waits !== undefined) return "waits for its time";
  if (gets !== undefined) return "read alike";
  const fields = Object.entries(is ?? answer ?? {}).map(([name, value]) => fieldOf(name, value));
  return [fields.length === 0 ? "`message`" : fields.join(", "), ...lacks.map((name) => `no \`${name}\``)].join(", ");
}

/** Words of ours are shown, texts are not. */
const SHOWN = new Set(["priority", "format"]);
const fieldOf = (name: string, value: unknown): string =>
  SHOWN.has(name) ? `\`${name}: ${String(value)}\`` : `\`${name}\``;
