/** `peal devices` and `peal deliveries`: through the running server, and without one (DELIVERY.md §6). */
import { afterAll, describe, expect, test } from "bun:test";
import { peal as run } from "../support/command.ts";
import { deliveriesWhen, deviceOf, iphone, register, UNKNOWN_DEVICE } from "../support/devices.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { startPeal, type Peal } from "../support/server.ts";

const service = await fakePushService();
const peal = await startPeal({
  env: { ...service.env, NODE_EXTRA_CA_CERTS: authority.file, PEAL_VAPID_SUBJECT: "mailto:op@peal.example" },
});
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const on = (server: Peal) => ({ PEAL_DATA_DIR: server.dataDir });
/** Runs a command that has to succeed, and returns what it prints. */
async function told(args: string[], server = peal): Promise<string> {
  const { code, stdout, stderr } = await run(args, on(server));
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return stdout.trimEnd();
}
const browser = async (server: Peal, name: string, topics: Parameters<typeof register>[2] = []) => {
  const { endpoint, keys } = service.subscribe();
  return { ...(await register(server, { platform: "web", token: endpoint, keys, name }, topics)), endpoint };
};
const TIME = "\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z";

test("with and without a server: the devices of a topic, what became of a message on each, and a test", async () => {
  const env = { ...service.env, NODE_EXTRA_CA_CERTS: authority.file };
  await using server = await startPeal({ env });
  const topic = await server.topic("backups");
  const [one, two] = [await iphone(server, [topic], { name: "my phone" }), await iphone(server, [topic])];
  const sent = await server.publish(topic, { message: "m" });
  const listed = await deliveriesWhen(server, topic, sent?.id ?? 0, 2);
  const desk = await browser(server, "desk");
  for (const isOffline of [false, true]) {
    if (isOffline) await server.kill("SIGTERM");
    const [head, first, second] = (await told(["devices", "home/backups"], server)).split("\n");
    expect(head).toMatch(/^ID +REF +PLATFORM +STATE +LAST SUCCESS +LAST ERROR +NAME$/);
    expect(first).toMatch(new RegExp(`^${one.id} +${one.ref} +ios +active +never +none +my phone$`));
    expect(second).toMatch(new RegExp(`^${two.id} +${two.ref} +ios +active +never +none$`));
    expect(JSON.parse(await told(["devices", `home/${topic.key}`, "--json"], server))).toMatchObject([
      { id: one.id, ref: one.ref, status: "active" },
      { id: two.id },
    ]);

    const text = await told(["deliveries", "home/backups", "1"], server);
    expect(text).toMatch(/^DEVICE +STATE +TRIES +AT +WHERE +DETAILS\n/);
    expect(text).toMatch(new RegExp(`\nmy phone +pending +0 +${TIME} +apns:production +paused: not configured\n`));
    expect(text).toContain(`\n${two.ref} `);
    expect(text.split("\n").at(-1)).toBe("2 pending");
    expect(JSON.parse(await told(["deliveries", "home/backups", "1", "--json"], server))).toMatchObject({
      counts: { pending: 2 },
      deliveries: listed.map(({ device, state }) => ({ device: { ref: device?.ref }, state })),
    });
  }
  const { code, stdout } = await run(["devices", "test", desk.id], { ...on(server), ...env });
  expect([code, stdout]).toEqual([0, "accepted: 201\n"]);
});

test("accepted, refused and acknowledged deliveries are shown", async () => {
  const topic = await peal.topic("told");
  const [got, refused] = [await browser(peal, "got", [topic]), await browser(peal, "refused", [topic])];
  service.script.once(refused.endpoint, { status: 400, body: '{"message":"no pushes on Sundays"}' });
  const message = await peal.publish(topic, { message: "m", priority: "urgent", ack: true });
  await deliveriesWhen(peal, topic, message?.id ?? 0, 2, ({ state }) => state !== "pending");
  await peal.request(`/v1/home/${topic.key}/messages/1/ack`, { method: "POST" });
  const text = await told(["deliveries", "home/told", "1"]);
  expect(text).toMatch(new RegExp(`\ngot +accepted +1 +${TIME} +webpush:${service.origin} +somebody acknowledged it`));
  expect(text).toMatch(/\nrefused +failed +1 .+ 400 .*no pushes on Sundays/);
  expect(text).toMatch(new RegExp(`\n1 accepted, 1 failed\nacknowledged at ${TIME}$`));

  const listed = await told(["devices", "home/told"]);
  expect(listed).toMatch(new RegExp(`${got.id} +${got.ref} +web +active +${TIME} +none +got`));
  expect(listed).toMatch(
    new RegExp(`${refused.id} +${refused.ref} +web +active +never +.*no pushes on Sundays.* \\(${TIME}\\) +refused`),
  );
});

