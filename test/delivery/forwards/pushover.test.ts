/** What is sent to Pushover, and what its answers and receipts mean, row by row. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ForwardPush, ForwardVerdict } from "../../../src/delivery/forwards/kind.ts";
import { pushover } from "../../../src/delivery/forwards/pushover.ts";
import { aForwardPush, asking, heard, posted } from "../../support/forwards/asking.ts";
import { createPushover, PUSHOVER_APP, PUSHOVER_USER } from "../../support/forwards/pushover.ts";
import { examples } from "../../support/rounds.ts";
import { answered, later, NOW, notifications, paused } from "../pushes.ts";

const TO = { app_token: PUSHOVER_APP, user_key: PUSHOVER_USER };
const to = asking(pushover, TO);
const fieldsOf = (push: ForwardPush, settings: Record<string, unknown> = TO) =>
  Object.fromEntries(new URLSearchParams(String(asking(pushover, settings).request(push).body)));

test("a message is a form with its title, text, time and link", () => {
  const { url, headers } = to.request(aForwardPush());
  expect(url).toBe("https://api.pushover.net/1/messages.json");
  expect(headers).toEqual({ "content-type": "application/x-www-form-urlencoded" });
  expect(fieldsOf(aForwardPush())).toEqual({
    ...{ token: PUSHOVER_APP, user: PUSHOVER_USER, title: "Backup", message: "done", priority: "0" },
    timestamp: String(Math.floor((NOW - 5_000) / 1_000)),
    ...{ url: "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7", url_title: "Details" },
  });
});

test("devices and a sound go along if they are set", () => {
  expect(fieldsOf(aForwardPush(), { ...TO, device: "pixel,ipad", sound: "siren" })).toMatchObject({
    ...{ device: "pixel,ipad", sound: "siren" },
  });
});

// prettier-ignore
test.each([
  ["low",    false, "-1"],
  ["normal", false, "0"],
  ["high",   true,  "1"],
  ["urgent", false, "1"],
  ["urgent", true,  "2"],
] as const)("priority %s with ack %p is %s", (priority, ack, sent) => {
  expect(fieldsOf(aForwardPush({ notification: { priority, ack } }))["priority"]).toBe(sent);
});

test("an emergency rings once a minute for an hour, or as long as the message is worth it", () => {
  const notification = { priority: "urgent", ack: true } as const;
  expect(fieldsOf(aForwardPush({ notification }))).toMatchObject({ retry: "60", expire: "3600" });
  expect(fieldsOf(aForwardPush({ notification, ringMs: 600_000 }))).toMatchObject({ expire: "600" });
});

test("what comes after its time to ring is no emergency, which nobody could stop from here", () => {
  const late = aForwardPush({ notification: { priority: "urgent", ack: true }, ringMs: 60_000 });
  expect(fieldsOf(late)).toMatchObject({ priority: "1" });
  expect(fieldsOf(late)).not.toHaveProperty("expire");
  expect(to.receipt?.isAsked(late)).toBe(false);
});

test("an emergency has a receipt, and nothing else has", () => {
  const service = createPushover();
  const emergency = aForwardPush({ notification: { priority: "urgent", ack: true } });
  expect(to.receipt?.isAsked(emergency)).toBe(true);
  expect(to.receipt?.isAsked(aForwardPush({ notification: { priority: "urgent" } }))).toBe(false);
  const [receipt] = [to.verdict(heard(service.judge(posted(to.request(emergency)))))];
  expect(receipt).toEqual({ kind: "accepted", id: "r00000000000000000000000000000" });
});

test("a receipt tells whether somebody has acknowledged, and ends what is cancelled", () => {
  const { receipt } = to;
  if (receipt === undefined) throw new Error("Pushover has receipts");
  const service = createPushover();
  const emergency = () => {
    const verdict = to.verdict(
      heard(service.judge(posted(to.request(aForwardPush({ notification: { priority: "urgent", ack: true } }))))),
    );
    return verdict.kind === "accepted" ? (verdict.id ?? "") : "";
  };
  const state = (id: string) => receipt.read(heard(service.judge(posted(receipt.look(id, TO)))));
  const [seen, late, ended] = [emergency(), emergency(), emergency()];
  expect(state(seen)).toBe("open");
  service.acknowledge(seen);
  expect(state(seen)).toBe("acknowledged");
  service.expire(late);
  expect(state(late)).toBe("over");
  service.judge(posted(receipt.cancel(ended, TO)));
  expect(service.receipts.get(ended)?.state).toBe("cancelled");
  expect(state("r99999999999999999999999999999")).toBe("over");
});

test.each([answered(500, ""), answered(429, { status: 0, errors: ["slow down"] }), answered(200, "<html>")])(
  "a receipt that Pushover doesn't tell about now is asked again",
  (answer) => {
    expect(to.receipt?.read(answer)).toBeUndefined();
  },
);

test("whatever a message says, Pushover takes it", () => {
  fc.assert(
    fc.property(notifications, (notification) => {
      const service = createPushover();
      const push = aForwardPush({ notification });
      expect(to.verdict(heard(service.judge(posted(to.request(push)))), push).kind).toBe("accepted");
    }),
    { numRuns: examples(200) },
  );
});

test("a message without text is its title", () => {
  expect(fieldsOf(aForwardPush({ notification: { body: " " } }))).toMatchObject({ message: "Backup" });
});

const says = (status: number, error: string, more: object = {}, headers = {}) =>
  answered(status, { ...more, errors: [error], status: 0, request: "r" }, headers);
const RESET = { "x-limit-app-reset": String(NOW / 1_000 + 86_400), date: new Date(NOW).toUTCString() };

// prettier-ignore
const rows: [string, ReturnType<typeof answered>, unknown][] = [
  // promise                                        answer                                                          verdict
  ["an unknown application pauses",                 says(400, "application token is invalid", { token: "invalid" }), paused("application token is invalid", undefined, "API token")],
  ["an unknown user pauses",                        says(400, "user identifier is invalid", { user: "invalid" }),   paused("user identifier is invalid", undefined, "user key")],
  ["an unknown device pauses",                      says(400, "device name is invalid", { device: "invalid" }),     paused("device name is invalid", undefined, "devices")],
  ["a fault of the message fails",                  says(400, "message cannot be blank", { message: "cannot be blank" }), { kind: "fail", reason: "message cannot be blank" }],
  ["a month that is used up waits for the next",    says(429, "application is over its message limit", {}, RESET),  later("application is over its message limit", "lane", 86_400_000)],
  ["too many wait",                                 answered(429, ""),                                              later("the application has sent its messages of this month", "lane")],
  ["a fault of Pushover's waits 5 s, as it asks",   answered(500, ""),                                              later("status 500", "lane", 5_000)],
  ["… or as long as it says",                       answered(503, "", { "retry-after": "30" }),                     later("status 503", "lane", 30_000)],
  ["another address pauses",                        answered(404, "<h1>nginx</h1>"),                                paused("status 404", undefined, "address")],
  ["a page that is not Pushover's pauses",          answered(200, "<html>Sign in</html>"),                          paused("not Pushover", undefined, "API")],
];
test.each(rows)("%s", (_, answer, verdict) => {
  expect(to.verdict(answer)).toEqual(verdict as ForwardVerdict);
});
