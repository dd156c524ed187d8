/** A service that answers with what it was sent tells nobody the login. */
import { expect, test } from "bun:test";
import { forward, forwardOf } from "../../support/forwards.ts";
import { json } from "../../support/forwards/json.ts";
import { fakeService } from "../../support/push/service.ts";
import { delivering } from "../delivering.ts";

const LOGIN = { user: "phil", password: "sesame-42" };

test.each([
  ["ntfy", { topic: "alerts" }],
  ["apprise", { key: "home" }],
])("%s", async (kind, settings) => {
  await using service = await fakeService(({ headers }) => json(400, { error: `no ${headers["authorization"]} here` }));
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const { id } = await forward(at.peal, kind, { ...settings, ...LOGIN, server: service.origin }, [topic]);
  const message = await at.publish(topic, "disk full");
  const [delivery] = await at.when(topic, message, ({ state }) => state === "failed");
  expect(service.received[0]?.headers["authorization"]).toBe(`Basic ${btoa(`${LOGIN.user}:${LOGIN.password}`)}`);
  expect(delivery?.["last_reason"]).toBe("no Basic … here");
  const sent = btoa(`${LOGIN.user}:${LOGIN.password}`);
  expect(JSON.stringify([await forwardOf(at.peal, id), at.logs])).not.toContain(sent.slice(0, 8));
});
