/** The page of deliveries: what became of a message, why, and on which device. */
import { afterAll, expect, test } from "bun:test";
import type { Delivery } from "../../../src/delivery/delivery.ts";
import { REASONS } from "../../../src/delivery/transport/reason.ts";
import { reasonOf } from "../../../src/pages/dashboard/deliveries/reasons.tsx";
import { Fragment } from "../../../src/pages/jsx/jsx-runtime.ts";
import { textsOf, type Language } from "../../../src/pages/texts/languages.ts";
import { deskAs } from "../../support/desk.ts";
import { deliveriesWhen, register, send } from "../../support/devices.ts";
import { authority } from "../../support/push/ca.ts";
import { fakePushService } from "../../support/push/webpush.ts";
import { inProcess } from "../../support/server.ts";
import { signedIn } from "../../support/signin.ts";

const service = await fakePushService();
const peal = await inProcess({
  env: { ...service.env, PEAL_VAPID_SUBJECT: "mailto:op@peal.example" },
  ca: authority.cert,
});
const cookie = await signedIn(peal);
const admin = deskAs(peal, cookie);
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

test("a namespace alone does not count as a filter: without pushes the page says what to do, and has room for live ones", async () => {
  const { html, text } = await admin.get("/-/deliveries?ns=home");
  expect(text).toContain("No pushes yet");
  for (const id of ["deliveries-filters", "deliveries-days", "deliveries"]) expect(html).toContain(`id="${id}"`);
  expect((await admin.get("/-/deliveries?platform=ios")).text).toContain("Nothing found");
});

type Reported = Pick<Delivery, "lane" | "lastStatus" | "lastReason">;
const mozilla = "webpush:https://updates.push.services.mozilla.com";
const said = (delivery: Reported, language: Language): string =>
  Fragment({ children: reasonOf(textsOf(language), { attempts: 1, ...delivery }) }).html;
const en = (words: string) => `<span lang="en" dir="auto">${words}</span>`;

// prettier-ignore
const rows: [delivery: Reported, english: string, german: string][] = [
  [{ lane: "apns:production", lastStatus: 410, lastReason: "Unregistered" }, `Apple answered 410: it no longer recognises this device (${en("Unregistered")}).`, `Apple antwortete 410: das Gerät ist dort nicht mehr bekannt (${en("Unregistered")}).`],
  [{ lane: mozilla, lastStatus: 404, lastReason: "status 404" }, "Mozilla answered 404: it no longer recognises this device.", "Mozilla antwortete 404: das Gerät ist dort nicht mehr bekannt."],
  [{ lane: "fcm", lastStatus: 404, lastReason: "NOT_FOUND" }, `Google answered 404: ${en("NOT_FOUND")}.`, `Google antwortete 404: ${en("NOT_FOUND")}.`],
  [{ lane: mozilla, lastStatus: 503, lastReason: "Back at 5 <pm>." }, `Mozilla answered 503: it’s temporarily unavailable (${en("Back at 5 &lt;pm&gt;")}).`, `Mozilla antwortete 503: der Dienst ist gerade gestört (${en("Back at 5 &lt;pm&gt;")}).`],
  [{ lane: mozilla, lastStatus: 400, lastReason: "status 400" }, "Mozilla answered 400.", "Mozilla antwortete 400."],
  [{ lane: "fcm", lastReason: "connection refused" }, "Google couldn’t be reached: connection refused.", "Google war nicht erreichbar: Verbindung abgelehnt."],
  [{ lane: "fcm", lastReason: "could not be asked: EWHAT" }, `Google couldn’t be reached: ${en("could not be asked: EWHAT")}.`, `Google war nicht erreichbar: ${en("could not be asked: EWHAT")}.`],
  [{ lane: "fcm", lastReason: "muted" }, "The topic was muted.", "Das Topic war stummgeschaltet."],
];
test.each(rows)("%j is shown in the reader's language, and texts of others unchanged", (delivery, english, german) => {
  expect(said(delivery, "en")).toBe(english);
  expect(said(delivery, "de")).toBe(german);
});

test("why a push service could not be asked is German on German pages", () => {
  for (const reason of [...REASONS.values(), "no answer in 15 s", "the server stops", "the proxy cannot be reached"])
    expect(said({ lane: "fcm", lastReason: reason }, "de")).not.toContain("<span");
});

test("of one message: who got it when, how many did not, and who acknowledged it; what may be tried again", async () => {
  const topic = await peal.topic("told");
  const subscriptions = ["Desk", "Phone", "Old phone"].map((name) => ({ name, ...service.subscribe() }));
  const devices = await Promise.all(
    subscriptions.map(async ({ name, endpoint: token, keys }) =>
      register(peal, { platform: "web", token, keys, name }, [topic]),
    ),
  );
  for (const { name, endpoint } of subscriptions)
    if (name !== "Desk") service.script.once(endpoint, { status: 400, body: "" });
  const message = await peal.publish(topic, {
    title: "The {} is on fire",
    message: "m",
    priority: "urgent",
    ack: true,
  });
  const { id = 0 } = message ?? {};
  await deliveriesWhen(peal, topic, id, 3, ({ state, accepted_at: at }) => state === "failed" || at !== undefined);
  const path = `/-/deliveries?topic=${topic.key}&message=${id}`;
  const { html, text } = await admin.get(path);
  expect(html).toContain('<h1 dir="auto">The {} is on fire</h1>');
  expect(text).toContain("1 of 3 devices was notified, 2 failed.");
  expect(text).toMatch(/Desk Accepted just now \. Accepted by localhost in /);
  expect(text).toMatch(/Phone Failed just now \. localhost answered 400\./);
  expect(text).toContain("Retry all failed");

  await send(peal, "DELETE", `/v1/devices/${devices.find(({ name }) => name === "Old phone")?.id ?? ""}`);
  await peal.api("POST", `/home/${topic.key}/messages/${id}/ack`);
  const later = await admin.get(path);
  expect(later.text).toMatch(/failed\. Acknowledged just now \./);
  expect(later.text).toMatch(/Removed device Failed/);
  expect(later.text).not.toContain("Retry all failed");
  expect((await admin.get(`/-/topics/${topic.key}`)).html).toContain(`href="${path.replace("&", "&amp;")}"`);
});
