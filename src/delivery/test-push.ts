/** Test pushes, which show whether notifications reach a device (DELIVERY.md §6). */
import type { Deps } from "../deps.ts";
import type { LastTest } from "../devices/push-state.ts";
import { rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { type Lanes, stateOf, waitsFor } from "./json.ts";
import { planTest } from "./push/plan.ts";
import type { Delivery as Service } from "./service.ts";

type TestPushes = Pick<Service, "sendTest" | "lastTest">;

export const createTestPushes = ({ store, clock }: Pick<Deps, "store" | "clock">, lanes: Lanes): TestPushes => ({
  sendTest: async (deviceId) => (await store.deliveries.addTest(deviceId, planTest(clock.now()))) !== undefined,
  lastTest: async (device) => {
    const test = await store.deliveries.lastTest(device);
    return (
      test &&
      defined<LastTest>({
        at: rfc3339(test.createdAt),
        state: stateOf(test),
        waits_for: waitsFor(test, lanes),
        status: test.lastStatus,
        answer: test.lastReason,
      })
    );
  },
});
