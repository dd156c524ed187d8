/** What is counted has few names: each is a time series, and push services of browsers may say what they like. */
import { randomBytes } from "node:crypto";
import { expect, test } from "bun:test";
import { reasonLabel } from "../../src/delivery/figures.ts";
import { deliveriesOf } from "../support/devices.ts";
import { delivering } from "./delivering.ts";

// prettier-ignore
test.each([
  ["apns:production",              410,       "Unregistered",                                    "Unregistered"],
  ["apns:sandbox",                 403,       "BadEnvironmentKeyIdInToken",                      "BadEnvironmentKeyIdInToken"],
  ["apns:production",              400,       "It was not you, it was me",                       "status_400"],
  ["apns:production",              400,       "A".repeat(41),                                    "status_400"],
  ["apns:production",              500,       "status 500",                                      "status_500"],
  ["fcm:project",                  404,       "UNREGISTERED",                                    "UNREGISTERED"],
  ["fcm:project",                  400,       "INVALID_ARGUMENT: Invalid value at 'message.x'",  "INVALID_ARGUMENT"],
  ["webpush:https://push.example", 410,       "push subscription has unsubscribed or expired.",  "status_410"],
  ["webpush:https://push.example", 403,       "BadJwtToken",                                     "status_403"],
  ["webpush:https://push.example", undefined, "no answer in 15 s",                               "no answer in 15 s"],
  ["webpush:https://push.example", undefined, "the endpoint is not of a known push service: the operator can allow a.example with PEAL_PUSH_HOSTS", "the endpoint is not of a known push service"],
  ["fcm:project",                  undefined, "could not be asked: ERR_STRANGE",                 "could not be asked"],
])("what %s says with %p, %p, is counted as %p", (lane, status, reason, label) => {
  expect(reasonLabel(lane, status, reason)).toBe(label);
});

test("a push service of browsers that says something else each time adds no name for it, and no secret", async () => {
  await using at = await delivering();
  const topic = await at.peal.topic("nas");
  const said: string[] = [];
  for (const status of [400, 404, 410, 418, 429, 500])
    for (const form of ["word", "sentence"]) {
      const { token } = await at.device("web", [topic]);
      const letters = randomBytes(8).toString("hex").replaceAll(/\d/g, "x");
      const body = JSON.stringify({ reason: form === "word" ? letters : `${letters} at ${token}` });
      at.web.script.once(token, { status, body });
      said.push(letters, ...token.split("/").slice(-1));
    }
  const id = await at.publish(topic, "one");
  await at.when(topic, id, ({ attempts }) => attempts === 1);
  expect((await deliveriesOf(at.peal, topic, id)).counts).toMatchObject({ failed: 8, pending: 4 });

  const metrics = await (await at.peal.request("/metrics")).text();
  for (const words of said) expect(metrics).not.toContain(words);
  const reasons = [...metrics.matchAll(/^peal_(\w+)_total\{.*reason="([^"]+)"\} /gm)].map(
    ([, of, one]) => `${of} ${one}`,
  );
  expect(reasons.toSorted()).toEqual([
    ...["deliveries status_400", "deliveries status_404", "deliveries status_410", "deliveries status_418"],
    ...["deliveries status_429", "deliveries status_500", "pruned status_404", "pruned status_410"],
  ]);
});
