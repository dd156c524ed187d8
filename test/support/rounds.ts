/** How often tests try that look for what happens seldom: `PEAL_TEST_ROUNDS`, which CI sets to 50. */
const asked = process.env["PEAL_TEST_ROUNDS"];

export const ROUNDS = Number(asked ?? 3);
/** Whether there is time to try all, where a few stand for them otherwise. */
export const IS_THOROUGH = asked !== undefined;
/** Sequences of commands that a store is held to. */
export const SEQUENCES = IS_THOROUGH ? 60 : 8;
/** Examples by chance of what is promised of all: a fifth where there is little time. */
export const examples = (many: number): number => (IS_THOROUGH ? many : Math.ceil(many / 5));
