/** Hands a mail to a mail server (RFC 5321, 3207, 4954, 8314), at an address that was checked. */
import { connect, isIP, type Socket } from "node:net";
import { createTransport, type NodemailerError } from "nodemailer";
import { defined } from "../../util/defined.ts";
import { dropOldest } from "../../util/oldest.ts";
import { oneLine } from "../../util/text/text.ts";
import type { Mail, MailAnswer, MailServer, Refused } from "./mail.ts";
import { isNotConnected } from "./reason.ts";

/**
 * Who has got a mail that others were put off from, by its id, so that it comes once to each. In memory: after a restart it comes
 * to all again, with the same id, by which many mailboxes recognise it.
 */
const reached = new Map<string, ReadonlySet<string>>();
const MOST_REACHED = 1_000;

/** Rejects if nobody answered, with a code that `reasonOf` has words for. */
export async function deliver(mail: Mail, server: MailServer, signal: AbortSignal): Promise<MailAnswer> {
  const had = reached.get(mail.messageId) ?? new Set();
  const recipients = mail.to.map(({ address }) => address).filter((address) => !had.has(address));
  if (recipients.length === 0) return taken([]);
  const socket = await connected(server, signal);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(new Error("ended"));
  signal.addEventListener("abort", end, { once: true });
  socket.on("error", reject); // the library listens only after a while
  try {
    const sent = sending(mail, recipients, server, socket);
    sent.catch(() => undefined); // when the time is up, nobody waits for it
    const refused = ((await Promise.race([sent, ended])).rejectedErrors ?? []).map(refusedIn);
    const names = new Set(refused.map(({ address }) => address));
    remember(mail.messageId, had.union(new Set(recipients.filter((address) => !names.has(address)))), refused);
    return taken(refused);
  } catch (error) {
    const answer = answerIn(error);
    const isRefused = answer.step === "recipients" && answer.refused.every(({ code }) => code >= 500);
    // as if all had been asked at once: others have it
    return isRefused && had.size > 0 ? taken(answer.refused) : answer;
  } finally {
    signal.removeEventListener("abort", end);
    socket.destroy();
  }
}

const taken = (refused: readonly Refused[]): MailAnswer => ({ step: "sent", code: 250, words: "accepted", refused });

/** Only a mail that is sent again to some needs to be remembered. */
function remember(id: string, have: ReadonlySet<string>, refused: readonly Refused[]): void {
  reached.delete(id);
  if (refused.length === 0) return;
  dropOldest(reached, MOST_REACHED);
  reached.set(id, have);
}

async function sending(
  mail: Mail,
  recipients: string[],
  { host, port, security, login, ca }: MailServer,
  socket: Socket,
) {
  const { messageId, thread, to, ...rest } = mail;
  const transport = createTransport({
    ...{ host, port, connection: socket },
    ...{ secure: security === "tls", requireTLS: security === "starttls", ignoreTLS: security === "none" },
    tls: defined({ servername: isIP(host) === 0 ? host : undefined, ca }),
    // a server that does not say that people can log in is asked anyway, instead of getting the mail without
    ...(login !== undefined && { auth: login, forceAuth: true }),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return transport.sendMail({
    ...defined(rest),
    to: [...to],
    envelope: { from: mail.from.address, to: recipients },
    messageId: `<${messageId}>`,
    ...(thread !== undefined && { inReplyTo: `<${thread}>`, references: `<${thread}>` }),
  });
}

/** The first address that takes the connection. */
async function connected({ addresses, port }: MailServer, signal: AbortSignal): Promise<Socket> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      return await connectedTo(address, port, signal);
    } catch (error) {
      if (!isNotConnected(error)) throw error;
      failure = error;
    }
  }
  throw failure;
}

async function connectedTo(host: string, port: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    const end = () => socket.destroy(new Error("ended"));
    signal.addEventListener("abort", end, { once: true });
    socket.on("error", reject); // it stays: an error that nobody hears would end the process
    socket.once("close", () => signal.removeEventListener("abort", end));
    socket.once("connect", () => resolve(socket));
  });
}

/**
 * What the server refused. Source: https://nodemailer.com/errors.
 * @throws Error with a code of `reason.ts` if there was no answer
 */
function answerIn(error: unknown): MailAnswer {
  if (!(error instanceof Error)) throw error;
  const { code, command = "", responseCode, rejectedErrors = [] }: NodemailerError = error;
  const refused = rejectedErrors.map(refusedIn);
  // if one recipient was only put off, it is worth another try for all
  const putOff = refused.find((one) => one.code >= 400 && one.code < 500);
  const step = code === "EENVELOPE" ? (STEPS.get(command) ?? "sender") : (STEPS.get(code ?? "") ?? "greeting");
  // without a reply nothing was refused, but what the library itself refuses to send
  if (responseCode === undefined && (step === "greeting" || step === "tls")) throw unreachable(error);
  return defined<MailAnswer>({
    step,
    code: putOff?.code ?? responseCode,
    words: putOff?.words ?? wordsOf(error),
    refused,
  });
}

const STEPS: ReadonlyMap<string, MailAnswer["step"]> = new Map([
  ["ETLS", "tls"],
  ["EAUTH", "login"],
  ["ENOAUTH", "login"],
  ["RCPT TO", "recipients"],
  ["DATA", "data"],
  ["EMESSAGE", "data"],
]);

const refusedIn = (error: NodemailerError): Refused => ({
  address: error.recipient ?? "",
  code: error.responseCode ?? 0,
  words: wordsOf(error),
});

const wordsOf = ({ response, message }: NodemailerError): string => oneLine((response ?? message).replaceAll("\r", ""));

/** The library has codes of its own beside those of sockets and of TLS. */
function unreachable({ originalCode, code = "" }: NodemailerError): Error {
  return Object.assign(new Error("no answer"), { code: originalCode ?? OWN_CODES.get(code) ?? code });
}

const OWN_CODES: ReadonlyMap<string, string> = new Map([
  ["ETLS", "EPROTO"],
  ["ESOCKET", "ECONNRESET"],
  ["ECONNECTION", "ECONNRESET"],
]);
