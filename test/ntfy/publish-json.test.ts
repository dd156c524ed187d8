/** JSON that names its topic, at the address of the server or of a namespace (NTFY.md §2). */
import { describe, expect, test } from "bun:test";
import { ntfyError } from "../support/ntfy-object.ts";
import { bearer, fieldsOf, PLAIN, sender } from "./sending.ts";

const { peal, topic, key, send, newest } = await sender();

describe("JSON that names its topic", () => {
  const json = async (path: string, fields: object, headers: Record<string, string> = {}) =>
    send(path, { body: JSON.stringify(fields), headers: { "content-type": "application/json", ...headers } });

  test("goes to a key at the root, and to a name or key below the namespace", async () => {
    expect(await json("/", { topic: topic.key, message: "a" })).toMatchObject({ topic: topic.key, message: "a" });
    expect(await json("/ntfy/home", { topic: "backups", message: "b" })).toMatchObject({
      topic: "backups",
      message: "b",
    });
    expect(await json("/ntfy/home", { topic: topic.key, message: "c" })).toMatchObject({ message: "c" });
    expect((await peal.history(topic)).slice(-3).map(({ message }) => message)).toEqual(["a", "b", "c"]);
  });

  test("has all fields that ntfy's documentation gives", async () => {
    await json("/", {
      topic: topic.key,
      message: "Disk space is low at 5.1 GB",
      title: "Low disk space alert",
      tags: ["warning", "cd"],
      priority: 4,
      attach: "https://filesrv.lan/space.jpg",
      filename: "diskspace.jpg",
      click: "https://homecamera.lan/xasds1h2xsSsa/",
      actions: [{ action: "view", label: "Admin panel", url: "https://filesrv.lan/admin" }],
      markdown: true,
      sequence_id: "disk",
      email: "phil@example.com",
      call: "yes",
      cache: "no",
      firebase: "no",
    });
    expect(fieldsOf(await newest())).toEqual({
      ...PLAIN,
      message: "Disk space is low at 5.1 GB",
      title: "Low disk space alert",
      priority: "high",
      tags: ["warning", "cd"],
      url: "https://homecamera.lan/xasds1h2xsSsa/",
      image: "https://filesrv.lan/space.jpg",
      actions: [{ label: "Admin panel", url: "https://filesrv.lan/admin" }],
      format: "markdown",
      dedup_key: "disk",
    });
  });

  test("may name its fields in any case, as Go reads them", async () => {
    const Actions = [{ Action: "view", Label: "Open", URL: "https://h/" }];
    await json("/", { Topic: topic.key, Title: "T", Message: "M", Priority: 4, Tags: ["a"], FileName: "x", Actions });
    expect(fieldsOf(await newest())).toEqual({
      ...PLAIN,
      ...{ title: "T", message: "M", priority: "high", tags: ["a"], actions: [{ label: "Open", url: "https://h/" }] },
    });
  });

  test("may have all that its sender does not set as null", async () => {
    const nothing = Object.fromEntries(
      "title priority click attach icon filename delay email call sequence_id".split(" ").map((name) => [name, null]),
    );
    await json("/", { ...nothing, topic: topic.key, message: "from aiontfy", tags: [], actions: [], markdown: false });
    expect(fieldsOf(await newest())).toEqual({ ...PLAIN, message: "from aiontfy" });
  });

  test("is completed by headers", async () => {
    await json("/", { topic: topic.key, message: "m" }, { "X-Priority": "5", "X-Tags": "a" });
    expect(await newest()).toMatchObject({ message: "m", priority: "urgent", tags: ["a"] });
  });

  test("without a message is triggered", async () => {
    expect(await json("/", { topic: topic.key })).toMatchObject({ message: "triggered" });
  });

  // prettier-ignore
  const wrong: [what: string, body: string, status: number, code: number][] = [
    ["none",              "done",                             400, 40017],
    ["no topic",          '{"message":"m"}',                  400, 40017],
    ["a list",            '[{"topic":"backups"}]',            400, 40017],
    ["broken",            '{"topic":"backups"',               400, 40017],
    ["a name at the root", '{"topic":"backups","message":"m"}', 400, 40009],
    ["an unknown key",    '{"topic":"gone-0123456789abcdefghjkmnpqrs"}', 403, 40301],
  ];
  test.each(wrong)("that is %s is refused", async (_, body, status, code) => {
    const response = await peal.request("/", { method: "POST", body, headers: bearer(key) });
    expect(response.status).toBe(status);
    expect(await ntfyError(response)).toMatchObject({ code });
  });
});
