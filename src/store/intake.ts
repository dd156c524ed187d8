/** The part of the port for what is kept of how messages were sent: what was left out, and bodies of unknown shape. */
import type { FieldError } from "../http/problem.ts";
import type { Came, Intake } from "../messages/intake.ts";
import type { TopicId } from "../topics/topic.ts";

/** How many bodies are kept: those of the newest messages that have one. Older ones are dropped as newer ones come. */
export const BODIES_PER_TOPIC = 20;
export const BODIES_PER_NAMESPACE = 500;

/** How many of a topic's newest messages are searched for what was left out. */
export const LOOKED_AT = 20;

/** `came` is also absent if its body was dropped. */
export interface KeptIntake extends Intake {
  came?: Came & {
    /** The length of the kept body, in characters. */
    length: number;
  };
}

/** What was left out of the newest messages. */
export interface LeftOut {
  /** How many messages were looked at: `LOOKED_AT`, or all that there are. */
  looked: number;
  /** Those of them that lack something, newest first. */
  lacking: { id: number; ignored: FieldError[] }[];
}

export interface IntakeStore {
  /** What is kept, by `seq`, for the messages that have something; at most `characters` of each body. */
  of(seqs: readonly number[], characters: number): Promise<ReadonlyMap<number, KeptIntake>>;
  leftOut(topicId: TopicId): Promise<LeftOut>;
}
