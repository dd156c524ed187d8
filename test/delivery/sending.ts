/** Helpers of the tests of the transport. */
import { expect } from "bun:test";
import type { ProviderRequest, ProviderResponse } from "../../src/delivery/transport/answer.ts";
import type { Unreachable } from "../../src/delivery/transport/ask.ts";
import { createTransport, type Transport, type TransportOptions } from "../../src/delivery/transport/transport.ts";
import { systemClock } from "../../src/util/clock.ts";
import { authority } from "../support/push/ca.ts";

export const transport = (options: Partial<TransportOptions> = {}): Transport & Disposable => {
  const made = createTransport({ hosts: [], proxy: undefined, clock: systemClock, ca: authority.cert, ...options });
  return { ...made, [Symbol.dispose]: () => made.close() };
};

export const post = (url: string, headers: Record<string, string> = {}): ProviderRequest => ({
  ...{ url, headers, body: "{}" },
});

type Answered = ProviderResponse | Unreachable;

/** The status, or the reason why there is none. */
export const saidOf = (answer: Answered): number | string => ("status" in answer ? answer.status : answer.reason);

/** How many requests got each status or reason. */
export function tally(answers: readonly Answered[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const said of answers.map(saidOf)) counts[said] = (counts[said] ?? 0) + 1;
  return counts;
}

/** Returns the answer. @throws Error when there is none */
export function answered(answer: Answered): ProviderResponse {
  expect(answer).toHaveProperty("status");
  return answer as ProviderResponse;
}
