/** Every word that pages say, in German. */
import { card } from "./de/card.ts";
import { charts } from "./de/charts.ts";
import { checks } from "./de/checks.ts";
import { common } from "./de/common.ts";
import { deliveries } from "./de/deliveries.ts";
import { desk } from "./de/desk.ts";
import { devices } from "./de/devices.ts";
import { docs } from "./de/docs.ts";
import { error } from "./de/error.ts";
import { feed } from "./de/feed.ts";
import { hooks } from "./de/hooks.ts";
import { keys } from "./de/keys.ts";
import { live } from "./de/live.ts";
import { messages } from "./de/messages.ts";
import { notify } from "./de/notify.ts";
import { open } from "./de/open.ts";
import { overview } from "./de/overview.ts";
import { recipes } from "./de/recipes.ts";
import { settings } from "./de/settings.ts";
import { setup } from "./de/setup.ts";
import { signin } from "./de/signin.ts";
import { topics } from "./de/topics.ts";
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
  hooks,
  keys,
  live,
  messages,
  notify,
  open,
  overview,
  recipes,
  settings,
  setup,
  signin,
  topics,
  worker,
};
