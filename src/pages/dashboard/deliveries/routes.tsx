/** @jsxImportSource #jsx */
/** The page of deliveries (WEB.md §3). What it does is done by the functions that the API has as well. */
import { retryMessage } from "../../../delivery/retry-message.ts";
import type { Deps } from "../../../deps.ts";
import type { Message } from "../../../messages/message.ts";
import type { Endings } from "../../../store/deliveries.ts";
import { messageAt } from "../../../messages/history.ts";
import { type DeskDeps, DeskRoutes } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic } from "../seen-topic.ts";
import { PATH } from "./links.ts";
import { blockedLanes } from "./notes.tsx";
import { DeliveriesPage, type Told } from "./page.tsx";
import { weekOf } from "./week.ts";
import { among, filterOf, linkOf, wantedOf } from "./wanted.ts";
import { DAY } from "../../../util/clock.ts";

type DeliveryPagesDeps = DeskDeps & Pick<Deps, "delivery">;

const ROWS = 50;
/** As long as deliveries are kept one by one. */
const DAYS = 7;

export const deliveryPageRoutes = (deps: DeliveryPagesDeps) =>
  new DeskRoutes(deps, PATH)
    .page("", "signed in", async ({ desk, request }) => deliveriesPage(deps, desk, request))
    .form("/retry", "signed in", async ({ desk, form }) => {
      const { store } = deps;
      const topic = await seenTopic(deps, desk, form.get("topic") ?? "");
      if (topic === undefined) return undefined;
      const { message } = await messageAt(deps, { ns: topic.namespace, key: topic.key }, form.get("message") ?? "");
      const ref = form.get("device");
      const found = ref === null ? undefined : await store.devices.byRef(ref);
      if (ref !== null && found === undefined) return undefined;
      const { retried, left } = await retryMessage(deps, message, found?.device.row);
      const back = new URLSearchParams(form.get("back") ?? "").toString();
      return {
        to: back === "" ? PATH : `${PATH}?${back}`,
        flash:
          left === 0
            ? { say: "deliveries.retried", values: [retried] }
            : { say: "deliveries.left", values: [retried, left], tone: "warning" },
      };
    }).routes;

async function deliveriesPage(deps: DeliveryPagesDeps, desk: Desk, request: Request) {
  const { store, delivery } = deps;
  const wanted = await wantedOf(deps, desk, request);
  if (wanted === undefined) return undefined;
  const today = Math.floor(desk.now / DAY);
  const [found, waiting, days, told, week] = await Promise.all([
    store.deliveries.list(filterOf(desk, wanted), { limit: ROWS, ...(wanted.from && { from: wanted.from }) }),
    store.deliveries.waiting(among(desk)),
    store.deliveries.days(today - DAYS + 1, among(desk)),
    wanted.message && toldOf(store, wanted.message),
    weekOf(store, desk, wanted),
  ]);
  // hosts of push services can be personal: somebody who sees some namespaces is shown only those on the page
  const own = among({ visitor: desk.visitor }) && new Set(found.listed.map(({ delivery: { lane } }) => lane));
  const blocked = await blockedLanes(deps, own);
  const { next } = found;
  const endings = [...days.values()];
  const sum = (state: keyof Endings) => endings.reduce((total, day) => total + day[state], 0);
  const ended = {
    ...{ accepted: sum("accepted"), failed: sum("failed") },
    ...{ expired: sum("expired"), cancelled: sum("cancelled") },
  };
  const older = next && (
    <p>
      <a class="btn" href={linkOf(desk, wanted, { from: String(next.seq), after: String(next.after) })}>
        {desk.view.texts.shared.older}
      </a>
    </p>
  );
  return (
    <DeliveriesPage
      {...{ desk, wanted, waiting, ended, blocked, listed: found.listed, lanes: delivery }}
      {...(older && { next: older })}
      {...(told && { told })}
      {...(week && { week })}
    />
  );
}

async function toldOf({ deliveries }: Deps["store"], { seq }: Message): Promise<Told> {
  const [{ counts }, at] = await Promise.all([deliveries.ofMessage(seq, { limit: 0 }), deliveries.acknowledgedAt(seq)]);
  return { counts, ...(at !== undefined && { acknowledgedAt: at }) };
}
