/** Event streams over a swap of the certificate: they stay on the old one, for a day at most (OPERATIONS.md §7). */
import { expect, test } from "bun:test";
import { X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSockets } from "../../src/server/steer.ts";
import { DAY, HOUR } from "../../src/util/clock.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { inProcess } from "../support/server.ts";
import { fresh, streaming } from "./load.ts";

test("a stream goes on over a swap, and ends a day later; new ones have the new certificate", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peal-tls-"));
  const [cert, key] = [join(folder, "cert"), join(folder, "key")];
  const write = async () => {
    const pair = authority.issue(["127.0.0.1"], { until: Date.now() + 90 * DAY });
    await writeFile(key, pair.key);
    await writeFile(cert, pair.cert);
    return new X509Certificate(pair.cert).serialNumber;
  };
  await write();
  const clock = heldClock(Date.now());
  await using peal = await inProcess({
    clock,
    env: { PEAL_TLS: "files", PEAL_TLS_CERT: cert, PEAL_TLS_KEY: key, PEAL_LISTEN_TLS: "127.0.0.1:0" },
  });
  await eventually("a certificate", () => peal.running.deps.tls?.certificate);
  const url = `https://127.0.0.1:${peal.running.tlsAddresses[0]?.port}`;
  const topic = await peal.topic("swapped");
  const events = `${url}/home/${topic.key}/events`;
  const old = await streaming(events);
  const serial = await write();
  await eventually("the new certificate", async () => {
    clock.advance(1_000);
    return (await fresh(`${url}/ready`)).serial === serial;
  });
  clock.advance(10_000);
  const said = async (text: string) => {
    await peal.publish(topic, text);
    await eventually(`${text} on the stream`, () => old.text().includes(text));
  };
  await said("after the swap");
  clock.advance(DAY - HOUR);
  await said("an hour before the end");
  const next = await streaming(events);
  clock.advance(2 * HOUR);
  await eventually("the end of the old stream", () => old.isOver());
  await peal.publish(topic, "after a day");
  await eventually("the message on the new stream", () => next.text().includes("after a day"));
  next.end();
  await rm(folder, { recursive: true });
});

test("where the sockets of this process cannot be seen, there is nothing to steer, and nothing fails", () => {
  expect(openSockets("/nowhere")).toBeUndefined();
  expect(openSockets()?.size).toBeGreaterThanOrEqual(0);
});
