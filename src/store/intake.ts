/** What is kept beside messages of how they were sent: what was left out, and bodies that nobody knew. */
import type { FieldError } from "../http/problem.ts";
import type { Came, Intake } from "../messages/intake.ts";
import type { TopicId } from "../topics/topic.ts";

/** Bodies that are kept: of the newest messages that have one. Older ones are dropped as newer ones come. */
export const BODIES_PER_TOPIC = 20;
export const BODIES_PER_NAMESPACE = 500;

/** The newest messages of a topic that are looked at for what was left out. */
export const LOOKED_AT = 20;

/** `came`: absent too where its body was dropped. */
export interface KeptIntake extends Intake {
  came?: Came & {
    /** Of the body as it is kept, in characters. */
    length: number;
  };
}

/** What was left out of the newest messages. */
export interface LeftOut {
  /** Messages that were looked at: `LOOKED_AT`, or all that there are. */
  looked: number;
  /** Those of them that lack something, newest first. */
  lacking: { id: number; ignored: FieldError[] }[];
}

export interface IntakeStore {
  /** By `seq`, of those of these messages that have one; of each body at most so many characters. */
  of(seqs: readonly number[], characters: number): Promise<ReadonlyMap<number, KeptIntake>>;
  leftOut(topicId: TopicId): Promise<LeftOut>;
}
