/** A client that waits for a place is silent for longer than Bun allows an idle connection, and is still answered. */
import { expect, test } from "bun:test";
import { createAnswers } from "../../src/http/answers.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import { createRendering } from "../../src/pages/rendering.ts";
import { heldClock } from "../support/clock.ts";
import { withContext } from "../support/context.ts";
import { eventually } from "../support/eventually.ts";
import { answers, converse, rawRequest, statuses } from "../support/raw.ts";

/** 1 s is the least that Bun accepts; an idle connection is then closed within 4 s (measured). */
const IDLE_SECONDS = 1;
/** From http/answers.ts: how many answers to one network can be in progress where there are no other networks. */
const ANSWERS = 16;

const deps = { clock: heldClock(), metrics: createMetrics({ version: "1", startedAt: 0 }) };

/** Requests of one network: none of them gets a place until those of `occupier` are given back. */
interface Crowd {
  ask(request: Request): Promise<Response>;
  leave(): void;
}
type Gather = (occupier: Request) => Promise<Crowd>;

const pages: Gather = async (occupier) => {
  const rendering = createRendering(deps);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  void rendering(occupier, async () => promise);
  return {
    ask: async (request) => rendering(request, async () => Promise.resolve(new Response("made"))),
    leave: () => {
      resolve(undefined);
    },
  };
};

const largeAnswers: Gather = async (occupier) => {
  const sender = createAnswers(deps);
  const ask: Crowd["ask"] = async (request) =>
    sender.send(request, async () => Promise.resolve({ body: "x".repeat(40_000) }));
  const unread = await Promise.all(Array.from({ length: ANSWERS }, async () => ask(occupier)));
  return {
    ask,
    leave: () => {
      for (const { body } of unread) void body?.cancel();
    },
  };
};

test.each([
  ["a page to be made", pages],
  ["large answers to be read", largeAnswers],
])("a client that waits for %s", async (_, gather) => {
  let waiting = 0;
  using server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: IDLE_SECONDS,
    fetch: async (request) => {
      if (request.url.endsWith("/idle")) return new Promise<never>(() => undefined);
      waiting++;
      return crowd.ask(known(request));
    },
  });
  const known = (request: Request): Request =>
    withContext(request, { server, peer: "127.0.0.1", address: "127.0.0.1", origin: server.url.origin });
  const crowd = await gather(known(new Request(server.url.href)));

  const asked = converse(server.url.href, rawRequest("GET", "/"), answers(1));
  await eventually("the request that waits", () => waiting === 1);
  // a later connection that is just as silent is closed
  await converse(server.url.href, rawRequest("GET", "/idle")).catch(() => undefined);
  crowd.leave();
  expect(statuses(await asked)).toEqual([200]);
});
