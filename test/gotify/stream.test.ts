/** Gotify's app holds a WebSocket: what it hears, what it makes up for after a break, and what ends it (docs/from-gotify.md). */
import { describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { appWith, signIn, type Refused } from "./app.ts";

const MARA = { name: "mara", password: PASSWORD };
const topic = { namespace: "home", name: "backups" };
/** Without a close frame. OkHttp does not tell the app of one (it overrides no `onClosing`), and the app would wait for minutes. */
const ABNORMAL = 1006;

const json = (method: string, body: object): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

test("what is published while it is open comes once, in order, as the lists have it", async () => {
  await using peal = await inProcess();
  await person(peal);
  await peal.publish(topic, { message: "before" });
  const app = await signIn(peal.url, MARA);
  const stream = await app.stream();
  for (let n = 0; n < 150; n++) await peal.publish(topic, { message: `message ${n}`, title: `T ${n}` });
  await stream.heard("message 149");
  const listed = await app.missing(0);
  expect(stream.messages).toEqual(listed.filter(({ message }) => message !== "before"));
  expect(stream.messages).toHaveLength(150);
  stream.close();
});

test("it has every topic that the reader may read, new ones too, and none of another's", async () => {
  await using peal = await inProcess();
  await person(peal);
  await answer(201, await peal.local("/-/local/namespaces", json("POST", { name: "work" })));
  await person(peal, { name: "guest", namespaces: ["home"] });
  const [all, home] = [
    await (await signIn(peal.url, MARA)).stream(),
    await (await signIn(peal.url, { name: "guest", password: PASSWORD })).stream(),
  ];
  const of = async (namespace: string) =>
    (await answer<{ key: string }>(201, await peal.local(`/v1/keys?namespace=${namespace}`, json("POST", {})))).key;
  const publish = async (namespace: string, name: string, message: string) => {
    const headers = { authorization: `Bearer ${await of(namespace)}` };
    await answer(201, await peal.request(`/${namespace}/${name}`, { method: "POST", headers, body: message }));
  };
  await publish("work", "new", "for mara");
  await answer(201, await peal.local("/-/local/namespaces", json("POST", { name: "later" })));
  await publish("later", "newer", "for mara too");
  await publish("home", "backups", "for both");
  await home.heard("for both");
  await all.heard("for both");
  expect(all.messages.map(({ message }) => message)).toEqual(["for mara", "for mara too", "for both"]);
  expect(home.messages.map(({ message }) => message)).toEqual(["for both"]);
});

test.each(["", "/v1/gotify"])(
  "at the address with %j behind it, other clients send the token in a header",
  async (end) => {
    await using peal = await inProcess();
    await person(peal);
    const { token } = await signIn(peal.url, MARA);
    const heard: unknown[] = [];
    const socket = new WebSocket(`${peal.url}${end}/stream`.replace("http", "ws"), {
      headers: { "x-gotify-key": token },
    });
    await new Promise((resolve) => {
      socket.addEventListener("open", resolve);
    });
    const first = new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        heard.push(data);
        resolve(data);
      });
    });
    await peal.publish(topic, { message: "hello" });
    expect(JSON.parse(String(await first))).toMatchObject({ message: "hello" });
    expect(heard).toHaveLength(1);
    socket.close();
  },
);

test("after a kill the app reconnects and makes up for what it missed: nothing is lost, nothing comes twice", async () => {
  await using peal = await startPeal();
  await person(peal);
  const app = await signIn(peal.url, MARA);
  const shown: string[] = [];
  let last = 0;
  for (let round = 0; round < 3; round++) {
    const stream = await app.stream();
    // WebSocketService.notifyMissedNotifications
    if (round > 0) shown.push(...(await app.missing(last)).map(({ message }) => message));
    for (let n = 0; n < 12; n++) await peal.publish(topic, { message: `${round}.${n} live` });
    const end = await stream.heard(`${round}.11 live`);
    shown.push(...stream.messages.map(({ message }) => message));
    last = end.id;
    await peal.kill("SIGKILL");
    expect(await stream.ended).toBe(ABNORMAL);
    await peal.start();
    for (let n = 0; n < 12; n++) await peal.publish(topic, { message: `${round}.${n} missed` });
  }
  shown.push(...(await app.missing(last)).map(({ message }) => message));
  expect(shown).toEqual((await app.missing(0)).map(({ message }) => message));
  expect(shown).toHaveLength(72);
});

