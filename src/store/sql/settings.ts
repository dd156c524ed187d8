/** Single values that outlive the process: one row for each. */
import { eq, sql } from "drizzle-orm";
import type { KeptName } from "../deliveries.ts";
import type { Orm } from "./differences.ts";
import { placeholders, prepared, pick } from "./statements.ts";
import { setting } from "./schema/schema.ts";

const given = placeholders<typeof setting>();

/** Used inside jobs, and while the store opens. */
export interface Settings {
  get(name: SettingName): string | undefined;
  set(name: SettingName, value: string): void;
  unset(name: SettingName): void;
}

export type SettingName =
  /** The version of peal that wrote last: the error names it if an older one is started. */
  | "version"
  | "probed_at"
  /** SHA-256 of each PEAL_ADMIN_KEY that was put in place, separated by blanks. */
  | "admin_keys"
  /** SHA-256 of the code that claims the server. */
  | "setup_code"
  /** When the alerter last ticked. */
  | "alerter_seen_at"
  /** `NotedSetBack`: the latest one. */
  | "clock_set_back"
  /** `Epoch[]`: those of this start and of earlier ones. */
  | "epochs"
  /** `Gap[]`: when this server was away. */
  | "absences"
  /** `message.row` up to which `topic_day` and `namespace_hour` count. */
  | "tallied_to"
  | KeptName;

export function settings(write: Orm): Settings {
  const q = {
    get: prepared(() => write.select({ value: setting.value }).from(setting).where(eq(setting.name, given.name))),
    set: prepared(() =>
      write
        .insert(setting)
        .values(pick(given, "name", "value"))
        .onConflictDoUpdate({ target: setting.name, set: { value: sql`excluded.value` } }),
    ),
    unset: prepared(() => write.delete(setting).where(eq(setting.name, given.name))),
  };
  return {
    get: (name) => q.get.all({ name })[0]?.value,
    set: (name, value) => {
      q.set.run({ name, value });
    },
    unset: (name) => {
      q.unset.run({ name });
    },
  };
}
