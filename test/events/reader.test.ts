/** The socket side of a stream, on a real server. */
import { expect, test } from "bun:test";
import { Reader, type ReaderOwner } from "../../src/messages/events/reader.ts";

test("a stream that is ended before anyone reads it ends its answer", async () => {
  let ends = 0;
  const owner: ReaderOwner = {
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
      const reader = new Reader(request, own, owner);
      const response = reader.response();
      reader.end();
      return response;
    },
  });
  const answer = await fetch(server.url);
  expect([answer.status, await answer.text(), ends]).toEqual([200, "", 1]);
});
