/** A message that its sender goes on with: it is updated, deleted, marked as read, or still waits for its time (NTFY.md §2). */
import { describe, expect, test } from "bun:test";
import type { TestMessage } from "../support/client.ts";
import { ntfyError } from "../support/ntfy-object.ts";
import { bearer, sender } from "./sending.ts";

const { peal, topic, key, send, newest } = await sender();

describe("a message", () => {
  test("is updated by the path, in either base", async () => {
    for (const base of [`/${topic.key}`, "/ntfy/home/backups"])
      for (const method of ["POST", "PUT"]) {
        const told = await send(`${base}/copy-1`, {
          method,
          body: `${method} 10 %`,
          headers: { "content-type": "text/plain" },
        });
        expect(told).toMatchObject({ sequence_id: "copy-1", message: `${method} 10 %` });
        expect(await newest()).toMatchObject({ dedup_key: "copy-1", message: `${method} 10 %` });
      }
  });

  test("is updated by the id that the first answer gave", async () => {
    const { id } = await send(`/${topic.key}`, { body: "first" });
    expect(await send(`/${topic.key}/${id}`, { body: "second" })).toMatchObject({ sequence_id: id });
  });

  test("is deleted, and closed in the feed", async () => {
    for (const base of [`/${topic.key}`, "/ntfy/home/backups"]) {
      await send(`${base}/door`, { body: "open" });
      const told = await send(`${base}/door`, { method: "DELETE" });
      expect(told).toMatchObject({ event: "message_delete", sequence_id: "door" });
      expect(told).not.toHaveProperty("message");
      expect(await newest()).toMatchObject({ dedup_key: "door", status: "resolved", priority: "low" });
    }
  });

  test("is deleted by the id of its answer as well, whatever it was", async () => {
    const { id } = await send(`/${topic.key}`, { body: "no sequence" });
    expect(await send(`/${topic.key}/${id}`, { method: "DELETE" })).toMatchObject({
      event: "message_delete",
      sequence_id: id,
    });
    expect(await newest()).toMatchObject({ dedup_key: id, status: "resolved" });
  });

  test("is deleted by its id in its own topic alone", async () => {
    const other = await peal.topic("elsewhere");
    const { id } = await send(`/${topic.key}`, { body: "here" });
    const { id: number } = await newest();
    for (let n = 1; n <= number; n++) await send(`/${other.key}`, { body: `there ${n}` }); // the last has the same number
    const before = await peal.history(other);
    await send(`/${other.key}/${id}`, { method: "DELETE" });
    expect(await peal.history(other)).toEqual(before);
  });

  test("that nobody was told of is deleted without a word, and makes no topic", async () => {
    const before = await peal.history(topic);
    for (const path of [`/${topic.key}/never`, "/ntfy/home/no-such-topic/never"]) {
      const told = await send(path, { method: "DELETE" });
      expect(told).toMatchObject({ event: "message_delete", sequence_id: "never", topic: path.split("/").at(-2) });
    }
    expect(await peal.history(topic)).toEqual(before);
    const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as { topics: { name: string }[] };
    expect(topics.map(({ name }) => name)).not.toContain("no-such-topic");
    const unknown = { method: "DELETE", headers: bearer(key) };
    expect((await peal.request("/gone-0123456789abcdefghjkmnpqrs/x", unknown)).status).toBe(403);
  });

  test("that was deleted comes back with the next of its sequence", async () => {
    const path = `/${topic.key}/phoenix`;
    await send(path, { body: "one" });
    await send(path, { method: "DELETE" });
    expect(await send(path, { body: "two" })).toMatchObject({ event: "message", message: "two" });
    expect(await newest()).toMatchObject({ dedup_key: "phoenix", message: "two" });
    expect(await newest()).not.toHaveProperty("status");
  });

  test("is marked as read", async () => {
    await send(`/${topic.key}/bell`, { body: "it rings" });
    for (const word of ["clear", "read"]) {
      const told = await send(`/${topic.key}/bell/${word}`, { method: "PUT" });
      expect(told).toMatchObject({ event: "message_clear", sequence_id: "bell" });
    }
    expect(await newest()).toMatchObject({ dedup_key: "bell", status: "resolved", source: "ntfy:clear" });
  });
});

describe("a message that waits", () => {
  const waiting = async () => {
    const page = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as { scheduled: TestMessage[] };
    return page.scheduled.map(({ message }) => message);
  };

  test("is answered with its time, and an id", async () => {
    const at = Math.floor(Date.now() / 1000) + 86_400;
    const told = await send(`/${topic.key}`, { body: "later", headers: { At: String(at) } });
    expect(told).toMatchObject({ message: "later", time: at });
    expect(await waiting()).toContain("later");
  });

  test("is replaced by the next of its sequence, as in a dead man's switch, and cancelled by its deletion", async () => {
    const path = `/${topic.key}/switch`;
    for (const body of ["switch 1", "switch 2"]) await send(path, { body, headers: { Delay: "1d" } });
    expect((await waiting()).filter((message) => message.startsWith("switch"))).toEqual(["switch 2"]);
    const before = await peal.history(topic);
    await send(path, { method: "DELETE" });
    expect((await waiting()).filter((message) => message.startsWith("switch"))).toEqual([]);
    expect(await peal.history(topic)).toEqual(before);
  });

  test("is replaced by one of its sequence that is sent at once", async () => {
    await send(`/${topic.key}/tardy`, { body: "tardy, later", headers: { Delay: "1d" } });
    await send(`/${topic.key}/tardy`, { body: "tardy, now" });
    expect((await waiting()).filter((message) => message.startsWith("tardy"))).toEqual([]);
    expect(await newest()).toMatchObject({ message: "tardy, now" });
  });

  test("is cancelled with the deletion of what was told under its sequence", async () => {
    await send(`/${topic.key}/both`, { body: "both, now" });
    await send(`/${topic.key}/both`, { body: "both, later", headers: { Delay: "1d" } });
    await send(`/${topic.key}/both`, { method: "DELETE" });
    expect((await waiting()).filter((message) => message.startsWith("both"))).toEqual([]);
    expect(await newest()).toMatchObject({ dedup_key: "both", source: "ntfy:delete" });
  });

  test("is cancelled by the id of its answer, and by none of another topic", async () => {
    const other = await peal.topic("others");
    const { id } = await send(`/${topic.key}`, { body: "cancel me", headers: { Delay: "1d" } });
    await send(`/${other.key}/${id}`, { method: "DELETE" });
    expect(await waiting()).toContain("cancel me");
    await send(`/${topic.key}/${id}`, { method: "DELETE" });
    expect(await waiting()).not.toContain("cancel me");
  });

  test("without a sequence is left alone", async () => {
    await send(`/${topic.key}`, { body: "one of two", headers: { Delay: "1d" } });
    await send(`/${topic.key}`, { body: "two of two", headers: { Delay: "1d" } });
    const left = (await waiting()).filter((message) => message.endsWith("of two"));
    expect(left).toEqual(["one of two", "two of two"]);
  });

  test("for a time that cannot be read is refused: now it would be another message", async () => {
    const before = (await peal.history(topic)).length;
    for (const name of ["Delay", "X-At", "In"]) {
      const init = { method: "POST", body: "x", headers: { ...bearer(key), [name]: "whenever" } };
      const response = await peal.request(`/${topic.key}`, init);
      expect([name, response.status]).toEqual([name, 400]);
      expect(await ntfyError(response)).toMatchObject({ code: 40004 });
    }
    expect((await peal.history(topic)).length).toBe(before);
  });
});
