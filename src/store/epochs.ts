/** The part of the port that knows to which past of the database a message belongs; a restore begins one (ARCHITECTURE.md §5). */

export interface Epochs {
  /** The epoch in which this `seq` was given. */
  of(seq: number): string;
  /** The last `seq` of an epoch; infinity for the present one; -1: this database never had it. */
  endOf(epoch: string): number;
}
