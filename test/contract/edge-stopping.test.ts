/** Stopping a server: requests that it has begun are answered, others are refused (OPERATIONS.md §4). */
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { begin, rawRequest, statuses } from "../support/raw.ts";
import { startPeal } from "../support/server.ts";

test("a stopping server answers what it has begun, ends its streams, and removes its socket", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("hello");
  const events = await peal.request(`/home/${topic.key}/events`);
  const begun = await begin(peal.url, "POST", "/home/hello", { authorization: `Bearer ${peal.adminKey}` }, "hi");
  const stopped = peal.kill("SIGTERM");
  await events.text(); // resolves when the stream ends
  expect(statuses(await begun.finish())).toEqual([201]);
  expect(await stopped).toBe(0);
  expect(existsSync(join(peal.dataDir, "peal.sock"))).toBe(false);
});

test("a stopping server refuses new requests with 503 stopping, except for its health", async () => {
  await using peal = await startPeal();
  const key = { authorization: `Bearer ${peal.adminKey}` };
  // prettier-ignore
  const requests: [number, string][] = [
    [503, rawRequest("GET", "/ready")],
    [503, rawRequest("POST", "/home/hello", key, "hi")],
    [200, rawRequest("GET", "/health")],
  ];
  const halves = await Promise.all(requests.map(async ([, request]) => half(peal.url, request)));
  await answer(200, await peal.request("/health")); // this request was sent later, so the halves have arrived
  const stopped = peal.kill("SIGTERM");
  await closed(peal.url);
  for (const [n, [status]] of requests.entries()) {
    const heard = (await halves[n]?.finish()) ?? "";
    expect(statuses(heard)).toEqual([status]);
    if (status === 503) expect(heard).toMatch(/retry-after: 1\r[^]*"code":"stopping"/);
  }
  expect(await stopped).toBe(0);
  await peal.start();
  expect(await answer<{ topics: object[] }>(200, await peal.api("GET", "/v1/home/topics"))).toMatchObject({
    topics: [],
  });
});

/** Resolves when nothing listens there any more. */
const closed = async (url: string) =>
  eventually("closed doors", async () => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    return new Promise<boolean>((resolve) => {
      socket.on("error", () => {
        resolve(true);
      });
      socket.on("connect", () => {
        socket.destroy();
        resolve(false);
      });
    });
  });

/** Sends a request up to the end of its first line; `finish` sends the rest and resolves to everything that was answered. */
async function half(url: string, request: string): Promise<{ finish(): Promise<string> }> {
  const { hostname, port } = new URL(url);
  const middle = request.indexOf("\r\n") + 2;
  const socket = connect(Number(port), hostname);
  await new Promise((sent) => socket.write(request.slice(0, middle), sent));
  let heard = "";
  socket.on("data", (data) => (heard += data.toString()));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  return {
    finish: async () => {
      socket.write(request.slice(middle));
      await closed; // a stopping server closes each connection that it has answered
      return heard;
    },
  };
}
