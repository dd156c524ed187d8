/** A store that cannot be written: writes are answered with 503, nothing is stored, and reads still work (API.md §2, §6). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { startPeal } from "../support/server.ts";

test("every write answers 503 unavailable while another program locks the database, health says so, reads still work", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("held");
  await peal.publish(topic, { message: "before" });
  const { scheduled } = await answer<{ scheduled: { id: string } }>(
    201,
    await peal.api("POST", "/home/held", { message: "m", delay: 3_600 }),
  );
  const { id } = await peal.mint("publish");
  const lists = async () =>
    Promise.all(
      ["/v1/home/topics", "/v1/home/scheduled", "/v1/keys", `/v1/home/${topic.key}/messages`].map(async (path) =>
        answer<object>(200, await peal.api("GET", path)),
      ),
    );
  const before = await lists();
  // prettier-ignore
  const writes = [
    ["POST",   "/home/held",                          { message: "m" }],
    ["PUT",    "/home/fresh",                         { message: "m" }],
    ["POST",   `/v1/home/${topic.key}/publish`,       { message: "m", delay: 60 }],
    ["POST",   "/v1/home/topics",                     { name: "made" }],
    ["PATCH",  `/v1/home/${topic.key}`,               { name: "renamed" }],
    ["POST",   `/v1/home/${topic.key}/rotate`,        {}],
    ["DELETE", `/v1/home/${topic.key}/messages/1`,    undefined],
    ["DELETE", `/v1/home/scheduled/${scheduled.id}`,  undefined],
    ["DELETE", `/v1/home/${topic.key}`,               undefined],
    ["POST",   "/v1/keys",                            { scope: "full" }],
    ["DELETE", `/v1/keys/${id}`,                      undefined],
  ] as const;

  const other = new Database(join(peal.dataDir, "peal.db"));
  other.run("PRAGMA busy_timeout = 5000"); // a worker may be writing
  other.run("BEGIN IMMEDIATE");
  const refused = writes.map(async ([method, path, body]) => peal.api(method, path, body));
  const health = peal.request("/health");
  expect(await lists()).toEqual(before);
  for (const response of await Promise.all(refused)) {
    expect(response.headers.get("retry-after")).toBe("5");
    expect(await answer(503, response)).toMatchObject({ code: "unavailable" });
  }
  expect(await answer(503, await health)).toMatchObject({ status: "failing", checks: { store: "failing" } });
  expect(await lists()).toEqual(before);

  other.run("ROLLBACK");
  other.close();
  expect(await answer(201, await peal.api("POST", "/home/held", { message: "after" }))).toMatchObject({ id: 2 });
});
