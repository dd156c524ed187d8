/**
 * What the file of a kind of forward says (DELIVERY.md §11): its settings with their words for forms, where it sends, and how a
 * message becomes a request and an answer a verdict. The engine alone decides attempts, time, breaker and rest, and masks all
 * secrets in what a service says.
 */
import type { Static, TObject } from "@sinclair/typebox";
import type { Draft } from "../../drafts/draft.ts";
import type { FieldError } from "../../http/problem.ts";
import type { Words } from "../../rewrites/tool-setup.ts";
import type { Topic } from "../../topics/topic.ts";
import { type Millis, MINUTE } from "../../util/clock.ts";
import type { Push, Verdict } from "../push/push.ts";
import type { ProviderRequest, ProviderResponse } from "../transport/answer.ts";

/**
 * A forward is its owner's, so nothing that a service answers removes it: a refusal pauses its lane until it is mended. An
 * accepted push may have a warning, such as one of several recipients that was refused.
 */
export type ForwardVerdict = Extract<Verdict, { kind: "accepted" | "retry" | "shrink" | "pause" | "fail" }> | Moved;

/** The service has the receiver under other settings now: it is asked again with those, and the owner is told to enter them. */
export interface Moved {
  kind: "moved";
  to: Readonly<Record<string, unknown>>;
  warning: string;
}

/** One push to a service. `notification.image` is left out if its host is not in PEAL_IMAGE_HOSTS. */
export interface ForwardPush extends Omit<Push, "device"> {
  /** All of the message; absent for a test and for a digest. */
  message?: ForwardedMessage;
  /** How long it may still ring until somebody acknowledges; 0: it does not. */
  ringMs: Millis;
  /** The server's address without a trailing slash; empty if nobody knows it. */
  base: string;
}

interface ForwardedMessage {
  id: number;
  /** Its id at ntfy's addresses of this server (NTFY.md §2). */
  ntfyId: string;
  topic: Pick<Topic, "namespace" | "key" | "name">;
  draft: Draft;
  /** The message as every answer of the API has it (API.md §4), with its topic: a JSON object. */
  json: string;
}

/** How a form shows a field. What it takes follows from its schema: a text, a whole number or a choice. */
export interface Field {
  label: Words;
  /** Below the field: where people find what to enter. */
  hint?: Words;
  example?: string;
  /** Of a choice: its values as people read them; one that is left out is shown as it is. */
  choices?: Readonly<Record<string, Words>>;
}

interface About<S extends TObject> {
  /** Lower-case letters: the `kind` of the API and of the store. It never changes. */
  name: string;
  /** As people write it. */
  title: Words;
  /** Flat: texts (`text()` of util/schema.ts), integers, choices, most of them optional. */
  settings: S;
  /** Fields that are sealed in the store and never shown again. */
  secrets: readonly (keyof Static<S> & string)[];
  /** In the order of the form. */
  form: Readonly<Record<keyof Static<S> & string, Field>>;
  /** Combinations that the schema cannot refuse, such as a user without a password. Hosts are checked by the engine. */
  wrong?(to: Static<S>): FieldError[];
  /**
   * The address that is asked, checked when it is stored and at each try: https, or http or a private address if the host is in
   * PEAL_FORWARD_HOSTS. For a conversation `smtps://host:port` if TLS is certain, else `smtp://host:port`, which needs that too.
   */
  destination(to: Static<S>): string;
  /**
   * Whose limits and credentials count, hashed into the name of the lane: the lanes of two accounts at one host pause and rest
   * apart. Absent: everything that is secret.
   */
  account?(to: Static<S>): string;
  /**
   * What becomes of a message that is repeated until somebody acknowledges (`urgent` with `ack`). `again`: it is sent again, so
   * that it rings, and replaces itself where the service can do that. `once`: it is not, because the service would show it each
   * time, or a receipt is followed.
   */
  repeats: "again" | "once";
  /** How long it may take to answer; default 15 s. One that is given up too early has the message, and gets it again. */
  patienceMs?: Millis;
  /** Whether what waited in an outage may come as one digest; a program that reads every message wants them all. */
  digests: boolean | ((shown: Readonly<Record<string, unknown>>) => boolean);
  receipt?: Receipt<S>;
  /** Whether a message is nothing to the service, so that it is not told. */
  skips?(draft: Draft): boolean;
}

/** A service that is asked by one HTTP request. Both functions are pure. */
interface Asks<S extends TObject> extends About<S> {
  request(push: ForwardPush, to: Static<S>, now: Millis): ProviderRequest;
  /** Redirects are never followed: 3xx arrives here. 401, 403 and 404 are usually `pause`, with what to mend in `tell`. */
  verdict(response: ProviderResponse, push: ForwardPush, to: Static<S>): ForwardVerdict;
}

/** A service that takes more than one request, such as SMTP. */
interface Talks<S extends TObject> extends About<S> {
  /** Rejects if nobody answered; the words of `transport/reason.ts` tell why. */
  talk(push: ForwardPush, to: Static<S>, wire: Wire): Promise<ForwardVerdict & { status?: number }>;
}

/** For services that answer only after they have asked others: mail servers look for spam, Apprise hands the message on. */
export const LONG_PATIENCE_MS = MINUTE;

/** What a conversation is given. It ends, by rejecting, when `signal` does: when patience ends, or when the server stops. */
interface Wire {
  /** The checked addresses of the destination; connect to one of these and to nothing else, and prove the name by TLS. */
  addresses: readonly string[];
  signal: AbortSignal;
  /** PEM certificates to trust instead of the machine's authorities. */
  ca?: string;
  now: Millis;
}

/** The acknowledgement of a service that knows one. The receipt is the `id` of the verdict `accepted`. */
interface Receipt<S extends TObject> {
  /** Whether the service was asked for a receipt. Its answer is looked at once a minute until somebody acknowledges, for an hour. */
  isAsked(push: ForwardPush): boolean;
  look(receipt: string, to: Static<S>): ProviderRequest;
  /** `acknowledged`: it ends here too. `open`: nobody has yet. `over`: nobody will any more. Undefined: it is looked at again. */
  read(response: ProviderResponse): "open" | "acknowledged" | "over" | undefined;
  /** Somebody acknowledged here: the service is to stop. Any answer below 500 but 429 ends it. */
  cancel(receipt: string, to: Static<S>): ProviderRequest;
}

type KindOf<S extends TObject> = Asks<S> | Talks<S>;
/** Any kind; its settings were checked by its own schema. */
export type Kind = KindOf<TObject>;

/** Lets the compiler infer the type of the settings from their schema. */
export const kind = <S extends TObject>(one: KindOf<S>): Kind => one as unknown as Kind;
