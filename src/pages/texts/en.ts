/** Every word that pages say, in English: the shape of every language. */
import { card } from "./en/card.ts";
import { charts } from "./en/charts.ts";
import { checks } from "./en/checks.ts";
import { common } from "./en/common.ts";
import { deliveries } from "./en/deliveries.ts";
import { desk } from "./en/desk.ts";
import { devices } from "./en/devices.ts";
import { docs } from "./en/docs.ts";
import { error } from "./en/error.ts";
import { feed } from "./en/feed.ts";
import { hooks } from "./en/hooks.ts";
import { keys } from "./en/keys.ts";
import { live } from "./en/live.ts";
import { messages } from "./en/messages.ts";
import { notify } from "./en/notify.ts";
import { open } from "./en/open.ts";
import { overview } from "./en/overview.ts";
import { recipes } from "./en/recipes.ts";
import { settings } from "./en/settings.ts";
import { setup } from "./en/setup.ts";
import { signin } from "./en/signin.ts";
import { topics } from "./en/topics.ts";
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
