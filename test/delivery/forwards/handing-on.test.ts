/** Messages are handed on to other services, through outages and refusals, each once, and without telling any secret. */
import { expect, test } from "bun:test";
import type { TestTopic } from "../../support/client.ts";
import { deliveriesOf } from "../../support/devices.ts";
import { forward, forwardOf } from "../../support/forwards.ts";
import { createApprise } from "../../support/forwards/apprise.ts";
import { startMailServer } from "../../support/forwards/mailserver.ts";
import { createMatrix, MATRIX_ROOM, MATRIX_TOKEN } from "../../support/forwards/matrix.ts";
import { createPushover, PUSHOVER_APP, PUSHOVER_USER } from "../../support/forwards/pushover.ts";
import { createTelegram, TELEGRAM_CHAT, TELEGRAM_TOKEN } from "../../support/forwards/telegram.ts";
import { fakeService, type FakeService } from "../../support/push/service.ts";
import { testWith } from "../../support/tools.ts";
import { type Delivering, delivering, heardOf, MINUTE, SECOND } from "../delivering.ts";

/** A service, and how a forward to it is made. */
interface Served extends AsyncDisposable {
  service: FakeService;
  settings: Record<string, string>;
  secrets: string[];
  /** A secret that it does not know, in the form of one. */
  wrong: Record<string, string>;
  /** What people saw of the messages. */
  seen(): string[];
}

const served = (service: FakeService, rest: Omit<Served, "service" | typeof Symbol.asyncDispose>): Served => ({
  ...{ service, ...rest },
  [Symbol.asyncDispose]: async () => service[Symbol.asyncDispose](),
});

const KINDS: Record<string, () => Promise<Served>> = {
  telegram: async () => {
    const telegram = createTelegram();
    const service = await fakeService(telegram.judge);
    return served(service, {
      settings: { bot_token: TELEGRAM_TOKEN, chat: TELEGRAM_CHAT, server: service.origin },
      ...{ secrets: [TELEGRAM_TOKEN], wrong: { bot_token: `1${TELEGRAM_TOKEN}` } },
      seen: () => telegram.messages.map(({ text }) => text),
    });
  },
  matrix: async () => {
    const matrix = createMatrix();
    const service = await fakeService(matrix.judge);
    return served(service, {
      settings: { server: service.origin, access_token: MATRIX_TOKEN, room: MATRIX_ROOM },
      ...{ secrets: [MATRIX_TOKEN], wrong: { access_token: "syt_d3Jvbmc_zyxwvutsrqponmlk_9z8y7x" } },
      seen: () => matrix.events.map(({ body }) => String(body)),
    });
  },
  pushover: async () => {
    const pushover = createPushover();
    const service = await fakeService(pushover.judge);
    return served(service, {
      settings: { app_token: PUSHOVER_APP, user_key: PUSHOVER_USER, server: service.origin },
      ...{ secrets: [PUSHOVER_APP, PUSHOVER_USER], wrong: { app_token: "b".repeat(30) } },
      seen: () => pushover.messages.map(({ message = "" }) => message),
    });
  },
  apprise: async () => {
    const apprise = createApprise();
    const service = await fakeService(apprise.judge);
    return served(service, {
      settings: { server: service.origin, urls: "json://secret-host-name/path" },
      ...{ secrets: ["secret-host-name"], wrong: { urls: "nothing://at-all-anywhere" } },
      seen: () => apprise.sent.map(({ body }) => String(body)),
    });
  },
};
const NAMES = Object.keys(KINDS);
const serve = async (name: string): Promise<Served> => {
  const start = KINDS[name];
  if (start === undefined) throw new Error(`no service ${name}`);
  return start();
};

/** Makes a forward of the topic; notes what must not appear in any log. */
async function forwardTo(at: Delivering, kind: string, settings: object, topic: TestTopic, secrets: string[] = []) {
  for (const secret of secrets) at.peal.secrets.add(secret);
  return forward(at.peal, kind, settings, [topic]);
}

test.each(NAMES)(
  "a message is handed on by %s, and nothing that is answered or logged has its secrets",
  async (name) => {
    await using to = await serve(name);
    await using at = await delivering({ env: to.service.env });
    const topic = await at.peal.topic("nas");
    const { id } = await forwardTo(at, name, to.settings, topic, to.secrets);
    const message = await at.publish(topic, "disk full");
    await at.all("accepted", topic, message);
    expect(to.seen()).toHaveLength(1);
    expect(to.seen()[0]).toContain("disk full");
    const told = await Promise.all([
      at.peal.api("GET", `/v1/home/forwards/${id}`),
      at.peal.api("GET", `/v1/home/${topic.key}/messages/${message}/deliveries`),
      at.peal.request("/metrics"),
      at.peal.request("/health"),
    ]);
    const texts = await Promise.all(told.map(async (response) => response.text()));
    for (const secret of to.secrets) expect([...texts, ...at.logs].join("\n")).not.toContain(secret);
  },
);

