/** Finds the part of a form that is its message. Pure. */
import { isUtf8 } from "node:buffer";
import { fieldNamed } from "../reading/fields.ts";
import { isForJson, type Part } from "./form.ts";

/** The fields, and the file that is the message. */
export const saidIn = (parts: readonly Part[], spoken: Part | undefined): Part[] =>
  parts.filter((part) => part.kind === "field" || part === spoken);

/** A text file of at most `maxBytes`, if no field holds a message; undefined if there is none. */
export const spokenIn = (parts: readonly Part[], maxBytes: number): Part | undefined =>
  saysSomething(parts) ? undefined : parts.find((part) => isText(part) && part.bytes.length <= maxBytes);

/** Whether a part is a message, or JSON that may hold one. */
const saysSomething = (parts: readonly Part[]): boolean =>
  parts.some(
    (part) =>
      part.kind === "field" &&
      (fieldNamed(part.name) === "message" || isForJson(part.name) || /^\s*\{/.test(part.value)),
  );

type FilePart = Part & { kind: "file" };

const isText = (part: Part): part is FilePart =>
  part.kind === "file" &&
  (part.type === "" || /^(?:text\/|application\/(?:octet-stream|(?:[\w.+-]+\+)?json)\b)/.test(part.type)) &&
  isUtf8(part.bytes) &&
  !part.bytes.includes(0);
