/** The migrations, embedded and in order. The list is kept by hand; a test compares it with the folder. */
import core from "../../../migrations/0000_core.sql" with { type: "text" };
import checks from "../../../migrations/0001_checks.sql" with { type: "text" };
import named from "../../../migrations/0002_named_pings.sql" with { type: "text" };
import devices from "../../../migrations/0003_devices.sql" with { type: "text" };
import idle from "../../../migrations/0004_idle_devices.sql" with { type: "text" };
import mutes from "../../../migrations/0005_mutes.sql" with { type: "text" };
import people from "../../../migrations/0006_people.sql" with { type: "text" };
import deliveries from "../../../migrations/0007_delivery_pages.sql" with { type: "text" };
import overview from "../../../migrations/0008_overview.sql" with { type: "text" };
import keyUse from "../../../migrations/0009_key_use.sql" with { type: "text" };
import deviceCaps from "../../../migrations/0010_device_caps.sql" with { type: "text" };
import backlog from "../../../migrations/0011_device_backlog.sql" with { type: "text" };
import delays from "../../../migrations/0012_delays.sql" with { type: "text" };
import intake from "../../../migrations/0013_intake.sql" with { type: "text" };
import hooks from "../../../migrations/0014_hooks.sql" with { type: "text" };
import files from "../../../migrations/0015_files.sql" with { type: "text" };
import days from "../../../migrations/0016_days.sql" with { type: "text" };
import openNow from "../../../migrations/0017_open_now.sql" with { type: "text" };
import takenBack from "../../../migrations/0018_taken_back.sql" with { type: "text" };
import forwards from "../../../migrations/0019_forwards.sql" with { type: "text" };

export interface Migration {
  /** 1, 2, 3 …: `PRAGMA user_version` once it is applied. */
  version: number;
  /** The name of its file without the extension. */
  name: string;
  sql: string;
}

export const migrations: readonly Migration[] = [
  { version: 1, name: "0000_core", sql: core },
  { version: 2, name: "0001_checks", sql: checks },
  { version: 3, name: "0002_named_pings", sql: named },
  { version: 4, name: "0003_devices", sql: devices },
  { version: 5, name: "0004_idle_devices", sql: idle },
  { version: 6, name: "0005_mutes", sql: mutes },
  { version: 7, name: "0006_people", sql: people },
  { version: 8, name: "0007_delivery_pages", sql: deliveries },
  { version: 9, name: "0008_overview", sql: overview },
  { version: 10, name: "0009_key_use", sql: keyUse },
  { version: 11, name: "0010_device_caps", sql: deviceCaps },
  { version: 12, name: "0011_device_backlog", sql: backlog },
  { version: 13, name: "0012_delays", sql: delays },
  { version: 14, name: "0013_intake", sql: intake },
  { version: 15, name: "0014_hooks", sql: hooks },
  { version: 16, name: "0015_files", sql: files },
  { version: 17, name: "0016_days", sql: days },
  { version: 18, name: "0017_open_now", sql: openNow },
  { version: 19, name: "0018_taken_back", sql: takenBack },
  { version: 20, name: "0019_forwards", sql: forwards },
];