test.each(NAMES)("an outage of %s costs no message, and each comes once", async (name) => {
  await using to = await serve(name);
  await using at = await delivering({ env: to.service.env });
  const topic = await at.peal.topic("nas");
  await forwardTo(at, name, to.settings, topic, to.secrets);
  await to.service.wire.stop();
  const ids = [await at.publish(topic, "one"), await at.publish(topic, "two")];
  await at.pass(MINUTE);
  expect(to.seen()).toEqual([]);
  to.service.script.once("*", { status: 503 }, { kind: "reset" });
  await to.service.wire.start();
  await at.until("both messages", () => to.seen().length === 2, 10 * MINUTE);
  await at.all("accepted", topic, ...ids);
  expect(to.seen()).toHaveLength(2);
});

test.each(NAMES)("%s is left alone for as long as it says", async (name) => {
  await using to = await serve(name);
  await using at = await delivering({ env: to.service.env });
  const topic = await at.peal.topic("nas");
  await forwardTo(at, name, to.settings, topic, to.secrets);
  to.service.script.once("*", { status: 429, headers: { "retry-after": "120" } });
  const id = await at.publish(topic, "one");
  await at.until("the refusal", () => to.service.received.length === 1);
  await at.pass(110 * SECOND);
  expect(to.service.received).toHaveLength(1);
  await at.until("the message", () => to.seen().length === 1, MINUTE);
  await at.all("accepted", topic, id);
});

test.each(NAMES)(
  "a wrong secret for %s pauses this forward alone, is told, and what waited is sent once it is mended",
  async (name) => {
    await using to = await serve(name);
    await using at = await delivering({ env: to.service.env });
    const topic = await at.peal.topic("nas");
    const wrong = { ...to.settings, ...to.wrong };
    const { id } = await forwardTo(at, name, wrong, topic, [...to.secrets, ...Object.values(to.wrong)]);
    await forwardTo(at, name, to.settings, topic);
    const message = await at.publish(topic, "disk full");
    await at.until("the trouble", async () => (await forwardOf(at.peal, id)).trouble !== undefined);
    await at.until("the other forward", () => to.seen().length === 1);
    const { deliveries } = await deliveriesOf(at.peal, topic, message);
    expect(deliveries.map(({ state }) => state).sort()).toEqual(["accepted", "pending"]);
    await at.until("what operators hear", async () => (await heardOf(at)).length > 0);
    const right = Object.fromEntries(Object.keys(to.wrong).map((field) => [field, to.settings[field]]));
    expect((await at.peal.api("PATCH", `/v1/home/forwards/${id}`, { settings: right })).status).toBe(200);
    await at.until("the message", () => to.seen().length === 2, 2 * MINUTE);
    await at.all("accepted", topic, message);
    expect((await forwardOf(at.peal, id)).trouble).toBeUndefined();
  },
);

test("messages to a group of Telegram that has got another id come there, and the forward tells it", async () => {
  const telegram = createTelegram();
  await using service = await fakeService(telegram.judge);
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  const settings = { bot_token: TELEGRAM_TOKEN, chat: TELEGRAM_CHAT, server: service.origin };
  const { id } = await forwardTo(at, "telegram", settings, topic, [TELEGRAM_TOKEN]);
  telegram.upgrade();
  await at.all("accepted", topic, await at.publish(topic, "disk full"));
  expect(telegram.messages).toHaveLength(1);
  expect((await forwardOf(at.peal, id)).last_error).toContain(`enter ${telegram.chat} as its chat id`);
});

