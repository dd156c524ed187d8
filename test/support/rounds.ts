/** How often tests for rare events try: `PEAL_TEST_ROUNDS`, which CI sets to 50. */
const asked = process.env["PEAL_TEST_ROUNDS"];

export const ROUNDS = Number(asked ?? 3);
/** Whether to run all cases of tests that otherwise run a few. */
export const IS_THOROUGH = asked !== undefined;
/** Random sequences of commands with which a store is tested. */
export const SEQUENCES = IS_THOROUGH ? 60 : 8;
/** How many random examples a property gets: a fifth of them in a short run. */
export const examples = (many: number): number => (IS_THOROUGH ? many : Math.ceil(many / 5));
