/** A mail, the server that takes it, and what that server answers. */

export interface Mailbox {
  name?: string;
  address: string;
}

/** What is sent; the library writes it as RFC 5322 wants, and lets no header break into another. */
export interface Mail {
  from: Mailbox;
  to: readonly Mailbox[];
  subject: string;
  text: string;
  html: string;
  date: Date;
  /** Without angle brackets. */
  messageId: string;
  /** The same for all mails of one alert, so that mail programs show them as one conversation. Without angle brackets. */
  thread?: string;
  priority?: "high" | "low";
  headers: Readonly<Record<string, string>>;
}

export interface MailServer {
  host: string;
  port: number;
  /** `tls`: from the start. `starttls`: nothing is said before it. */
  security: "tls" | "starttls" | "none";
  login?: { user: string; pass: string };
  /** The checked addresses of the host. */
  addresses: readonly string[];
  /** PEM certificates to trust instead of the machine's authorities. */
  ca?: string;
}

/** How far the conversation came, and what the server said last. */
export interface MailAnswer {
  /** `sent`: it took the mail, for some of the recipients at least. */
  step: "greeting" | "tls" | "login" | "sender" | "recipients" | "data" | "sent";
  /** The reply code; absent if the server was not asked, as by a mail that is larger than it takes. */
  code?: number;
  /** The reply, or the library's own words, in one line. */
  words: string;
  /** Recipients that it refused. */
  refused: readonly Refused[];
}

export interface Refused {
  address: string;
  code: number;
  words: string;
}
