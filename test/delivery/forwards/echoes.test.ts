/** Services answer with the message that they took. Where an answer was cut off, the message would be sent again and again. */
import { expect, test } from "bun:test";
import { forward } from "../../support/forwards.ts";
import { json, objectIn, type Posted } from "../../support/forwards/json.ts";
import { createTelegram, TELEGRAM_CHAT, TELEGRAM_TOKEN } from "../../support/forwards/telegram.ts";
import type { Answer } from "../../support/push/http2.ts";
import { fakeService } from "../../support/push/service.ts";
import { delivering, MINUTE } from "../delivering.ts";

interface Echo {
  settings: object;
  judge: (posted: Posted) => Answer;
}

const ECHOES: [kind: string, echo: Echo][] = [
  [
    "gotify",
    {
      settings: { token: "AxVh8zPQ9n2bK1c" },
      judge: ({ body }) => json(200, { id: 25, appid: 5, ...objectIn(body), date: "2026-01-15T12:00:00Z" }),
    },
  ],
  [
    "telegram",
    { settings: { bot_token: TELEGRAM_TOKEN, chat: TELEGRAM_CHAT }, judge: (posted) => createTelegram().judge(posted) },
  ],
];

test.each(ECHOES)("a long text comes once to %s", async (kind, { settings, judge }) => {
  await using service = await fakeService(judge);
  await using at = await delivering({ env: service.env });
  const topic = await at.peal.topic("nas");
  await forward(at.peal, kind, { ...settings, server: service.origin }, [topic]);
  const id = await at.publish(topic, "ж".repeat(16_000));
  await at.until("an answer", () => service.received.length > 0);
  await at.pass(2 * MINUTE);
  await at.all("accepted", topic, id);
  expect(service.received).toHaveLength(1);
});
