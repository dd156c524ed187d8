/** Forwards in an export: whole with its secrets, and none without (docs/moving.md). */
import { join } from "node:path";
import { expect, test } from "bun:test";
import type { ForwardRecord } from "../../src/forwards/schema.ts";
import { deviceRef } from "../../src/util/ids.ts";
import { answer } from "../support/client.ts";
import { forward, tested } from "../support/forwards.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess } from "../support/server.ts";
import { eventually } from "../support/eventually.ts";
import { exported, exportedFile, folder, result } from "./importing.ts";

const TOKEN = "AxSecretToken00";

test("a server that takes over the other's secret forwards as before; another says that secrets are to be entered", async () => {
  await using service = await fakeService(({ headers }) =>
    headers["x-gotify-key"] === TOKEN ? { status: 200, body: '{"id":1}' } : { status: 401 },
  );
  await using from = await inProcess({ env: service.env });
  const nas = await from.topic("nas");
  await from.publish(nas, { message: "x" });
  await forward(from, "gotify", { server: service.origin, token: TOKEN }, [nas], {
    name: "family",
    min_priority: "high",
  });
  using at = folder();
  const file = await exportedFile(from, at, "--with-secrets");
  expect(await Bun.file(file).text()).not.toContain(TOKEN);
  for (const hasOwnSecret of [false, true]) {
    await using to = await inProcess({ env: service.env });
    if (hasOwnSecret) await forward(to, "discord", { url: "https://discord.com/api/webhooks/1/abcdefgh" });
    const imported = await result(to, ["peal", file, "--apply"]);
    expect(imported.counts["device"]).toEqual({ created: 1 });
    const { forwards } = await answer<{ forwards: ForwardRecord[] }>(200, await to.api("GET", "/v1/home/forwards"));
    const family = forwards.find(({ name }) => name === "family");
    expect(family).toMatchObject({
      kind: "gotify",
      min_priority: "high",
      secrets: ["token"],
      topics: [{ name: "nas" }],
    });
    expect(await tested(to, family?.id ?? "")).toMatchObject(
      hasOwnSecret ? { waits_for: "paused: secrets_lost" } : { state: "accepted" },
    );
  }
});

test("without its secrets it is left out", async () => {
  await using from = await inProcess();
  await forward(from, "discord", { url: "https://discord.com/api/webhooks/1/abcdefgh" });
  using at = folder();
  const file = await exportedFile(from, at);
  expect(await Bun.file(file).text()).not.toContain("abcdefgh");
  await using to = await inProcess();
  expect((await result(to, ["peal", file, "--apply"])).counts["device"]).toEqual({ no_secret: 1 });
});

test("that of the server itself is in none: its settings make it", async () => {
  await using service = await fakeService();
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: "https://peal.example.com" };
  await using from = await inProcess({ env });
  const nas = await from.topic("nas");
  await from.request(`/${nas.key}/json?poll=1`);
  const { store } = from.running.deps;
  await eventually("the poll to be noted", async () => (await store.forwards.followed()).length === 1);
  expect((await exported(from, "--with-secrets")).filter(({ kind }) => kind === "device")).toEqual([]);
});

test("one without a namespace is refused, as is one more than a namespace may have", async () => {
  await using from = await inProcess();
  await forward(from, "discord", { url: "https://discord.com/api/webhooks/1/abcdefgh" });
  const lines = await exported(from, "--with-secrets");
  const one = lines.find(({ kind }) => kind === "device") ?? { kind: "none" };
  const row = one["row"] as Record<string, string>;
  const copies = Array.from({ length: 101 }, (_, n) => {
    const id = `${row["id"]?.slice(0, -3)}${String(n).padStart(3, "0")}`;
    return { ...one, ref: deviceRef(id), row: { ...row, id, ref: deviceRef(id), token: id } };
  });
  const stray = { ...one, namespace: undefined };
  const others = lines.filter(({ kind }) => kind !== "device" && kind !== "end");
  const all = [...others, stray, ...copies];
  using at = folder();
  const file = join(at.path, "all.ndjson");
  await Bun.write(
    file,
    [...all, { kind: "end", records: all.length - 1 }].map((line) => JSON.stringify(line)).join("\n"),
  );
  await using to = await inProcess();
  const { counts } = await result(to, ["peal", file, "--apply"]);
  expect(counts["device"]).toEqual({ invalid: 1, created: 100, too_many_devices: 1 });
});
