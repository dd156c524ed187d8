/** What forwards send of a message (DELIVERY.md §11). */
import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { discord } from "../../src/delivery/forwards/discord.ts";
import { gotify } from "../../src/delivery/forwards/gotify.ts";
import type { ForwardPush, Kind } from "../../src/delivery/forwards/kind.ts";
import { ntfy } from "../../src/delivery/forwards/ntfy.ts";
import { slack } from "../../src/delivery/forwards/slack.ts";
import { webhook } from "../../src/delivery/forwards/webhook.ts";
import type { ProviderRequest } from "../../src/delivery/transport/answer.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { aForward, aNotification, aPush, type Fields, NOW } from "./pushes.ts";

const draft: Draft = {
  ...{ message: "done", level: "info", priority: "normal", format: "text", source: "api" },
};
const topic = { namespace: "home", key: "nas-0123456789abcdefghjkmnpqrs", name: "nas" };

function made(more: { draft?: Partial<Draft>; notification?: Fields["notification"] } = {}): ForwardPush {
  const whole = { ...draft, ...more.draft };
  const json = JSON.stringify({ id: 7, ...topic, ...whole });
  const shown = more.notification === undefined ? {} : { notification: more.notification };
  return { ...aForward(shown), message: { id: 7, ntfyId: "0123456789ab", topic, draft: whole, json } };
}

function requested(
  kind: Kind,
  to: Record<string, unknown>,
  push = made(),
): ProviderRequest & { json: Record<string, unknown> } {
  if ("talk" in kind) throw new Error(`${kind.name} is no HTTP`);
  const request = kind.request(push, to, NOW);
  return { ...request, json: JSON.parse(String(request.body)) as Record<string, unknown> };
}

describe("a webhook", () => {
  const to = { url: "https://hook.example/x?token=abc" };

  test("gets the message as the API has it, with its link", () => {
    const { url, json, headers } = requested(webhook, to);
    expect(url).toBe(to.url);
    expect(json).toEqual({
      id: 7,
      ...topic,
      ...draft,
      link: "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7",
    });
    expect(headers).toMatchObject({ "webhook-id": aPush().id, "webhook-timestamp": String(NOW / 1000) });
    expect(headers).not.toHaveProperty("webhook-signature");
  });

  test.each([
    [
      "a secret of Standard Webhooks",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64"),
    ],
    ["any other text", "correct horse battery", Buffer.from("correct horse battery")],
  ])("is signed by %s", (_, secret, key) => {
    const { headers, body } = requested(webhook, { ...to, secret });
    const signed = `${aPush().id}.${NOW / 1000}.${String(body)}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(signed).digest("base64")}`);
  });

  // prettier-ignore
  test.each([
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", []],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILA==",         []],
    ["correct horse battery",                  []],
    ["whsec_correct horse battery",            ["/secret"]],
    ["whsec_MfKQ9r8GKYqrTwjUPD8ILA",           ["/secret"]],
    ["whsec_MfKQ9r8GKYqrTw==",                 ["/secret"]],
    ["whsec_MfKQ9r8GKYqrTwjUPD8I-PZIo2LaLaS_", ["/secret"]],
  ])("of the secret %s finds wrong %p", (secret, paths) => {
    expect(webhook.wrong?.({ ...to, secret }).map((each) => each.path)).toEqual(paths);
  });

  test("of somebody who wants a header gets it", () => {
    expect(requested(webhook, { ...to, authorization: "Bearer abc" }).headers).toMatchObject({
      authorization: "Bearer abc",
    });
  });

  test("in the form of Slack or Discord is what these get", () => {
    expect(requested(webhook, { ...to, format: "slack" }).json).toEqual(requested(slack, to).json);
    expect(requested(webhook, { ...to, format: "discord" }).json).toEqual(requested(discord, to).json);
  });

  test("says that a test is one", () => {
    expect(requested(webhook, to, aForward()).json).toMatchObject({ test: true, title: "Backup", message: "done" });
  });
});

