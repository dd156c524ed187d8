/** Services that hand a message on before they answer are given the time for it: else they have it, and would get it again. */
import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { eventually } from "../../support/eventually.ts";
import { forward } from "../../support/forwards.ts";
import { fakeService } from "../../support/push/service.ts";
import { listening } from "../../support/push/wire.ts";
import { delivering, MINUTE, SECOND } from "../delivering.ts";

test.each([
  ["apprise", { key: "home" }, 60],
  ["gotify", { token: "AxVh8zPQ9n2bK1c" }, 15],
])("%s is given up after its time, and no earlier", async (kind, settings, seconds) => {
  await using service = await fakeService();
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  service.script.once("*", { kind: "silence" });
  await forward(at.peal, kind, { ...settings, server: service.origin }, [topic]);
  const id = await at.publish(topic, "disk full");
  await eventually("the request", () => service.received.length === 1);
  at.clock.advance((seconds - 1) * SECOND);
  await at.peal.request("/ready");
  const [asked] = await at.when(topic, id, () => true);
  expect(asked?.attempts).toBe(0);
  at.clock.advance(SECOND);
  const [given] = await at.when(topic, id, ({ attempts }) => attempts === 1);
  expect(given?.last_reason).toBe(`no answer in ${seconds} s`);
});

test("a wait of a month is one of an hour, so that nothing is given up that somebody may make possible meanwhile", async () => {
  await using service = await fakeService(() => ({ status: 200, body: '{"id":25}' }));
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  service.script.once("*", { status: 429, headers: { "retry-after": "2592000" } });
  await forward(at.peal, "gotify", { token: "AxVh8zPQ9n2bK1c", server: service.origin }, [topic]);
  const id = await at.publish(topic, "disk full");
  await eventually("the refusal", () => service.received.length === 1);
  at.clock.advance(59 * MINUTE);
  await at.pass(5 * SECOND);
  expect(service.received).toHaveLength(1);
  await at.until("another try", () => service.received.length === 2, 5 * MINUTE);
  await at.all("accepted", topic, id);
});

test("a mail server is given a minute", async () => {
  const silent = createServer((socket) => void socket.on("error", () => undefined));
  const port = await listening(silent);
  const connected = new Promise((resolve) => silent.once("connection", resolve));
  await using at = await delivering({ env: { PEAL_FORWARD_HOSTS: `127.0.0.1:${port}` } });
  const topic = await at.peal.topic("nas");
  const settings = { host: "127.0.0.1", port, security: "none", from: "peal@example.org", to: "me@example.org" };
  await forward(at.peal, "email", settings, [topic]);
  const id = await at.publish(topic, "disk full");
  await connected;
  at.clock.advance(59 * SECOND);
  await at.peal.request("/ready");
  const [asked] = await at.when(topic, id, () => true);
  expect(asked?.attempts).toBe(0);
  at.clock.advance(SECOND);
  const [given] = await at.when(topic, id, ({ attempts }) => attempts === 1);
  expect(given?.last_reason).toBe("no answer in 60 s");
  silent.close();
});
