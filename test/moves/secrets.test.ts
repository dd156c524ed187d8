/** What an export with secrets keeps working: nobody has to be told of the new machine but its address (docs/moving.md). */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { newCheck, pingKeyUrl } from "../support/checks.ts";
import { iphone, pushKeys, register } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { newHook, post } from "../support/hooks.ts";
import { fakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { login, person } from "../support/signin.ts";
import { exportedFile, folder, historyOf, result } from "./importing.ts";

/** The path of a URL, on whatever server. */
const pathIn = (url: string): string => new URL(url).pathname;

const vapidOf = async (peal: InProcess): Promise<string> =>
  (await answer<{ vapid_public_key: string }>(200, await peal.request("/v1/webpush"))).vapid_public_key;

test("keys, passwords, links, ping URLs and hooks of the old server work on the new one", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  const backups = await from.topic("backups");
  const { key } = await from.mint("publish");
  await person(from, { name: "mara" });
  await person(from, { name: "eva", namespaces: ["home"], password: "another good password" });
  const check = await newCheck(from, { name: "Nightly", slug: "nightly", every: 3600 });
  const bySlug = `${await pingKeyUrl(from)}/nightly`;
  const hook = await newHook(from, { topic: "backups", name: "Sonarr", as: "gotify" });
  using at = folder();
  const { counts } = await result(to, ["peal", await exportedFile(from, at, "--with-secrets"), "--apply"]);
  expect(counts).toMatchObject({ person: { created: 2 }, hook: { created: 1 }, check: { created: 1 } });

  const headers = { authorization: `Bearer ${key}` };
  const publish = async (peal: InProcess) => peal.request("/home/backups", { method: "POST", headers, body: "by key" });
  expect((await publish(to)).status).toBe(201);
  expect((await login(to, { name: "mara" })).status).toBe(303);
  expect((await login(to, { name: "eva", password: "another good password" })).status).toBe(303);
  expect((await login(to, { name: "eva", password: "some other password" })).status).toBe(422);
  expect((await to.request(pathIn(check.ping_url))).status).toBe(200);
  expect((await to.request(pathIn(bySlug))).status).toBe(200);
  expect((await to.request(pathIn(check.badge_url))).status).toBe(200);
  expect((await post(to, pathIn(hook.url), "by hook")).status).toBeLessThan(300);
  expect((await post(to, `/message?token=${hook.gotify_token}`, { message: "by Gotify's token" })).status).toBe(200);
  // who has the old link reads here
  expect((await to.history(backups)).map(({ message }) => message)).toEqual(["by key", "by hook", "by Gotify's token"]);
}, 60_000);

test("devices get their pushes from the new server, browsers once it has been restarted", async () => {
  await using apns = await fakeApns();
  await using web = await fakePushService();
  const options = { env: { ...apns.env, ...web.env }, ca: authority.cert };
  await using from = await inProcess(options);
  await using to = await inProcess({ ...options, unclaimed: true });
  const door = await from.topic("door");
  await iphone(from, [door]);
  const { endpoint, keys } = web.subscribe(await vapidOf(from));
  await register(from, { platform: "web", token: endpoint, keys }, [door]);
  const { key } = await from.mint("publish");
  using at = folder();
  const { counts, notes } = await result(to, ["peal", await exportedFile(from, at, "--with-secrets"), "--apply"]);
  expect(counts).toMatchObject({ device: { created: 2 }, server_secret: { created: 1 } });
  expect(notes).toEqual(["restart the server after the import: it reads the key pair for browsers only at its start"]);
  await to.restart();
  expect(await vapidOf(to)).toBe(await vapidOf(from));
  const headers = { authorization: `Bearer ${key}` };
  await answer(201, await to.request("/home/door", { method: "POST", headers, body: "somebody rang" }));
  await eventually("a push to the browser", () => web.accepted(endpoint).length === 1);
  await eventually("a push to the phone", () => apns.received.filter(({ status }) => status === 200).length === 1);
  expect((await historyOf(from, "door")).length).toBe(0);
}, 60_000);

test("people and the key pair of browsers that a server has already are kept", async () => {
  await using web = await fakePushService();
  await using from = await inProcess();
  await using to = await inProcess({ env: web.env, ca: authority.cert });
  await person(from, { name: "mara", password: "from the old server" });
  await person(to, { name: "mara" });
  const own = await vapidOf(to);
  await register(to, { platform: "web", token: web.subscribe(own).endpoint, keys: pushKeys() }, [
    await to.topic("door"),
  ]);
  using at = folder();
  const { counts } = await result(to, ["peal", await exportedFile(from, at, "--with-secrets"), "--apply"]);
  expect(counts).toMatchObject({ person: { exists: 1 }, server_secret: { taken: 1 } });
  await to.restart();
  expect(await vapidOf(to)).toBe(own);
  expect((await login(to, { name: "mara" })).status).toBe(303);
}, 60_000);
