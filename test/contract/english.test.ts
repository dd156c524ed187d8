/** Times in English, as ntfy's documentation has them, which tools send as a delay. */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { englishTime } from "../../src/messages/reading/english.ts";
import { parseDuration } from "../../src/util/time.ts";
import { answer } from "../support/client.ts";
import { examples } from "../support/rounds.ts";
import { inProcess } from "../support/server.ts";

const ZONE = "Europe/Berlin";
/** A Friday, 09:20 in summer time. */
const NOW = Date.parse("2026-10-23T07:20:30Z");

// prettier-ignore
const rows: [text: string, berlin: string | undefined][] = [
  ["tomorrow, 10am",        "2026-10-24T10:00:00+02:00"],
  ["tomorrow 10am",         "2026-10-24T10:00:00+02:00"],
  ["Tomorrow at 3:30 PM",   "2026-10-24T15:30:00+02:00"],
  ["10am tomorrow",         "2026-10-24T10:00:00+02:00"],
  ["tomorrow",              "2026-10-24T09:20:30+02:00"],
  ["10am",                  "2026-10-23T10:00:00+02:00"],
  ["8:30am",                "2026-10-24T08:30:00+02:00"],
  ["at 8:30 a.m.",          "2026-10-24T08:30:00+02:00"],
  ["12am",                  "2026-10-24T00:00:00+02:00"],
  ["12pm",                  "2026-10-23T12:00:00+02:00"],
  ["18:05",                 "2026-10-23T18:05:00+02:00"],
  ["today 18:05",           "2026-10-23T18:05:00+02:00"],
  ["today 8am",             "2026-10-23T08:00:00+02:00"],
  ["tonight",               "2026-10-23T23:00:00+02:00"],
  ["tomorrow morning",      "2026-10-24T08:00:00+02:00"],
  ["this evening",          "2026-10-23T18:00:00+02:00"],
  ["noon",                  "2026-10-23T12:00:00+02:00"],
  ["monday",                "2026-10-26T09:20:30+01:00"],
  ["next Monday, 9am",      "2026-10-26T09:00:00+01:00"],
  ["sunday at 02:30",       "2026-10-25T02:30:00+02:00"],
  ["friday 8am",            "2026-10-30T08:00:00+01:00"],
  ["wednesday 18:00",       "2026-10-28T18:00:00+01:00"],
  ["tue 6pm",               "2026-10-27T18:00:00+01:00"],
  ["in 30 minutes",         "2026-10-23T09:50:30+02:00"],
  ["13am",                  undefined],
  ["0pm",                   undefined],
  ["10:75am",               undefined],
  ["25:00",                 undefined],
  ["yesterday",             undefined],
  ["someday",               undefined],
  ["tomorrow or so",        undefined],
  ["10am 11am",             undefined],
  ["2026-10-24T10:00:00Z",  undefined],
  ["at",                    undefined],
  ["",                      undefined],
];
test.each(rows)("%j", (text, berlin) => {
  const at = englishTime(text, NOW, ZONE);
  expect(at).toBe(berlin === undefined ? undefined : (Date.parse(berlin) as never));
});

test("no text throws, and none but a duration is longer than eight days ahead or before this minute", () => {
  const word = fc.constantFrom(
    "tomorrow",
    "today",
    "monday",
    "at",
    "10am",
    "8:30",
    "pm",
    "noon",
    ",",
    "in",
    "2 days",
    "x",
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(word).map((words) => words.join(" ")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const at = englishTime(given, NOW, ZONE);
      if (at === undefined || parseDuration(given.replace(/\b(?:at|in)\b|,/g, " ").trim()) !== undefined) return true;
      return at > NOW - 86_400_000 && at < NOW + 9 * 86_400_000;
    }),
    { numRuns: examples(2_000) },
  );
});

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

test.each(["delay", "at", "in", "x-delay"])("a message waits for a time in English, given as %s", async (name) => {
  const query = name.startsWith("x-") ? "" : `?${name}=tomorrow,%2010am`;
  const sent = { ...(query === "" && { [name]: "tomorrow, 10am" }) };
  const { scheduled } = await answer<{ scheduled: { deliver_at: string } }>(
    201,
    await peal.api("POST", `/home/english${query}`, "Good morning", sent),
  );
  const at = new Date(scheduled.deliver_at);
  expect([at.getHours(), at.getMinutes()]).toEqual([10, 0]);
});