describe("ntfy", () => {
  const to = { server: "https://ntfy.example/", topic: "alerts" };

  test("gets JSON with all that it can show", () => {
    const push = made({
      draft: { tags: ["floppy_disk"], format: "markdown" },
      notification: {
        priority: "urgent",
        image: "https://img.example/a.png",
        actions: [
          { label: "Open", url: "https://nas.example" },
          { label: "Retry", url: "https://nas.example/retry", method: "PUT", headers: { "x-run": "1" }, body: "now" },
        ],
      },
    });
    const { url, json, headers } = requested(ntfy, { ...to, token: "tk_abc" }, push);
    expect([url, headers["authorization"]]).toEqual(["https://ntfy.example/", "Bearer tk_abc"]);
    expect(json).toEqual({
      ...{ topic: "alerts", title: "Backup", message: "done", priority: 5, tags: ["floppy_disk"], markdown: true },
      ...{ click: aNotification.url, attach: "https://img.example/a.png", sequence_id: push.collapseId },
      actions: [
        { action: "view", label: "Open", url: "https://nas.example" },
        {
          ...{ action: "http", label: "Retry", url: "https://nas.example/retry", method: "PUT" },
          ...{ headers: { "x-run": "1" }, body: "now" },
        },
      ],
    });
  });

  test("of a user gets both, and shows the level of a message without tags", () => {
    const push = made({ notification: { level: "error" } });
    const { url, json, headers } = requested(ntfy, { topic: "t", user: "phil", password: "s3cret pass" }, push);
    expect(url).toBe("https://ntfy.sh/");
    expect(headers["authorization"]).toBe(`Basic ${Buffer.from("phil:s3cret pass").toString("base64")}`);
    expect(json["tags"]).toEqual(["rotating_light"]);
  });

  test("gets no more than it shows as text", () => {
    const push = made({ notification: { body: "ü".repeat(20_000), title: "é".repeat(200) } });
    const { json } = requested(ntfy, to, push);
    expect(Buffer.byteLength(String(json["message"]))).toBeLessThanOrEqual(4_000);
    expect(Buffer.byteLength(String(json["title"]))).toBeLessThanOrEqual(250);
    expect(Buffer.byteLength(String(requested(ntfy, to, { ...push, shrunk: 2 }).json["message"]))).toBeLessThanOrEqual(
      1_000,
    );
  });

  test.each([
    [{ topic: "t", user: "phil" }, "/password"],
    [{ topic: "t", password: "x" }, "/user"],
    [{ topic: "t", token: "tk", user: "phil", password: "x" }, "/token"],
  ])("takes a token, or a user with a password: %p", (given, path) => {
    expect(ntfy.wrong?.(given).map((each) => each.path)).toEqual([path]);
  });
});

test("Gotify gets its own priorities, and what a tap opens", () => {
  const push = made({ draft: { format: "markdown" }, notification: { priority: "high" } });
  const { url, json, headers } = requested(
    gotify,
    { server: "https://g.example/gotify/", token: "AxVh8zPQ9n2bK1c" },
    push,
  );
  expect([url, headers["x-gotify-key"]]).toEqual(["https://g.example/gotify/message", "AxVh8zPQ9n2bK1c"]);
  expect(json).toEqual({
    ...{ title: "Backup", message: "done", priority: 8 },
    extras: {
      "client::display": { contentType: "text/markdown" },
      "client::notification": { click: { url: aNotification.url } },
    },
  });
});

test("Discord pings nobody, and shows plain text as it is", () => {
  const push = made({ notification: { body: "@everyone *not bold* #1" } });
  const { url, json } = requested(discord, { url: "https://discord.example/api/webhooks/1/abc" }, push);
  expect(url).toBe("https://discord.example/api/webhooks/1/abc?wait=true");
  expect(json["allowed_mentions"]).toEqual({ parse: [] });
  expect(json["embeds"]).toMatchObject([{ title: "Backup", description: "@everyone \\*not bold\\* \\#1" }]);
});

test.each([
  ["a host without a dot", { url: "http://nas:8080/home", image: "http://nas:8080/a.png" }, 0],
  ["what Discord refused before", { url: "https://nas.example/home", image: "https://nas.example/a.png" }, 1],
])("%s is no address of an embed: the link stands below the text", (_, notification, shrunk) => {
  const push = { ...made({ notification: { body: "x".repeat(9_000), ...notification } }), shrunk };
  const { json } = requested(discord, { url: "https://discord.example/api/webhooks/1/abc" }, push);
  const [embed = {}] = json["embeds"] as Record<string, unknown>[];
  expect(embed).not.toHaveProperty("url");
  expect(embed).not.toHaveProperty("image");
  expect(embed["description"]).toEndWith(`x…\n\n${notification.url}`);
  expect(String(embed["description"]).length).toBeLessThanOrEqual(4_096);
});

test("Slack calls nobody either", () => {
  const push = made({ notification: { body: "<!channel> & <b>" } });
  const { json } = requested(slack, { url: "https://slack.example/x" }, push);
  expect(json["attachments"]).toMatchObject([
    { text: "&lt;!channel&gt; &amp; &lt;b&gt;", footer: "home/nas", mrkdwn_in: [] },
  ]);
});
