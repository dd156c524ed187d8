/** The forms of topic names and topic keys (API.md §1). */
import { topicKeySuffix } from "../util/ids.ts";

/** The topic on which operators hear of the server itself. */
export const SERVER_TOPIC = "peal";

const KEY_ALPHABET = "[0-9a-hjkmnp-tv-z]";
const TOPIC_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/;
const KEY_FORM = new RegExp(`-${KEY_ALPHABET}{26}$`);
const KEY = `[a-z0-9_-]{1,32}-${KEY_ALPHABET}{26}`;
const TOPIC_KEY = new RegExp(`^${KEY}$`);
/** A comma may be escaped in a path. */
const TOPIC_KEYS = new RegExp(`^${KEY}(?:(?:,|%2[cC])${KEY})*$`);
const SHORTEST_KEY = 28;

export const isTopicName = (text: string): boolean => TOPIC_NAME.test(text);
/** Whether it ends like a topic key. No such name is created: a publisher with a rotated key would write where nobody reads. */
export const looksLikeKey = (text: string): boolean => KEY_FORM.test(text);
export const isTopicKey = (text: string): boolean => TOPIC_KEY.test(text);
/** Whether a segment of a path is a topic key, or several. No namespace looks like one: the longest name of one has 32 characters. */
export const areTopicKeys = (segment: string): boolean => segment.length >= SHORTEST_KEY && TOPIC_KEYS.test(segment);

/** A new key for a topic of this name: its slug and 130 random bits. */
export function newTopicKey(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_-]/g, "-")
    .slice(0, 32);
  return `${slug}-${topicKeySuffix()}`;
}
