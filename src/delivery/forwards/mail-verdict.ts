/** What the answer of a mail server means (RFC 5321 §4.2, RFC 4954 §6). Pure. */
import { MINUTE } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { MailAnswer, Refused } from "../transport/mail.ts";
import type { ForwardVerdict } from "./kind.ts";

/** `id`: of the mail, without angle brackets. */
export function mailVerdict(answer: MailAnswer, id: string): ForwardVerdict & { status?: number } {
  const verdict = verdictOf(answer, id);
  // the lane is to see the refusal, not that the others have the mail
  const code = (verdict.kind === "retry" ? putOffIn(answer.refused)?.code : undefined) ?? answer.code;
  return { ...verdict, ...(code !== undefined && { status: code }) };
}

function verdictOf({ step, code = 0, words, refused }: MailAnswer, id: string): ForwardVerdict {
  const pause = (tell: string): ForwardVerdict => ({
    kind: "pause",
    reason: words,
    tell: `${tell} The mail server says: ${words}`,
  });
  if (step === "sent") return ofRecipients(refused, id);
  // the server is closing, whatever it was asked (RFC 5321 §3.8)
  if (code === 421) return { kind: "retry", scope: "lane", afterMs: MINUTE, reason: words };
  if (isTemporary(code)) return { kind: "retry", scope: "device", reason: words };
  if (WANTS_TLS.test(words) && (code === 530 || code === 538))
    return pause("The mail server wants an encrypted connection: choose TLS or STARTTLS.");
  if (code === 530) return pause("The mail server wants a user name and a password.");
  switch (step) {
    case "greeting":
      return pause("The mail server takes no mail from this machine.");
    case "tls":
      return pause("The mail server offers no STARTTLS: choose TLS, or another port.");
    case "login":
      return pause("The mail server refuses the user name or the password. It may want an app password.");
    case "sender":
      // the size of the mail is told together with the sender (RFC 1870 §6.1)
      if (code === 552) return { kind: "fail", reason: words };
      return pause("Check the sender: the mail server doesn't take mail from this address.");
    case "recipients":
      return pause("Check the recipients: the mail server takes mail for none of them.");
    default:
      return { kind: "fail", reason: words };
  }
}

/** Those who have it don't get it again; the others do, if the server only put them off. */
function ofRecipients(refused: readonly Refused[], id: string): ForwardVerdict {
  const putOff = putOffIn(refused);
  if (putOff !== undefined) return { kind: "retry", scope: "device", reason: tellOf(putOff) };
  const warning = refused.length === 0 ? undefined : refused.map(tellOf).join("; ");
  return defined<ForwardVerdict>({ kind: "accepted", id, warning });
}

const putOffIn = (refused: readonly Refused[]): Refused | undefined => refused.find(({ code }) => isTemporary(code));
const tellOf = ({ address, words }: Refused): string => `not for ${address}: ${words}`;
const isTemporary = (code: number): boolean => code >= 400 && code < 500;
const WANTS_TLS = /starttls|tls|encrypt/i;
