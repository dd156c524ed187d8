/** What everybody may read of forwards (DELIVERY.md §5, §11). */
import { expect, test } from "bun:test";
import { forward } from "../support/forwards.ts";
import { fakeService } from "../support/push/service.ts";
import { delivering } from "./delivering.ts";

test("health says that forwards are paused, but neither where they send nor what is said there", async () => {
  const said = "no account for mara@example.org";
  await using service = await fakeService(() => ({ status: 401, body: JSON.stringify({ errorDescription: said }) }));
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  for (const token of ["Aone00000000000", "Atwo00000000000"])
    await forward(at.peal, "gotify", { server: service.origin, token }, [topic]);
  await at.publish(topic, "disk full");
  await at.until("both to be paused", () => service.received.length === 2);
  const { push, problems } = await at.until("it to be noticed", async () => {
    const health = await at.health();
    return health.push === "degraded" ? health : undefined;
  });
  expect([push, problems]).toEqual([
    "degraded",
    ["Pushes over forward:gotify are paused. The topic `peal` of the forward's namespace says what to fix."],
  ]);
});
