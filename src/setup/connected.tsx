/** @jsxImportSource #jsx */
/** A device that has subscribed, and what its push service answered to a test (WEB.md §2). */
import { stateOf } from "../delivery/json.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { Deps } from "../deps.ts";
import type { Device } from "../devices/device.ts";
import { serviceOf } from "../pages/dashboard/deliveries/service.ts";
import { isHeldUp, saidOf } from "../pages/dashboard/deliveries/outcome-words.tsx";
import { fill } from "../pages/elements/fill.ts";
import type { Child, Safe } from "../pages/jsx/jsx-runtime.ts";
import { Icon } from "../pages/layout.tsx";
import { BriefTime } from "../pages/elements/times.tsx";
import type { View } from "../pages/view.ts";
import type { Millis } from "../util/clock.ts";
import { deviceRef } from "../util/ids.ts";
import { Submit } from "../pages/elements/submit.tsx";

interface ConnectedProps {
  view: View;
  now: Millis;
  device: Device;
  subscribedAt: Millis;
  test?: Delivery;
  lanes: Pick<Deps["delivery"], "lane" | "restsUntil">;
}

const MINUTE = 60_000;
/** A device that has subscribed so lately gets its test without being asked (static/setup.ts). */
const YOUNG_MS = 10 * MINUTE;

export const Connected = ({ view, now, device, subscribedAt, test, lanes }: ConnectedProps): Safe => {
  const words = view.texts.setup;
  const { name = words.nameless } = device;
  const isYoung = now - subscribedAt < YOUNG_MS;
  return (
    <div class="got">
      <h2>
        <span class="st up">
          <Icon view={view} name="up" />
          <span>
            <bdi>{name}</bdi>,{" "}
            {now - subscribedAt < MINUTE
              ? words.justNow
              : fill(words.since, <BriefTime view={view} at={subscribedAt} />)}
          </span>
        </span>
      </h2>
      <div class="row act">
        <div>
          <strong>{test === undefined ? words.noTest : sentence({ view, test, lanes })}</strong>
          <p class="sub" dir="auto">
            {test !== undefined && advice({ view, test, lanes })}
          </p>
        </div>
        <form method="post" action={`${view.base}/-/setup/phone`} data-first-test={test === undefined && isYoung}>
          <input type="hidden" name="device" value={deviceRef(device.id)} />
          <Submit view={view} icon="bell" words={test === undefined ? view.texts.shared.sendTest : words.sendAgain} />
        </form>
      </div>
    </div>
  );
};

type Tested = Pick<ConnectedProps, "view" | "lanes"> & { test: Delivery };

function sentence({ view: { texts }, test, lanes }: Tested): string {
  const words = texts.setup;
  const service = serviceOf(texts, test.lane);
  if (isHeldUp({ delivery: test, lanes })) return words.testStuck(service);
  switch (stateOf(test)) {
    case "accepted":
      return words.testAccepted(service, Math.max(0, (test.acceptedAt ?? test.createdAt) - test.createdAt));
    case "pending":
      return words.testPending(service);
    case "failed":
      return words.testRefused(service);
    case "expired":
      return words.testLate(service);
    case "cancelled":
      return words.testCancelled;
  }
}

/** What to look at; if something went wrong, why. */
function advice({ view, test, lanes }: Tested): Child {
  if (stateOf(test) === "accepted") return view.texts.setup.lookAtIt;
  const { said, more } = saidOf({ view, delivery: test, lanes });
  return [said, " ", more];
}
