/** Publishes at the addresses of ntfy, and reads what is answered and stored. */
import { afterAll, expect } from "bun:test";
import type { Client, TestMessage, TestTopic } from "../support/client.ts";
import { ntfyObject, type NtfyObject } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";

/** A server for the tests of one file, with a topic and a key that publishes to it. */
export async function sender() {
  const peal = await inProcess();
  afterAll(async () => peal[Symbol.asyncDispose]());
  const topic = await peal.topic("backups");
  const { key } = await peal.mint("publish");
  const newest = async () => newestOf(peal, topic);
  return { peal, topic, key, send: sendingWith(peal, key), newest };
}

export interface Sent extends Pick<RequestInit, "method" | "body"> {
  headers?: Record<string, string>;
}

export const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
export const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`,
});

/** Sends with a key, by POST, and reads the answer as strictly as ntfy's clients do. The result throws if it is refused. */
export const sendingWith =
  (peal: Pick<Client, "request">, key: string) =>
  async (path: string, init: Sent = {}): Promise<NtfyObject> => {
    const response = await peal.request(path, {
      method: "POST",
      ...init,
      headers: { ...bearer(key), ...init.headers },
    });
    const json = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${json}`);
    expect(response.headers.get("content-type")).toBe("application/json");
    return ntfyObject(json);
  };

/** The last message of a topic. @throws Error if it has none */
export async function newestOf(peal: Pick<Client, "history">, topic: TestTopic): Promise<TestMessage> {
  const message = (await peal.history(topic)).at(-1);
  if (message === undefined) throw new Error("no message");
  return message;
}

/** The fields of a message of which nothing but the text is said. */
export const PLAIN = { level: "info", priority: "normal", format: "text", source: "ntfy" };
const OURS = new Set(["id", "namespace", "topic", "topic_name", "created_at"]);
/** What is stored of what its publisher said. */
export const fieldsOf = (message: TestMessage): object =>
  Object.fromEntries(Object.entries(message).filter(([name]) => !OURS.has(name)));
