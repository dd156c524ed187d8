/** Debian's own cron, on this machine, runs what we say and when we say it. */
import { expect } from "bun:test";
import fc from "fast-check";
import { debianRuns, whyNoDebianCron } from "../support/debiancron.ts";
import { testWith } from "../support/tools.ts";
import { schedules, textOf } from "./cron/schedules.ts";
import { changes, runsBetween, spell, type Change } from "./cron/tables.ts";

const ZONES = ["Europe/Berlin", "America/Santiago", "Australia/Lord_Howe"];
const DAY = 86_400_000;
const spans = changes.filter(({ zone, from }) => ZONES.includes(zone) && from.startsWith("2026"));

async function agree(texts: readonly string[], { zone, posix, ...span }: Change): Promise<void> {
  const [from, to] = [Date.parse(span.from), Date.parse(span.to)];
  const spelled = (runs: readonly number[]) => runs.map((run) => spell(run, zone));
  const debian = await debianRuns(texts, { tz: posix, from, to });
  const ours = texts.map((text) => runsBetween(text, zone, from, to));
  expect(texts.map((text, index) => [text, spelled(ours[index] ?? [])])).toEqual(
    texts.map((text, index) => [text, spelled(debian[index] ?? [])]),
  );
}

const withCron = testWith(whyNoDebianCron());

withCron.each(spans.map((span) => [`${span.zone}, ${span.from} to ${span.to}`, span] as const))(
  "the schedules of the table: %s",
  async (_, span) => {
    await agree(Object.keys(span.runs), span);
  },
);

const nights = spans.filter(({ from, to }) => Date.parse(to) - Date.parse(from) < DAY);
withCron.each(nights.map((span) => [`${span.zone}, ${span.from} to ${span.to}`, span] as const))(
  "schedules by chance: %s",
  async (_, span) => {
    await agree(fc.sample(schedules, 20).map(textOf), span);
  },
);
