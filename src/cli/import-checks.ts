/** What imports of checks share: what was left out is named, and a script for sed replaces the old ping URLs. */
import type { NewCheckRecord } from "../moves/record.ts";
import { sedScript } from "../moves/sources/foreign.ts";
import type { Invocation } from "./command.ts";
import { runImport } from "./import.ts";

export interface PlannedCheck {
  /** A sentence if peal has no such check. */
  made: NewCheckRecord | string;
  /** Commands of sed that put the new URL in the place of the old one. */
  moved: (url: string) => readonly string[];
}

/** The topic of alerts, unless `--topic` names another. */
export const topicOf = ({ values }: Invocation): string => values["topic"] ?? "checks";

/** `about`: the first lines of the script. */
export async function importChecks(
  invocation: Invocation,
  planned: readonly PlannedCheck[],
  { notes = [], about }: { notes?: readonly string[]; about: readonly string[] },
): Promise<number> {
  const records = planned.flatMap(({ made }) => (typeof made === "string" ? [] : [made]));
  const left = planned.flatMap(({ made }) => (typeof made === "string" ? [`left out: ${made}`] : []));
  const script = (urls: ReadonlyMap<string, string>) =>
    sedScript(
      planned.flatMap(({ made, moved }) => {
        const url = typeof made === "string" ? undefined : urls.get(made.id);
        return url === undefined ? [] : moved(url);
      }),
      [...about, "Keep it secret. Use: crontab -l | sed -f FILE | crontab -"],
    );
  return runImport(invocation, { records, notes: () => [...left, ...notes], script });
}
