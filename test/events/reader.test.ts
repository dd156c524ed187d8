/** The socket side of a stream, on a real server. */
import { expect, test } from "bun:test";
import { EVENT_STREAM } from "../../src/messages/events/frame.ts";
import { Reader } from "../../src/messages/events/reader.ts";
import type { SinkOwner } from "../../src/messages/events/sink.ts";

test("a stream that is ended before anyone reads it ends its answer", async () => {
  let ends = 0;
  const owner: SinkOwner = {
    opened: () => {
      throw new Error("it was opened");
    },
    drained: () => undefined,
    ended: () => ends++,
  };
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, own) => {
      const reader = new Reader({ request, server: own, contentType: EVENT_STREAM }, owner);
      const response = reader.response();
      reader.end();
      return response;
    },
  });
  const answer = await fetch(server.url);
  expect([answer.status, await answer.text(), ends]).toEqual([200, "", 1]);
});
