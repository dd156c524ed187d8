/** Everything that the page of settings shows: read at once, without contacting anybody. */
import { sessionsOf } from "./own.ts";
import type { Deps } from "../../../deps.ts";
import { diskOf } from "../../../ops/disk.ts";
import type { Desk } from "../signed-in.ts";
import { serviceOf } from "../deliveries/service.ts";
import { pushAnswers } from "./pushes.ts";
import { DAY } from "../../../util/clock.ts";

/** How many days of pushes are looked at. */
const PUSH_DAYS = 7;

export type Gathered = Awaited<ReturnType<typeof gather>>;

/** `seen`: the address that the browser used. */
export async function gather(deps: Deps, desk: Desk, seen: string) {
  const { store } = deps;
  return {
    config: deps.config,
    sessions: await sessionsOf(store.accounts, desk.visitor),
    ...(desk.visitor.person.isAdmin && { server: await gatherServer(deps, desk, seen) }),
  };
}

export type ServerGathered = Awaited<ReturnType<typeof gatherServer>>;

async function gatherServer(
  { store, config, delivery, alerter, clockWatch, backups, nightly, tls }: Deps,
  { view, now }: Desk,
  seen: string,
) {
  const today = Math.floor(now / DAY);
  const days = await store.deliveries.days(today - PUSH_DAYS + 1);
  const lanes = (await store.deliveries.lanes()).map((lane) => ({
    label: serviceOf(view.texts, lane),
    status: delivery.lane(lane),
  }));
  return {
    push: pushAnswers(view, {
      config,
      lanes,
      // a browser that came over https has shown that it accepts the certificate
      ...(tls !== undefined && !seen.startsWith("https:") && { serves: tls.status().serves }),
      accepted: [...days.values()].reduce((sum, { accepted }) => sum + accepted, 0),
    }),
    tls: tls?.status(),
    sizes: await store.namespaces.sizes(),
    people: await store.accounts.people(),
    backups: backups.list(),
    isBackingUp: backups.isRunning,
    stats: store.stats(),
    disk: diskOf(config.dataDir),
    alerter: alerter.health(),
    problems: [
      store.trouble(),
      ...delivery.health().problems,
      clockWatch.problem(),
      nightly.problem(),
      tls?.problem(),
    ].filter((one) => one !== undefined),
  };
}
