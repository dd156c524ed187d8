/** The promises of the store's port (src/store/store.ts), the same for every engine. */
import { describe } from "bun:test";
import { accounts } from "./accounts.ts";
import { alerts } from "./alerts.ts";
import { batching } from "./batching.ts";
import { changing } from "./changing.ts";
import { checkModel } from "./checkmodel.ts";
import { checks } from "./checks.ts";
import { named } from "./named.ts";
import { days } from "./days.ts";
import { delivering } from "./delivering.ts";
import { deliveryModel } from "./deliverymodel.ts";
import { devices } from "./devices.ts";
import type { OpenEngine } from "./engine.ts";
import { fanningOut } from "./fanningout.ts";
import { forwards } from "./forwards.ts";
import { glances } from "./glances.ts";
import { hinting } from "./hinting.ts";
import { history } from "./history.ts";
import { hooks } from "./hooks.ts";
import { intake } from "./intake.ts";
import { keys } from "./keys.ts";
import { listing } from "./listing.ts";
import { log } from "./log.ts";
import { model } from "./model.ts";
import { overview } from "./overview.ts";
import { outbox } from "./outbox.ts";
import { pinging } from "./pinging.ts";
import { publishing } from "./publishing.ts";
import { receipts } from "./receipts.ts";
import { repeating } from "./repeating.ts";
import { several } from "./several.ts";
import { topics } from "./topics.ts";
import { retrying } from "./retrying.ts";
import { ticking } from "./ticking.ts";
import { waiting } from "./waiting.ts";

export function conformance(name: string, open: OpenEngine): void {
  describe(`store on ${name}`, () => {
    for (const part of [
      publishing,
      batching,
      repeating,
      history,
      listing,
      several,
      topics,
      glances,
      overview,
      days,
      hinting,
      keys,
      accounts,
      waiting,
      intake,
      hooks,
      model,
    ])
      part(open);
    for (const part of [checks, changing, log, named, pinging, alerts, ticking, checkModel]) part(open);
    for (const part of [devices, fanningOut, outbox, delivering, receipts, forwards, retrying, deliveryModel])
      part(open);
  });
}
