/** How often tests try that look for what happens seldom: `PEAL_TEST_ROUNDS`, which CI sets to 50. */
const asked = process.env["PEAL_TEST_ROUNDS"];

export const ROUNDS = Number(asked ?? 3);
/** Sequences of commands that a store is held to. */
export const SEQUENCES = asked === undefined ? 25 : 60;
