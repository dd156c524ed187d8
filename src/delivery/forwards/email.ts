/** Mail, over a server that takes it for sending (RFC 6409), or over one in the home that asks for nothing. */
import { domainToASCII } from "node:url";
import { Type } from "@sinclair/typebox";
import type { FieldError } from "../../http/problem.ts";
import { rfc3339, type Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import { choice, text } from "../../util/schema.ts";
import { cut, oneLine } from "../../util/text/text.ts";
import type { Mail, MailServer } from "../transport/mail.ts";
import { type ForwardPush, kind, LONG_PATIENCE_MS } from "./kind.ts";
import { mailVerdict } from "./mail-verdict.ts";
import { addressesIn } from "./mailbox.ts";
import { escaped, htmlOf, linkLines, linksHtml, markedTitle, originOf } from "./reading.ts";

const PORTS = { tls: 465, starttls: 587, none: 25 } as const;
const MAX_RECIPIENTS = 20;

interface To {
  host: string;
  port?: number;
  security?: keyof typeof PORTS;
  user?: string;
  password?: string;
  from: string;
  to: string;
}

export const email = kind({
  name: "email",
  title: { en: "Email", de: "E-Mail" },
  settings: Type.Object({
    host: text({ pattern: "^[A-Za-z0-9._-]{1,253}$", description: "The server that takes mail for sending (SMTP)." }),
    port: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65_535,
        description: "Default 465 for `tls`, 587 for `starttls`, 25 for `none`.",
      }),
    ),
    security: Type.Optional(
      choice(["tls", "starttls", "none"], {
        description:
          "`tls`: from the start, the default on port 465. `starttls`: required, the default elsewhere. `none`: only for a host in `PEAL_FORWARD_HOSTS`.",
      }),
    ),
    user: Type.Optional(text({ minLength: 1, maxLength: 320 })),
    password: Type.Optional(text({ minLength: 1, maxLength: 1_000 })),
    from: text({
      minLength: 3,
      maxLength: 400,
      description: "An address that the server lets you send from; `Name <address>` works too.",
    }),
    to: text({
      minLength: 3,
      maxLength: 4_000,
      description: `Up to ${MAX_RECIPIENTS} addresses, with commas between them.`,
    }),
  }),
  secrets: ["password"],
  form: {
    host: {
      label: { en: "Mail server", de: "Mailserver" },
      hint: {
        en: "The one that your mail program sends with (SMTP).",
        de: "Der Postausgang des eigenen Anbieters (SMTP).",
      },
      example: "smtp.example.org",
    },
    port: {
      label: { en: "Port", de: "Port" },
      hint: { en: "Empty: 465 with TLS, 587 with STARTTLS.", de: "Leer: 465 bei TLS, 587 bei STARTTLS." },
      example: "587",
    },
    security: {
      label: { en: "Encryption", de: "Verschlüsselung" },
      hint: {
        en: "None works only for a server of your own that PEAL_FORWARD_HOSTS names.",
        de: "„Keine“ geht nur bei einem eigenen Server, der in PEAL_FORWARD_HOSTS steht.",
      },
      choices: { tls: "TLS", starttls: "STARTTLS", none: { en: "None", de: "Keine" } },
    },
    user: { label: { en: "User name", de: "Benutzername" }, example: "peal@example.org" },
    password: {
      label: { en: "Password", de: "Passwort" },
      hint: {
        en: "Gmail and many other providers want an app password here, not your own.",
        de: "Gmail und viele andere Anbieter verlangen hier ein App-Passwort statt des eigenen.",
      },
      example: "abcd efgh ijkl mnop",
    },
    from: { label: { en: "From", de: "Von" }, example: "peal <peal@example.org>" },
    to: { label: { en: "To", de: "An" }, example: "me@example.org, you@example.org" },
  },
  wrong: (to) => {
    const errors: FieldError[] = [];
    const [senders, recipients] = [addressesIn(to.from), addressesIn(to.to)];
    if (senders?.length !== 1) errors.push({ path: "/from", message: "must be one mail address, or `Name <address>`" });
    if (recipients === undefined)
      errors.push({ path: "/to", message: "must be mail addresses with commas between them" });
    else if (recipients.length > MAX_RECIPIENTS)
      errors.push({ path: "/to", message: `has more than ${MAX_RECIPIENTS} addresses` });
    if ((to.user === undefined) !== (to.password === undefined))
      errors.push({ path: to.user === undefined ? "/user" : "/password", message: "both are needed, or neither" });
    return errors;
  },
  // as https and http: without TLS only hosts that the operator named are asked
  destination: (to) => `${securityOf(to) === "none" ? "smtp" : "smtps"}://${to.host.toLowerCase()}:${portOf(to)}`,
  // a server that refuses one sender or recipient takes mail of others
  account: ({ user, password, from, to }) => [user, password, from, to].join("\n"),
  repeats: "once",
  patienceMs: LONG_PATIENCE_MS,
  digests: true,
  talk: async (push, to, wire) => {
    // loaded with the first mail: its library takes 9 MB (measured), and as much again of Bun, which other servers save
    const { deliver } = await import("../transport/to-mail-server.ts");
    const { user, password } = to;
    const server = defined<MailServer>({
      ...{ host: to.host, port: portOf(to), security: securityOf(to), addresses: wire.addresses, ca: wire.ca },
      login: user === undefined ? undefined : { user, pass: password ?? "" },
    });
    const mail = mailOf(push, to, wire.now);
    return mailVerdict(await deliver(mail, server, wire.signal), mail.messageId);
  },
});

const securityOf = ({ security, port }: To): keyof typeof PORTS =>
  security ?? (port === PORTS.tls ? "tls" : "starttls");
const portOf = (to: To): number => to.port ?? PORTS[securityOf(to)];

const MAX_SUBJECT = 200;

/** @throws Error if the settings have no address to send from; `wrong` refuses those */
export function mailOf(push: ForwardPush, { from, to }: Pick<To, "from" | "to">, now: Millis): Mail {
  const { notification } = push;
  const [sender] = addressesIn(from) ?? [];
  if (sender === undefined) throw new Error("a mail has a sender");
  const { level, priority, at } = notification;
  // not the name of the machine: what comes again has to have the same id, wherever peal runs meanwhile
  const domain = domainToASCII(sender.address.slice(sender.address.lastIndexOf("@") + 1)) || "peal.invalid";
  const origin = originOf(notification);
  const where = [origin, rfc3339(at)].filter((part) => part !== undefined).join(" · ");
  const foot = linksHtml(notification);
  return defined<Mail>({
    from: sender,
    to: addressesIn(to) ?? [],
    subject: cut(oneLine(markedTitle(notification)), MAX_SUBJECT),
    text: [notification.body, linkLines(notification).join("\n"), where].filter(Boolean).join("\n\n"),
    html: `<!doctype html><html><body>${htmlOf(push)}${foot && `<p>${foot}</p>`}<p><small>${escaped(where)}</small></p></body></html>`,
    date: new Date(now),
    messageId: `${push.id}@${domain}`,
    thread: push.isCollapsible === true ? `thread.${push.collapseId}@${domain}` : undefined,
    priority: priority === "urgent" ? "high" : priority === "low" ? "low" : undefined,
    headers: defined<Record<string, string>>({
      "Auto-Submitted": "auto-generated", // RFC 3834: nobody's holiday notice answers
      "X-Auto-Response-Suppress": "All", // nor Exchange's
      "X-Peal-Topic": origin,
      "X-Peal-Level": level,
      "X-Peal-Priority": priority,
    }),
  });
}
