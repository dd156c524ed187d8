/** Everything that the page of one device shows. */
import type { Delivery } from "../../../delivery/delivery.ts";
import type { Deps } from "../../../deps.ts";
import type { Listed } from "../../../store/deliveries.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { Desk } from "../signed-in.ts";
import type { SeenDevice } from "./seen-device.ts";

/** What was typed into a form, with its faults in words. */
export interface Faulty {
  given: URLSearchParams;
  faults: ReadonlyMap<string, string>;
}

export interface DeviceProps {
  desk: Desk;
  seen: SeenDevice;
  /** Topics to choose from; absent: there are too many. */
  topics: readonly Topic[] | undefined;
  lastTest: Delivery | undefined;
  pushes: readonly Listed[];
  lanes: Pick<Deps["delivery"], "lane" | "restsUntil">;
  faulty?: Faulty;
}
