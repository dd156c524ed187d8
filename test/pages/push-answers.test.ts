/** "Can phones get push?" of the settings (WEB.md §3). */
import { expect, test } from "bun:test";
import { loadConfig } from "../../src/config/sources.ts";
import { serviceOf } from "../../src/pages/dashboard/deliveries/service.ts";
import { pushAnswers } from "../../src/pages/dashboard/settings/pushes.ts";
import { textsOf } from "../../src/pages/texts/languages.ts";

const { config } = loadConfig({ flags: {}, env: {} });
const LANE = "webpush:https://updates.push.services.mozilla.com";

test.each([
  ["en", "Mozilla isn’t responding: unknown host name. peal keeps retrying."],
  ["de", "Mozilla antwortet nicht: kein Rechner dieses Namens. peal versucht es von selbst wieder."],
] as const)("a push service that does not answer is named in the reader's language: %s", (language, said) => {
  const texts = textsOf(language);
  const lanes = [{ label: serviceOf(texts, LANE), status: { kind: "unreachable", reason: "no such host" } as const }];
  const answers = pushAnswers({ texts, url: "https://peal.example" }, { config, accepted: 1, lanes });
  expect(answers.filter((answer) => answer.is === "no")).toEqual([{ title: "Mozilla", text: said, is: "no" }]);
});

test("an address that is not set is not used, which is not a problem", () => {
  const texts = textsOf("en");
  const answers = pushAnswers({ texts, url: "https://peal.example" }, { config, accepted: 1, lanes: [] });
  expect(answers.find(({ title }) => title === "Address is set")?.is).toBe("off");
  expect(answers.map(({ is }) => is)).not.toContain("no");
});