describe("a test", () => {
  test("is sent, and waits for the answer of the push service", async () => {
    const { id, endpoint } = await browser(peal, "tried");
    expect(await told(["devices", "test", id])).toMatch(/^accepted: 201/);
    expect(service.accepted(endpoint)).toHaveLength(1);
    expect(JSON.parse(await told(["devices", "test", id, "--json"]))).toMatchObject({ state: "accepted", status: 201 });
  });

  test("that fails shows the reason, also in the exit code", async () => {
    const { id, endpoint } = await browser(peal, "gone");
    service.unsubscribe(endpoint);
    const { code, stdout } = await run(["devices", "test", id], on(peal));
    expect(stdout).toMatch(/^failed: 410/);
    expect(code).toBe(1);
    expect(await deviceOf(peal, id)).toMatchObject({ status: "expired" });
    expect(await told(["devices", "test", (await browser(peal, "other")).id])).toMatch(/^accepted/);
  });

  test("that waits for the operator says what is missing", async () => {
    const { id } = await iphone(peal);
    const { code, stdout } = await run(["devices", "test", id], on(peal));
    expect([code, stdout]).toEqual([1, "pending: paused: not configured\n"]);
  });
});

// prettier-ignore
const REFUSED: [what: string, args: string[], code: number, told: string][] = [
  ["a topic without its namespace",      ["devices", "backups"],                 64, "must have the form <namespace>/<topic>"],
  ["a path that is longer",              ["deliveries", "home/a/b", "1"],        64, "must have the form <namespace>/<topic>"],
  ["a topic that is not there",          ["devices", "home/nothing"],            1,  "there is no topic nothing in home"],
  ["a namespace that is not there",      ["devices", "media/backups"],           1,  "peal namespaces create media"],
  ["a message that is not there",        ["deliveries", "home/empty", "99"],     1,  "older than the topic's retention"],
  ["a device that is not there",         ["devices", "test", UNKNOWN_DEVICE],    1,  "`POST /v1/devices` registers it again"],
  ["to send once more what is not there", ["deliveries", "retry", "home/empty", "99"], 1, "older than the topic's retention"],
  ["no message",                         ["deliveries", "home/empty"],           64, "<id> is missing"],
];
test.each(REFUSED)("%s is refused", async (_, args, code, why) => {
  await peal.api("POST", "/v1/home/topics", { name: "empty" });
  const ran = await run(args, on(peal));
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: "" });
  expect(ran.stderr).toContain(why);
});

test("a failed delivery is sent once more, to the named device or to all; an accepted one is not", async () => {
  const topic = await peal.topic("again");
  const [first, second, fine] = await Promise.all(
    ["first", "second", "fine"].map(async (name) => browser(peal, name, [topic])),
  );
  for (const one of [first, second]) service.script.once(one?.endpoint ?? "", { status: 400 });
  const id = (await peal.publish(topic, { message: "again" }))?.id ?? 0;
  await deliveriesWhen(peal, topic, id, 3, ({ state }) => state !== "pending");
  const retry = async (...args: string[]) => told(["deliveries", "retry", "home/again", String(id), ...args]);
  expect(await retry("--device", first?.ref ?? "")).toBe("1 sent again, 0 can't be sent");
  expect(await retry("--json")).toBe('{"retried":1,"left":0}');
  await deliveriesWhen(peal, topic, id, 3, ({ state }) => state === "accepted");
  expect(await retry()).toBe("0 sent again, 0 can't be sent");
  expect([first, second, fine].map((one) => service.accepted(one?.endpoint ?? "").length)).toEqual([1, 1, 1]);
});

test("a topic without devices, and an archived one", async () => {
  const topic = await peal.topic("quiet");
  await peal.publish(topic, { message: "m" });
  await peal.api("PATCH", `/v1/home/${topic.key}`, { archived: true });
  expect(await told(["deliveries", "home/quiet", "1"])).toBe("no device was subscribed");
});
