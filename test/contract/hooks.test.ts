/** A hook publishes to one topic, whatever is sent to it (docs/design/API.md §9). */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, TIME } from "../support/client.ts";
import { hookOf, messagesBy, newHook, patchedHook, post, rotatedHook, said, tokenOf } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";
import { heldClock } from "../support/clock.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

describe("a hook", () => {
  test("is made with its topic, and shown again", async () => {
    const hook = await newHook(peal, { topic: "first", name: "Sonarr" });
    expect(hook).toEqual({
      id: expect.stringMatching(/^[0-9a-z]{16}$/) as string,
      ...{ namespace: "home", name: "Sonarr", topic_name: "first" },
      topic: expect.stringMatching(/^first-[0-9a-z]{26}$/) as string,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/hook\/h_[0-9a-hjkmnp-tv-z]{26}$/) as string,
      discord_url: expect.stringMatching(/\/api\/webhooks\/\d{17,20}\/h_[0-9a-z]{26}$/) as string,
      apprise_url: expect.stringMatching(/\/v1\/apprise\/notify\/h_[0-9a-z]{26}$/) as string,
      gotify_token: expect.stringMatching(/^A[A-Za-z0-9._-]{14}$/) as string,
      ...{ get: false, keep_requests: true, requests: 0 },
      created_at: expect.stringMatching(TIME) as string,
    });
    expect(await hookOf(peal, hook.id)).toEqual(hook);
    const listed = await answer<{ hooks: object[] }>(200, await peal.api("GET", `/v1/home/hooks?topic=${hook.topic}`));
    expect(listed.hooks).toEqual([hook]);
  });

  test("publishes without a key, and its answer does not say how to read the topic", async () => {
    const hook = await newHook(peal, { topic: "second" });
    const told = await answer<Record<string, unknown>>(
      201,
      await post(peal, hook.url, { message: "hello", level: "error" }),
    );
    expect(told).toMatchObject({ id: 1, topic_name: "second", message: "hello", level: "error", source: "hook" });
    expect(JSON.stringify(told)).not.toContain(hook.topic);
    expect(await messagesBy(peal, hook)).toMatchObject([{ id: 1, message: "hello", level: "error", source: "hook" }]);
    expect(await hookOf(peal, hook.id)).toMatchObject({
      requests: 1,
      last_source: "hook",
      last_used_from: "127.0.0.1",
    });
  });
});
