/** What is sent to a homeserver of Matrix, and what its answers mean, row by row. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { matrix } from "../../../src/delivery/forwards/matrix.ts";
import { aForwardPush, asking, heard, posted } from "../../support/forwards/asking.ts";
import { createMatrix, MATRIX_ROOM, MATRIX_TOKEN } from "../../support/forwards/matrix.ts";
import { examples } from "../../support/rounds.ts";
import { answered, later, notifications, paused } from "../pushes.ts";

const TO = { server: "https://matrix.example.org/", access_token: MATRIX_TOKEN, room: MATRIX_ROOM };
const to = asking(matrix, TO);
const contentOf = (push: ForwardPush) => JSON.parse(String(to.request(push).body)) as Record<string, unknown>;

test("a message is an event with plain text and HTML, by a transaction with the push's own id", () => {
  const { method, url, headers } = to.request(aForwardPush());
  expect(method).toBe("PUT");
  expect(url).toBe(
    "https://matrix.example.org/_matrix/client/v3/rooms/!abcdef%3Aexample.org/send/m.room.message/0f0e0d0c-0b0a-8908-8706-050403020100",
  );
  expect(headers).toEqual({ authorization: `Bearer ${MATRIX_TOKEN}`, "content-type": "application/json" });
  const link = "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7";
  expect(contentOf(aForwardPush({ notification: { level: "warning", body: "a < b\nc" } }))).toEqual({
    msgtype: "m.text",
    body: `⚠️ Backup\na < b\nc\nhome/nas\nDetails: ${link}`,
    format: "org.matrix.custom.html",
    formatted_body: `<p><strong>⚠️ Backup</strong></p><p>a &lt; b<br>c</p><p>home/nas · <a href="${link}">Details</a></p>`,
    "m.mentions": {},
  });
});

test("markdown is HTML in the formatted text, and as it was written in the plain one", () => {
  const push = aForwardPush({ notification: { body: "**full** <script>x</script>" }, draft: { format: "markdown" } });
  const { body, formatted_body } = contentOf(push);
  expect(body).toContain("**full** <script>x</script>");
  expect(formatted_body).toContain("<p><strong>full</strong> &lt;script&gt;x&lt;/script&gt;</p>");
});

test("a message of low priority is a notice, which makes no sound", () => {
  expect(contentOf(aForwardPush({ notification: { priority: "low" } }))).toMatchObject({ msgtype: "m.notice" });
});

test("a push that is sent again is posted once", () => {
  const service = createMatrix();
  const send = () => to.verdict(heard(service.judge(posted(to.request(aForwardPush())))));
  const accepted: ForwardVerdict = { kind: "accepted", id: "$0f0e0d0c-0b0a-8908-8706-050403020100" };
  expect([send(), send()]).toEqual([accepted, accepted]);
  expect(service.events).toHaveLength(1);
});

test("whatever a message says, a homeserver takes it", () => {
  const formats = fc.constantFrom("text" as const, "markdown" as const);
  fc.assert(
    fc.property(notifications, formats, (notification, format) => {
      const service = createMatrix();
      const push = aForwardPush({ notification, draft: { format } });
      expect(to.verdict(heard(service.judge(posted(to.request(push)))), push).kind).toBe("accepted");
    }),
    { numRuns: examples(200) },
  );
});

const says = (status: number, errcode: string, error = "words", more: object = {}, headers = {}) =>
  answered(status, { errcode, error, ...more }, headers);

// prettier-ignore
const rows: [string, ReturnType<typeof answered>, unknown][] = [
  // promise                                        answer                                                        verdict
  ["a token that is unknown pauses",                says(401, "M_UNKNOWN_TOKEN"),                                 paused("M_UNKNOWN_TOKEN: words", undefined, "sign in again")],
  ["… also when it only has to be renewed",         says(401, "M_UNKNOWN_TOKEN", "words", { soft_logout: true }), paused("M_UNKNOWN_TOKEN: words", undefined, "sign in again")],
  ["a token that is missing pauses",                says(401, "M_MISSING_TOKEN"),                                 paused("M_MISSING_TOKEN: words")],
  ["an account that may not write pauses",          says(403, "M_FORBIDDEN"),                                     paused("M_FORBIDDEN: words", undefined, "invite it")],
  ["a locked account pauses",                       says(401, "M_USER_LOCKED"),                                   paused("M_USER_LOCKED: words", undefined, "locked")],
  ["a suspended account pauses",                    says(403, "M_USER_SUSPENDED"),                                paused("M_USER_SUSPENDED: words", undefined, "locked")],
  ["terms that are to be accepted pause",           says(403, "M_CONSENT_NOT_GIVEN"),                             paused("M_CONSENT_NOT_GIVEN: words", undefined, "terms")],
  ["an unknown room pauses",                        says(404, "M_NOT_FOUND"),                                     paused("M_NOT_FOUND: words", undefined, "room id")],
  ["another server pauses",                         says(404, "M_UNRECOGNIZED"),                                  paused("M_UNRECOGNIZED: words", undefined, "homeserver")],
  ["a page that is not found pauses",               answered(404, "<h1>nginx</h1>"),                              paused("status 404", undefined, "no Matrix homeserver")],
  ["an id of the wrong form pauses",                says(400, "M_INVALID_PARAM"),                                 paused("M_INVALID_PARAM: words", undefined, "room id")],
  ["another 403 pauses",                            says(403, "ORG_EXAMPLE_NO"),                                  paused("ORG_EXAMPLE_NO: words")],
  ["a fault of the message fails",                  says(400, "M_BAD_JSON"),                                      { kind: "fail", reason: "M_BAD_JSON: words" }],
  ["a message that is too large is cut",            says(413, "M_TOO_LARGE"),                                     { kind: "shrink", reason: "M_TOO_LARGE: words" }],
  ["too many wait as long as the header says",      says(429, "M_LIMIT_EXCEEDED", "words", { retry_after_ms: 9 }, { "retry-after": "3" }), later("M_LIMIT_EXCEEDED: words", "device", 3_000)],
  ["… or the body of an older homeserver",          says(429, "M_LIMIT_EXCEEDED", "words", { retry_after_ms: 2_500 }), later("M_LIMIT_EXCEEDED: words", "device", 2_500)],
  ["a homeserver over its limit is tried again",    says(403, "M_RESOURCE_LIMIT_EXCEEDED"),                       later("M_RESOURCE_LIMIT_EXCEEDED: words", "lane")],
  ["a proxy whose homeserver is down is tried again", answered(502, "Bad Gateway"),                               later("status 502", "lane")],
  ["a page that is not Matrix's pauses",            answered(200, "<html>Sign in</html>"),                        paused("not Matrix", undefined, "address")],
];
test.each(rows)("%s", (_, answer, verdict) => {
  expect(to.verdict(answer)).toEqual(verdict as ForwardVerdict);
});

test.each([
  ["!abcdef:example.org", true],
  ["!NdxZ3D1gWPKfKZjLWgnKjNzEsYYQ3QwA0gGQJmZp0Vk", true], // of version 12, without a server
  ["#alias:example.org", false],
  ["!a b:example.org", false],
])("the room %s is taken: %p", (room, isTaken) => {
  const make = () => asking(matrix, { ...TO, room });
  if (isTaken) make();
  else expect(make).toThrow();
});
