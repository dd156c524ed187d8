/** The part of the port for files of messages: which messages name them, and how much there is. files/disk.ts has their bytes. */
import type { TopicId } from "../topics/topic.ts";

export interface KeptFile {
  /** SHA-256 in hexadecimal: its place on disk. */
  hash: string;
  size: number;
}

export interface FileStore {
  /** The file with this id and name, if a message of the topic has it, stored or waiting. */
  find(topicId: TopicId, id: string, name: string): Promise<KeptFile | undefined>;
  /** Which of these hashes are kept. */
  known(hashes: readonly string[]): Promise<Set<string>>;
  total(): { files: number; bytes: number };
  /**
   * Forgets up to `limit` files that no message names and `isFree` lets go, and resolves to their hashes, to be deleted. After a
   * crash in between, their bytes are no longer `known`. `isFree` is called in the transaction.
   */
  forgetUnused(isFree: (hash: string) => boolean, limit: number): Promise<string[]>;
}
