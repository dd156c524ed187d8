/** What is sent to the Apprise API, and what its answers mean, row by row. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { apprise } from "../../../src/delivery/forwards/apprise.ts";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { createApprise } from "../../support/forwards/apprise.ts";
import { aForwardPush, asking, heard, posted } from "../../support/forwards/asking.ts";
import { examples } from "../../support/rounds.ts";
import { answered, later, notifications, paused } from "../pushes.ts";

const TO = { server: "https://apprise.example.org/", key: "home", tag: "family" };
const to = asking(apprise, TO);
const sentTo = (settings: Record<string, unknown>, push: ForwardPush = aForwardPush()) => {
  const { url, headers, body } = asking(apprise, settings).request(push);
  return { url, headers, body: JSON.parse(String(body)) as Record<string, unknown> };
};

test("with a key the services are those of a configuration, chosen by tags", () => {
  const { url, headers, body } = sentTo(TO);
  expect(url).toBe("https://apprise.example.org/notify/home");
  expect(headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
  expect(headers).not.toHaveProperty("authorization");
  const link = "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7";
  expect(body).toEqual({
    title: "Backup",
    body: `done\n\nDetails: ${link}`,
    type: "info",
    format: "text",
    tag: "family",
  });
});

test("without one they are those of the URLs", () => {
  const { url, body } = sentTo({ server: "https://h.example/apprise", urls: "tgram://a/b, signal://c" });
  expect(url).toBe("https://h.example/apprise/notify");
  expect(body).toMatchObject({ urls: "tgram://a/b, signal://c" });
});

test("a proxy in front of it is told who asks", () => {
  const { headers } = sentTo({ ...TO, user: "peal", password: "sesame" });
  expect(headers["authorization"]).toBe(`Basic ${btoa("peal:sesame")}`);
});

// prettier-ignore
test.each([["info", "info"], ["success", "success"], ["warning", "warning"], ["error", "failure"]] as const)(
  "level %s is type %s",
  (level, type) => {
    expect(sentTo(TO, aForwardPush({ notification: { level } })).body).toMatchObject({ type });
  },
);

test("markdown is said to be markdown, and its links are too", () => {
  const push = aForwardPush({ notification: { body: "**full**" }, draft: { format: "markdown" } });
  const { body } = sentTo(TO, push);
  expect(body).toMatchObject({ format: "markdown" });
  expect(body["body"]).toStartWith("**full**\n\n[Details](<https://peal.example/");
});

test("whatever a message says, Apprise takes it", () => {
  fc.assert(
    fc.property(notifications, (notification) => {
      const service = createApprise();
      const push = aForwardPush({ notification });
      expect(to.verdict(heard(service.judge(posted(to.request(push)))), push)).toEqual({ kind: "accepted" });
    }),
    { numRuns: examples(200) },
  );
});

test("a message that some services have is not sent again to them", () => {
  const service = createApprise();
  const verdict = () => to.verdict(heard(service.judge(posted(to.request(aForwardPush())))));
  service.configurations.set("home", ["down", "ok"]);
  const why = "A Connection error occurred sending JSON notification to localhost.";
  expect(verdict()).toEqual({ kind: "fail", reason: `one of the services did not take it: ${why}` });
  service.configurations.set("home", ["down"]);
  expect(verdict()).toEqual({ kind: "retry", scope: "device", reason: why });
  service.configurations.delete("home");
  expect(verdict().kind).toBe("pause");
});

// prettier-ignore
const rows: [string, ReturnType<typeof answered>, unknown][] = [
  // promise                                          answer                                                      verdict
  ["a key or URLs without a service pause",           answered(204),                                              paused("status 204", undefined, "no service")],
  ["nobody got it, so it is tried again",             answered(424, { error: "x", details: [] }),                 later("no service took it", "device")],
  ["… also where the answer is no JSON",              answered(424, "<ul></ul>"),                                 later("no service took it", "device")],
  ["a configuration that can't be read is tried again", answered(500, { error: "An error occurred" }),            later("An error occurred", "lane")],
  ["a fault of the message fails",                    answered(400, { error: "Payload lacks minimum requirements" }), { kind: "fail", reason: "Payload lacks minimum requirements" }],
  ["a loop pauses",                                   answered(406, { error: "recursion" }),                      paused("recursion", undefined, "back to it")],
  ["another name of the server pauses",               answered(421, ""),                                          paused("status 421", undefined, "ALLOWED_HOSTS")],
  ["fields that are too large are cut",               answered(431, { error: "too large" }),                      { kind: "shrink", reason: "too large" }],
  ["a proxy that asks for a password pauses",         answered(401, ""),                                          paused("status 401", undefined, "password")],
  ["another address pauses",                          answered(404, "<h1>nginx</h1>"),                            paused("status 404", undefined, "address")],
  ["a proxy that is alone is tried again",            answered(502, ""),                                          later("status 502", "lane")],
  ["an older Apprise answers with text",              answered(200, "Notification(s) sent."),                     { kind: "accepted" }],
  ["… or with its log",                               answered(200, "2024-01-15 12:00:00 INFO Sent JSON notification to localhost.\n"), { kind: "accepted" }],
  ["… which tells whether some got it",               answered(424, "2024-01-15 12:00:00 INFO Sent JSON notification to a.\n2024-01-15 12:00:00 WARNING A Connection error occurred\n"), { kind: "fail", reason: "one of the services did not take it: A Connection error occurred" }],
  ["… or nobody",                                     answered(424, "One or more notification could not be sent."), later("no service took it", "device")],
  ["a page that is not Apprise's pauses",             answered(200, "<html>Sign in</html>"),                      paused("not Apprise", undefined, "address")],
];
test.each(rows)("%s", (_, answer, verdict) => {
  expect(to.verdict(answer)).toEqual(verdict as ForwardVerdict);
});

// prettier-ignore
test.each([
  ["a key and URLs",           { server: "https://a.example", key: "k", urls: "json://x" }, ["/key"]],
  ["neither",                  { server: "https://a.example" },                             ["/key"]],
  ["tags without a key",       { server: "https://a.example", urls: "json://x", tag: "t" }, ["/tag"]],
  ["a password without a name", { ...TO, password: "p" },                                   ["/user"]],
  ["a key with tags",          TO,                                                          []],
])("%s: wrong is %p", (_, settings, paths) => {
  expect(apprise.wrong?.(settings).map(({ path }) => path)).toEqual(paths);
});
