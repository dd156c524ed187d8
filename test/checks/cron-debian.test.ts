/** The Debian cron of this machine runs what peal says, and when it says it. */
import { expect } from "bun:test";
import fc from "fast-check";
import { debianRuns } from "../support/debiancron.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { testWith } from "../support/tools.ts";
import { schedules, textOf } from "./cron/schedules.ts";
import { changes, runsBetween, spell, type Change } from "./cron/tables.ts";

const ZONES = ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"];
/** Random schedules for each night. */
const SCHEDULES = IS_THOROUGH ? 20 : 4;
const DAY = 86_400_000;
const spans = changes.filter(({ zone, from }) => ZONES.includes(zone) && from.startsWith("2026"));
const nights = spans.filter(({ from, to }) => Date.parse(to) - Date.parse(from) < DAY);
/** The whole days take the most time, and Debian's cron already ran them when the table was made. */
const asked = IS_THOROUGH ? spans : spans.filter((span) => span.zone === ZONES[0] || nights.includes(span));

async function agree(texts: readonly string[], { zone, posix, ...span }: Change): Promise<void> {
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
  const spelled = (runs: readonly number[]) => runs.map((run) => spell(run, zone));
  const debian = await debianRuns(texts, { tz: posix, from, to });
  const ours = texts.map((text) => runsBetween(text, zone, from, to));
  expect(texts.map((text, index) => [text, spelled(ours[index] ?? [])])).toEqual(
    texts.map((text, index) => [text, spelled(debian[index] ?? [])]),
  );
}

const withCron = testWith("cc", "cron", "mount");

withCron.each(asked.map((span) => [`${span.zone}, ${span.from} to ${span.to}`, span] as const))(
  "the schedules of the table: %s",
  async (_, span) => {
    await agree(Object.keys(span.runs), span);
  },
);

withCron.each(nights.map((span) => [`${span.zone}, ${span.from} to ${span.to}`, span] as const))(
  "schedules by chance: %s",
  async (_, span) => {
    await agree(fc.sample(schedules, SCHEDULES).map(textOf), span);
  },
);
