/**
 * The ids of messages as ntfy's clients know them: 12 letters and digits, unlike any other of the server, because the apps hold
 * messages of all topics by their id alone. Each is a reversible code of topic and message (NTFY.md §2). Pure.
 */
import type { Epochs } from "../store/epochs.ts";
import type { TopicId } from "../topics/topic.ts";
import { DAY, type Millis } from "../util/clock.ts";
import { base32 } from "../util/ids.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 12;
const FORM = /^[0-9A-Za-z]{12}$/;

/** 62 to the power of 12 is a little more than 2 to the power of 71: 33 million topics with 34 billion messages each. */
const [TOPIC_BITS, MESSAGE_BITS, MARK_BITS] = [25n, 35n, 11n];
const MASK = (1n << (TOPIC_BITS + MESSAGE_BITS + MARK_BITS)) - 1n;

/** Whether it may be the id of a message, of this server or another. */
export const isId = (text: string): boolean => FORM.test(text);

/** The id of a stored message. `epoch`: in which it was stored; a restored server gives numbers again, and then another id. */
export function idOf(topicId: TopicId, messageId: number, epoch: string): string {
  const topic = BigInt.asUintN(Number(TOPIC_BITS), BigInt(topicId));
  const message = BigInt.asUintN(Number(MESSAGE_BITS), BigInt(messageId));
  const mark = BigInt(markOf(topicId, messageId, epoch));
  return written(stirred((((topic << MESSAGE_BITS) | message) << MARK_BITS) | mark));
}

/** The id of a message that waits for its time, which has no number yet: the beginning of its record's, which is random. */
export const idOfWaiting = ({ id }: { id: string }): string => id.slice(0, LENGTH);

/** An id that names no message. */
export const newId = (): string => base32(LENGTH);

/** The topic of what is no message of a topic: topics are counted from 1. */
const NO_TOPIC = 0 as TopicId;
/** Of the number in such an id: the day is in front of them. */
const HASH_BITS = 19;
const NOTICE = "notice";

/** The id of a notice about a topic, the same all day: an app shows it once, and resumes from that day if it was the last it got. */
export function idOfNotice(about: string, now: Millis): string {
  const day = Math.floor(now / DAY);
  return idOf(NO_TOPIC, day * 2 ** HASH_BITS + (hashOf(about) % 2 ** HASH_BITS), NOTICE);
}

/** When the day of a notice began; undefined if the id is none of a notice. */
export function dayOfNotice(id: string): Millis | undefined {
  const found = isId(id) ? decoded(id) : undefined;
  if (found?.topicId !== NO_TOPIC || !found.isOf(NOTICE)) return undefined;
  return Math.floor(found.messageId / 2 ** HASH_BITS) * DAY;
}

/** The same for a message whose place in the store is known. */
export const idAt = (epochs: Pick<Epochs, "of">, topicId: TopicId, { id, seq }: { id: number; seq: number }): string =>
  idOf(topicId, id, epochs.of(seq));

/** What an id names. */
export interface Named {
  topicId: TopicId;
  /** The number in its topic. */
  messageId: number;
  /** Whether the message was stored in this epoch; one time in 2,048 also true of another. */
  isOf(epoch: string): boolean;
}

/** Undefined if no server that speaks like this one made it. */
export function named(id: string): Named | undefined {
  const found = isId(id) ? decoded(id) : undefined;
  // both are counted from 1
  return found === undefined || found.topicId === NO_TOPIC || found.messageId === 0 ? undefined : found;
}

/** `id`: of the form of one. Undefined: none of this many bits. */
function decoded(id: string): Named | undefined {
  const code = numberIn(id);
  if (code > MASK) return undefined;
  const plain = calmed(code);
  const topicId = Number(plain >> (MESSAGE_BITS + MARK_BITS)) as TopicId;
  const messageId = Number(BigInt.asUintN(Number(MESSAGE_BITS), plain >> MARK_BITS));
  const mark = Number(BigInt.asUintN(Number(MARK_BITS), plain));
  return { topicId, messageId, isOf: (epoch) => markOf(topicId, messageId, epoch) === mark };
}

/** A hash of the epoch and both numbers, as many bits as a mark has. */
const markOf = (topicId: number, messageId: number, epoch: string): number =>
  hashOf(`${epoch} ${topicId} ${messageId}`) & ((1 << Number(MARK_BITS)) - 1);

/** FNV-1a, folded (https://datatracker.ietf.org/doc/html/draft-eastlake-fnv): an unsigned number of 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Odd numbers, so that multiplying by them can be undone: ids of neighbours look nothing alike. */
const [FIRST, SECOND] = [0x2d_358d_ccaa_6c78_a5f5n, 0x5b_d1e9_95d1_e995_1b3fn];
/** At least half of the bits, so that doing it twice undoes it. */
const SHIFT = 36n;

const times = (number: bigint, factor: bigint): bigint => (number * factor) & MASK;
const folded = (number: bigint): bigint => number ^ (number >> SHIFT);

const stirred = (plain: bigint): bigint => times(folded(times(plain, FIRST)), SECOND);
const calmed = (code: bigint): bigint => times(folded(times(code, INVERSES[1])), INVERSES[0]);

/** By Newton's iteration: each step doubles the bits that are right, beginning with 3. */
function inverseOf(odd: bigint): bigint {
  let inverse = odd;
  for (let bits = 3; bits < 71; bits *= 2) inverse = times(inverse, 2n - odd * inverse);
  return inverse;
}
const INVERSES = [inverseOf(FIRST), inverseOf(SECOND)] as const;

function written(code: bigint): string {
  let text = "";
  for (let rest = code; text.length < LENGTH; rest /= 62n) text = `${DIGITS[Number(rest % 62n)] ?? ""}${text}`;
  return text;
}

function numberIn(id: string): bigint {
  let number = 0n;
  for (const digit of id) number = number * 62n + BigInt(DIGITS.indexOf(digit));
  return number;
}
