/** Random numbers for tests that hit a random moment: a failure prints the seed, and PEAL_TEST_SEED repeats it. */
import { createHash, randomInt } from "node:crypto";

/** From 0 to below 1. */
export type Dice = () => number;

/** @throws what the test throws */
export async function withDice(run: (dice: Dice) => Promise<unknown>): Promise<void> {
  const seed = process.env["PEAL_TEST_SEED"] ?? String(randomInt(2 ** 32));
  let throws = 0;
  try {
    await run(() => createHash("sha256").update(`${seed} ${throws++}`).digest().readUInt32BE() / 2 ** 32);
  } catch (error) {
    console.error(`the dice were those of PEAL_TEST_SEED=${seed}`);
    throw error;
  }
}
