/** Mail addresses as people enter them (RFC 5322 §3.4, without its oldest forms). Pure. */
import { defined } from "../../util/defined.ts";
import type { Mailbox } from "../transport/mail.ts";

/** Nothing in it can end a command or a header. Letters of any language may be in it (RFC 6531). */
const ADDRESS = /^[^\s@<>,;:"()[\]\\\p{Cc}]{1,64}@[^\s@<>,;:"()[\]\\\p{Cc}]{1,255}$/u;
const NAMED = /^(?:"(?<quoted>[^"\\\p{Cc}]*)"|(?<bare>[^"<>@,;\\\p{Cc}]*)) *<(?<address>[^<>]*)>$/u;
/** Commas that are not inside quotation marks. */
const COMMAS = /,(?=(?:[^"]*"[^"]*")*[^"]*$)/;

/** One or more with commas between them; undefined if one of them is none. */
export function addressesIn(list: string): Mailbox[] | undefined {
  const found = list.split(COMMAS).map((one) => mailboxOf(one.trim()));
  return found.every((one) => one !== undefined) ? found : undefined;
}

function mailboxOf(text: string): Mailbox | undefined {
  const { quoted, bare, address = text } = NAMED.exec(text)?.groups ?? {};
  if (!ADDRESS.test(address)) return undefined;
  return defined<Mailbox>({ name: (quoted ?? bare)?.trim() || undefined, address });
}
