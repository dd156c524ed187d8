/** Every word that pages say, in German. */
import { card } from "./de/feed/card.ts";
import { charts } from "./de/charts.ts";
import { checks } from "./de/dashboard/checks.ts";
import { common } from "./de/common.ts";
import { deliveries } from "./de/dashboard/deliveries.ts";
import { desk } from "./de/dashboard/desk.ts";
import { devices } from "./de/dashboard/devices.ts";
import { docs } from "./de/docs.ts";
import { error } from "./de/error.ts";
import { feed } from "./de/feed/feed.ts";
import { forwards } from "./de/dashboard/forwards.ts";
import { hooks } from "./de/dashboard/hooks.ts";
import { keys } from "./de/dashboard/keys.ts";
import { live } from "./de/live.ts";
import { messages } from "./de/dashboard/messages.ts";
import { notify } from "./de/feed/notify.ts";
import { open } from "./de/feed/open.ts";
import { overview } from "./de/dashboard/overview.ts";
import { phone } from "./de/phone.ts";
import { settings } from "./de/dashboard/settings.ts";
import { setup } from "./de/setup.ts";
import { signin } from "./de/dashboard/signin.ts";
import { topics } from "./de/dashboard/topics.ts";
import { worker } from "./de/worker.ts";
import type { Texts } from "./texts.ts";

export const de: Texts = {
  ...common,
  card,
  charts,
  checks,
  deliveries,
  desk,
  devices,
  docs,
  error,
  feed,
  forwards,
  hooks,
  keys,
  live,
  messages,
  notify,
  open,
  overview,
  phone,
  settings,
  setup,
  signin,
  topics,
  worker,
};