describe("it ends at once, so that the app notices,", () => {
  type Ending = (peal: TestServer, about: { id: string; token: string; key: { id: string } }) => Promise<unknown>;
  // prettier-ignore
  const ends: [when: string, by: "person" | "key", end: Ending][] = [
    ["when the app is signed out",               "person", async (peal, { token }) => appWith(peal.url, token).signOut()],
    ["when the person gets a new password",      "person", async (peal, { id }) => peal.local(`/-/local/people/${id}/password`, json("PUT", { password: "a new long password" }))],
    ["when the person is removed",               "person", async (peal, { id }) => peal.local(`/-/local/people/${id}`, { method: "DELETE" })],
    ["when the person may see less",             "person", async (peal, { id }) => peal.local(`/-/local/people/${id}`, json("PATCH", { namespaces: [] }))],
    ["when the operator ends all sessions",      "person", async (peal, { id }) => peal.local(`/-/local/people/${id}/sessions`, { method: "DELETE" })],
    ["when the key is revoked",                  "key",    async (peal, { key }) => peal.api("DELETE", `/v1/keys/${key.id}`)],
  ];
  test.each(ends)("%s", async (when, by, end) => {
    await using peal = await inProcess();
    await person(peal);
    const id = await person(peal, { name: "noor", namespaces: ["home"] });
    const key = await answer<{ id: string; key: string }>(201, await peal.api("POST", "/v1/keys", { scope: "read" }));
    const password = by === "key" ? key.key : PASSWORD;
    const app = await signIn(peal.url, { name: "noor", password });
    const stream = await app.stream();
    await end(peal, { id, token: app.token, key });
    expect(await stream.ended).toBe(ABNORMAL);
    // the app reconnects a minute later (WebSocketConnection.onFailure), if it still may
    const back: unknown = await app.currentUser().catch((error: unknown) => (error as Refused).code);
    if (when.includes("less")) expect(back).toMatchObject({ name: "noor" });
    else expect(back).toBe(401);
  });

  test("when the server stops", async () => {
    await using peal = await inProcess();
    await person(peal);
    const app = await signIn(peal.url, MARA);
    const stream = await app.stream();
    await peal.restart();
    expect(await stream.ended).toBe(ABNORMAL);
    await peal.publish(topic, { message: "meanwhile" });
    expect(await app.missing(0)).toMatchObject([{ message: "meanwhile" }]);
  });
});

test("a phone that does nothing but listen stays signed in: its stream ends now and then, and coming back is a use of its token", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock });
  await person(peal);
  const app = await signIn(peal.url, MARA);
  for (let times = 0; times < 3; times++) {
    const stream = await app.stream();
    clock.jump(16 * 86_400_000);
    clock.advance(15_000); // the wall clock is looked at with each heartbeat
    expect(await stream.ended).toBe(ABNORMAL);
  }
  expect(await app.currentUser()).toMatchObject({ name: "mara" });
});

test("a token that is not valid opens no stream, and a browser without a WebSocket is told what it is for", async () => {
  await using peal = await inProcess();
  await person(peal);
  const refused: unknown = await appWith(peal.url, "CwrongToken1234")
    .stream()
    .catch((error: unknown) => error);
  expect(String(refused)).toContain("refused");
  const { token } = await signIn(peal.url, MARA);
  const plain = await peal.request("/stream", { headers: { "x-gotify-key": token } });
  expect(await answer<object>(400, plain)).toMatchObject({ error: "Bad Request", errorCode: 400 });
});

test("streams of one address are counted together, the app's among them", async () => {
  await using peal = await inProcess({ env: { PEAL_LIMITS_STREAMS: "1:10" } });
  await person(peal);
  const app = await signIn(peal.url, MARA);
  const stream = await app.stream();
  const more = await peal.request("/stream", { headers: { "x-gotify-key": app.token, upgrade: "websocket" } });
  expect(more.status).toBe(429);
  stream.close();
});
