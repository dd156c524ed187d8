/** Forwards as their owner makes them over the API. */
import type { ForwardRecord } from "../../src/forwards/schema.ts";
import { answer, type TestTopic } from "./client.ts";
import { eventually } from "./eventually.ts";
import type { TestServer } from "./server.ts";

/** Makes a forward that follows the topics. */
export const forward = async (
  peal: TestServer,
  kind: string,
  settings: object,
  topics: readonly TestTopic[] = [],
  more: object = {},
): Promise<ForwardRecord> =>
  answer<ForwardRecord>(
    201,
    await peal.api("POST", "/v1/home/forwards", { kind, settings, topics: topics.map(({ key }) => key), ...more }),
  );

export const forwardOf = async (peal: TestServer, id: string): Promise<ForwardRecord> =>
  answer<ForwardRecord>(200, await peal.api("GET", `/v1/home/forwards/${id}`));

/** Sends a test, and resolves to what became of its first try. */
export async function tested(peal: TestServer, id: string): Promise<NonNullable<ForwardRecord["last_test"]>> {
  await answer(202, await peal.api("POST", `/v1/home/forwards/${id}/test`));
  return eventually("the test", async () => {
    const { last_test: test } = await forwardOf(peal, id);
    // a lane is paused before the answer is written; only where nobody was asked there is none
    const isOpen = test?.state === "pending" && test.status === undefined && test.waits_for !== "paused: secrets_lost";
    return isOpen ? undefined : test;
  });
}
