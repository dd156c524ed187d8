/** Every word that pages say, in English: the shape of every language. */
import { card } from "./en/feed/card.ts";
import { charts } from "./en/charts.ts";
import { checks } from "./en/dashboard/checks.ts";
import { common } from "./en/common.ts";
import { deliveries } from "./en/dashboard/deliveries.ts";
import { desk } from "./en/dashboard/desk.ts";
import { devices } from "./en/dashboard/devices.ts";
import { docs } from "./en/docs.ts";
import { error } from "./en/error.ts";
import { feed } from "./en/feed/feed.ts";
import { forwards } from "./en/dashboard/forwards.ts";
import { hooks } from "./en/dashboard/hooks.ts";
import { keys } from "./en/dashboard/keys.ts";
import { live } from "./en/live.ts";
import { messages } from "./en/dashboard/messages.ts";
import { notify } from "./en/feed/notify.ts";
import { open } from "./en/feed/open.ts";
import { overview } from "./en/dashboard/overview.ts";
import { phone } from "./en/phone.ts";
import { settings } from "./en/dashboard/settings.ts";
import { setup } from "./en/setup.ts";
import { signin } from "./en/dashboard/signin.ts";
import { topics } from "./en/dashboard/topics.ts";
import { worker } from "./en/worker.ts";

export const en = {
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