/** An emergency at Pushover, and its receipt. */
async function emergency() {
  const pushover = createPushover();
  const service = await fakeService(pushover.judge);
  const at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  await forwardTo(at, "pushover", { app_token: PUSHOVER_APP, user_key: PUSHOVER_USER, server: service.origin }, topic);
  const id = await at.publish(topic, "fire", { priority: "urgent", ack: true });
  await at.until("the emergency", () => pushover.receipts.size === 1);
  const [[receipt, ringing] = []] = pushover.receipts;
  if (receipt === undefined || ringing === undefined) throw new Error("no receipt");
  return {
    ...{ pushover, service, at, topic, id, receipt, ringing },
    acknowledgedAt: async () => (await deliveriesOf(at.peal, topic, id)).acknowledged_at,
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

test("what somebody acknowledges in Pushover is acknowledged here, and Pushover is asked rarely until then", async () => {
  await using one = await emergency();
  await one.at.pass(5 * MINUTE);
  expect(one.ringing.looks).toBeGreaterThan(0);
  expect(one.ringing.looks).toBeLessThanOrEqual(60); // "no faster than once every 5 seconds"
  expect(one.pushover.messages).toHaveLength(1);
  expect(await one.acknowledgedAt()).toBeUndefined();
  one.pushover.acknowledge(one.receipt);
  await one.at.until("the acknowledgement", one.acknowledgedAt, 5 * MINUTE);
  const { looks } = one.ringing;
  await one.at.pass(5 * MINUTE);
  expect(one.ringing.looks).toBeLessThanOrEqual(looks + 1);
});

test("what somebody acknowledges here no longer rings in Pushover, even if Pushover is away meanwhile", async () => {
  await using one = await emergency();
  await one.service.wire.stop();
  const { namespace, key } = one.topic;
  expect((await one.at.peal.request(`/v1/${namespace}/${key}/messages/${one.id}/ack`, { method: "POST" })).status).toBe(
    200,
  );
  await one.at.pass(MINUTE);
  expect(one.ringing.state).toBe("ringing");
  await one.service.wire.start();
  await one.at.until("silence", () => one.ringing.state === "cancelled", 20 * MINUTE);
  await one.at.all("accepted", one.topic, one.id);
});

test("an emergency that nobody acknowledges ends in an hour", async () => {
  await using one = await emergency();
  await one.at.pass(10 * MINUTE);
  one.pushover.expire(one.receipt);
  const { looks } = one.ringing;
  await one.at.pass(5 * MINUTE);
  expect(one.ringing.looks).toBeLessThanOrEqual(looks + 6);
  const settled = one.ringing.looks;
  await one.at.pass(10 * MINUTE);
  expect(one.ringing.looks).toBe(settled);
  expect(one.pushover.messages).toHaveLength(1);
  expect(await one.acknowledgedAt()).toBeUndefined();
});

const LOGIN = { user: "peal", password: "open-sesame-42" };

testWith("aiosmtpd")("a message is mailed, and no answer or log has the password", async () => {
  await using server = await startMailServer({ security: "starttls", users: { peal: LOGIN.password } });
  const host = `localhost:${server.port}`;
  await using at = await delivering({ env: { PEAL_FORWARD_HOSTS: host } });
  const topic = await at.peal.topic("nas");
  const settings = { host: "localhost", port: server.port, from: "peal@example.org", to: "me@example.org", ...LOGIN };
  const { id } = await forwardTo(at, "email", settings, topic, [LOGIN.password]);
  const first = await at.publish(topic, "down", { dedup_key: "web", status: "firing" });
  await at.all("accepted", topic, first);
  const second = await at.publish(topic, "up", { dedup_key: "web", status: "resolved" });
  await at.all("accepted", topic, second);
  const [down, up] = server.mails.map(({ headers }) => Object.fromEntries(headers));
  expect(up?.["References"]).toBe(String(down?.["References"]));
  expect(up?.["Message-ID"]).not.toBe(String(down?.["Message-ID"]));
  expect(await (await at.peal.api("GET", `/v1/home/forwards/${id}`)).text()).not.toContain(LOGIN.password);
});

testWith("aiosmtpd")("mails wait while their server is down, and come once", async () => {
  await using server = await startMailServer({ security: "none" });
  await using at = await delivering({ env: { PEAL_FORWARD_HOSTS: `localhost:${server.port}` } });
  const topic = await at.peal.topic("nas");
  const settings = {
    host: "localhost",
    port: server.port,
    security: "none",
    from: "peal@example.org",
    to: "me@example.org",
  };
  await forwardTo(at, "email", settings, topic);
  await server.wire.stop();
  const id = await at.publish(topic, "down");
  await at.pass(MINUTE);
  await server.wire.start();
  // the clock rests while they talk, else a slow machine would run out of time
  await at.until("a connection", () => server.wire.connections > 0, 10 * MINUTE);
  await at.all("accepted", topic, id);
  expect(server.mails).toHaveLength(1);
});

testWith("aiosmtpd")(
  "a recipient that is refused is told at the forward, and the message counts as accepted",
  async () => {
    await using server = await startMailServer({ security: "none" });
    await using at = await delivering({ env: { PEAL_FORWARD_HOSTS: `localhost:${server.port}` } });
    const topic = await at.peal.topic("nas");
    const to = "me@example.org, gone@example.org";
    const settings = { host: "localhost", port: server.port, security: "none", from: "peal@example.org", to };
    const { id } = await forwardTo(at, "email", settings, topic);
    await at.all("accepted", topic, await at.publish(topic, "down"));
    expect((await forwardOf(at.peal, id)).last_error).toContain(
      "not for gone@example.org: 550 5.1.1 No such user here",
    );
  },
);

test("mail without TLS is only for a server that the operator allows", async () => {
  await using at = await delivering();
  const settings = { host: "mail.example.org", security: "none", from: "peal@example.org", to: "me@example.org" };
  const refused = await at.peal.api("POST", "/v1/home/forwards", { kind: "email", settings });
  expect(refused.status).toBe(422);
  expect(await refused.text()).toContain("PEAL_FORWARD_HOSTS");
});
