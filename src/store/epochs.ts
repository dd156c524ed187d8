/** The part of the port that tells of which past a message is: a restore goes back, and from there another way (ARCHITECTURE.md §5). */

export interface Epochs {
  /** The epoch in which this `seq` was given. */
  of(seq: number): string;
  /** The last `seq` of an epoch, of the one that goes on infinity; -1: this database never had it. */
  endOf(epoch: string): number;
}
