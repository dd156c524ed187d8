/** What a service refuses of one forward holds up no other that has the same credentials. */
import { expect, test } from "bun:test";
import { forward, forwardOf } from "../../support/forwards.ts";
import { json, objectIn, type Posted } from "../../support/forwards/json.ts";
import { createPushover, PUSHOVER_APP, PUSHOVER_USER } from "../../support/forwards/pushover.ts";
import type { Answer } from "../../support/push/http2.ts";
import { fakeService } from "../../support/push/service.ts";
import { delivering, MINUTE } from "../delivering.ts";

const KEYS = { app_token: PUSHOVER_APP, user_key: PUSHOVER_USER };

const ntfy = ({ body }: Posted): Answer =>
  objectIn(body)["topic"] === "reserved"
    ? json(403, { code: 40301, http: 403, error: "forbidden" })
    : json(200, { id: "abcdefghijkl" });

const pushover = (posted: Posted): Answer =>
  posted.body.includes("device=gone")
    ? json(400, { device: "invalid", errors: ["device name is not valid"], status: 0 })
    : createPushover().judge(posted);

test.each<[kind: string, judge: (posted: Posted) => Answer, wrong: object, right: object]>([
  ["ntfy", ntfy, { topic: "reserved" }, { topic: "alerts" }],
  ["pushover", pushover, { ...KEYS, device: "gone" }, { ...KEYS, device: "pixel" }],
])("%s", async (kind, judge, wrong, right) => {
  await using service = await fakeService(judge);
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const server = service.origin;
  const refused = await forward(at.peal, kind, { server, ...wrong }, [topic]);
  const other = await forward(at.peal, kind, { server, ...right }, [topic]);
  for (const message of ["one", "two"]) {
    const id = await at.publish(topic, message);
    await at.until(
      "the other forward",
      async () => {
        const deliveries = await at.when(topic, id, () => true);
        return deliveries.some(({ device, state }) => device?.ref === other.id && state === "accepted");
      },
      MINUTE / 2,
    );
  }
  expect((await forwardOf(at.peal, refused.id)).trouble).toBeDefined();
  expect((await forwardOf(at.peal, other.id)).trouble).toBeUndefined();
});
