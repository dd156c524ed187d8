/** No secret gets into a log, a metric or an error (ARCHITECTURE.md §2.5): a whole run is searched for all that it made. */
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { apiKeySecret } from "../../src/util/ids.ts";
import type { TestTopic } from "../support/client.ts";
import { peal as run } from "../support/command.ts";
import { apnsToken, deliveriesWhen, endpoint, fcmToken, pushKeys, register, send, type TestDelivery } from "../support/devices.ts"; // prettier-ignore
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService, type FakePushService } from "../support/push/webpush.ts";
import { startPeal, type Peal } from "../support/server.ts";

/** The forms in which a secret may appear. */
const forms = (secret: string): string[] => [
  secret,
  secret.toUpperCase(),
  secret.replaceAll("-", ""),
  createHash("sha256").update(secret).digest("hex"),
  // as in Basic authentication, without the ends, which depend on the neighbouring bytes
  btoa(`u:${secret}`).slice(4, -4),
  btoa(`${secret}:`).slice(0, -4),
];

/** Uses everything that has a secret, rightly and wrongly, and returns the texts of the errors. */
async function useEverything(peal: Peal, service: FakePushService): Promise<string[]> {
  const topic = await peal.topic("secret-topic");
  const minted = await peal.mint("publish");
  const revoked = await peal.mint("full");
  const wrong = apiKeySecret();
  peal.secrets.add(wrong);
  const basic = (text: string) => ({ authorization: `Basic ${btoa(text)}` });
  await peal.publish(topic, { message: "hello" });
  await peal.request("/home/secret-topic", { method: "POST", body: "x", headers: basic(`u:${minted.key}`) });
  await peal.api("DELETE", `/v1/keys/${revoked.id}`);

  const devices = await useDevices(peal, service, topic);

  const stop = new AbortController();
  const stream = await peal.request(`/home/${topic.key}/events`, { signal: stop.signal });
  await stream.body?.getReader().read();
  const rotated = (await (await peal.api("POST", `/v1/home/${topic.key}/rotate`, {})).json()) as { topic: string };
  peal.secrets.add(rotated.topic);
  stop.abort();

  const answers = await Promise.all([
    peal.request(`/home/${topic.key}`),
    peal.request(`/home/${topic.key}/nothing`),
    peal.request(`/v1/home/${topic.key}/messages?limit=x`),
    peal.request(`/v1/nowhere/${rotated.topic}/messages`),
    peal.request(`/v1/home/${rotated.topic}/messages`, { method: "POST" }),
    peal.request(`/home/x?key=${wrong}`, { method: "POST", body: "x" }),
    peal.request("/home/x", { method: "POST", body: "x", headers: { authorization: `Bearer ${wrong}` } }),
    peal.request("/home/x", { method: "POST", body: "x", headers: { authorization: `Bearer ${revoked.key}` } }),
    peal.request("/home/x", { method: "POST", body: "x", headers: basic(`${wrong}:`) }),
    peal.api("POST", "/home/x", "{ broken", { "content-type": "application/json" }),
    peal.local("/v1/keys?namespace=home"),
  ]);
  return Promise.all([...answers, ...devices].map(async (answer) => answer.text()));
}

/**
 * Registers, pushes to and tests a device of each platform, with a push service that names the device in its answers.
 * Returns the refusals.
 */
async function useDevices(peal: Peal, service: FakePushService, topic: TestTopic): Promise<Response[]> {
  const { endpoint: subscribed, keys: own } = service.subscribe();
  peal.secrets.add(new URL(subscribed).pathname);
  const made = [];
  for (const body of [
    { platform: "ios", token: apnsToken() },
    { platform: "android", token: fcmToken() },
    { platform: "web", token: subscribed, keys: own },
  ])
    made.push(await register(peal, body, [topic]));
  service.script.once(subscribed, { status: 400, body: JSON.stringify({ reason: `${subscribed} ${own.auth}` }) });
  const message = await peal.publish(topic, { message: "hello" });
  const isTried = ({ lane, state }: TestDelivery) => !lane.startsWith("webpush:") || state === "failed";
  await deliveriesWhen(peal, topic, message?.id ?? 0, made.length, isTried);
  for (const { id } of made) await send(peal, "POST", `/v1/devices/${id}/test`);
  await eventually("the test", () => service.accepted(subscribed)[0]);
  const [ios, android, web] = made.map(({ id }) => `/v1/devices/${id}`);
  const [token, keys] = [endpoint(), pushKeys()];
  for (const secret of [token, keys.p256dh, keys.auth]) peal.secrets.add(secret);
  return Promise.all([
    send(peal, "POST", "/v1/devices", { platform: "ios", token }),
    send(peal, "POST", "/v1/devices", { platform: "web", token: token.replace("https", "http"), keys }),
    send(peal, "POST", "/v1/devices", { platform: "web", token: token.replace(".com/", ".com:8443/"), keys }),
    send(peal, "POST", "/v1/devices", { platform: "web", token, keys: { ...keys, p256dh: `${keys.p256dh}AA` } }),
    send(peal, "PATCH", web ?? "", { token }),
    send(peal, "PATCH", android ?? "", { token, keys }),
    send(peal, "PUT", `${ios}/test`),
    send(peal, "POST", `${ios}/subscriptions`, { namespace: "home", topic: token }),
    send(peal, "DELETE", ios ?? ""),
  ]);
}

test.each(["text", "json"])(
  "the %s log of a whole run, its metrics and its errors contain no secret",
  async (format) => {
    const token = `metrics-${apiKeySecret()}`;
    const env = { PEAL_LOG: "debug", PEAL_LOG_FORMAT: format, PEAL_METRICS: token };
    await using service = await fakePushService();
    await using peal = await startPeal({ env: { ...env, ...service.env, NODE_EXTRA_CA_CERTS: authority.file } });
    peal.secrets.add(token);
    const errors = await useEverything(peal, service);
    const metrics = await peal.request("/metrics", { headers: { authorization: `Bearer ${token}` } });
    expect(metrics.status).toBe(200);
    const config = await run(["config", "--json"], { ...env, PEAL_ADMIN_KEY: peal.adminKey });
    await peal.kill("SIGTERM");

    const written = [peal.logs(), peal.output(), await metrics.text(), config.stdout, config.stderr, ...errors].join(
      "\n",
    );
    expect(peal.logs()).toContain("/v1/:ns/"); // the log does contain the requests
    const found = [...peal.secrets].flatMap(forms).filter((form) => written.includes(form));
    expect(found).toEqual([]);
  },
);

test("a set-up code is printed and stored in its file, and is in no log", async () => {
  await using peal = await startPeal({ unclaimed: true, env: { PEAL_LOG: "debug" } });
  const code = (await readFile(join(peal.dataDir, "setup-code"), "utf8")).trim();
  expect(peal.output()).toContain(`/-/setup#${code}`);
  await peal.request("/");
  await peal.request("/-/setup");
  await peal.local("/-/local/setup-code");
  await peal.kill("SIGTERM");
  expect(forms(code).filter((form) => peal.logs().includes(form))).toEqual([]);
});
