/** Tables of how checks change: a row holds the steps and what is expected after them. */
import { expect, test } from "bun:test";
import type { CheckEvent, CheckSettings, Standing } from "../../src/checks/check.ts";
import { dueAt } from "../../src/checks/decide/missed.ts";
import { defined } from "../../src/util/defined.ts";
import { MINUTE, settings, type Step, Story, T0 } from "./story.ts";

interface Row {
  given?: Partial<CheckSettings>;
  steps: Step[];
  then: { [Field in keyof Standing]?: unknown };
  /** Kinds of alerts of the last step; absent: none. */
  told?: string[];
  /** Kinds of events that the last step records. */
  recorded?: string[];
  /** When the check is due next, in minutes after T0; undefined: never. */
  due?: number | undefined;
}

export function rows(table: Record<string, Row>): void {
  test.each(Object.entries(table))("%s", (_, row) => {
    const story = new Story(row.given);
    const { alerts, recorded } = story.play(...row.steps);
    expect(story.standing).toMatchObject(defined(row.then));
    for (const [name, value] of Object.entries(row.then))
      if (value === undefined) expect(story.standing).not.toHaveProperty(name);
    expect(alerts.map(({ kind }): string => kind)).toEqual(row.told ?? []);
    if (row.recorded !== undefined) expect(recorded.map(({ kind }): string => kind)).toEqual(row.recorded);
    if ("due" in row) expect(dueAt(story.standing)).toBe(row.due === undefined ? undefined : at(row.due));
  });
}

/** Minutes after T0. */
export const at = (minutes: number): number => T0 + minutes * MINUTE;

export const ok = (rid?: string): CheckEvent => ({ kind: "ok", ...defined({ rid }) });
export const start = (rid?: string): CheckEvent => ({ kind: "start", ...defined({ rid }) });
export const exit = (code: number, rid?: string): CheckEvent => ({ kind: "fail", exit: code, ...defined({ rid }) });
export const extend = (minutes: number, rid?: string): CheckEvent => ({
  kind: "log",
  extendMs: minutes * MINUTE,
  ...defined({ rid }),
});
export const edited = (over: Partial<CheckSettings>): CheckEvent => ({ kind: "edit", settings: settings(over) });
export const snoozed = (minutes: number): CheckEvent => ({ kind: "snooze", until: at(minutes) });
