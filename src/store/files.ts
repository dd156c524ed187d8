/** Files of messages as the rooms see them: what is named by a message, and how much there is. Their bytes are in src/files/disk.ts. */
import type { TopicId } from "../topics/topic.ts";

export interface KeptFile {
  /** SHA-256, hexadecimal: its place on disk. */
  hash: string;
  size: number;
}

export interface FileStore {
  /** The file of this id and name, if a message of the topic has it that is stored or waits for its time. */
  find(topicId: TopicId, id: string, name: string): Promise<KeptFile | undefined>;
  /** Which of these hashes are kept. */
  known(hashes: readonly string[]): Promise<Set<string>>;
  total(): { files: number; bytes: number };
  /**
   * Forgets up to `limit` files that no message names and `isFree` lets go; their hashes. They are to be deleted then: a crash in
   * between leaves bytes that are found as `known` to nobody. `isFree` is asked in the transaction.
   */
  forgetUnused(isFree: (hash: string) => boolean, limit: number): Promise<string[]>;
}
