/** Every word that pages say, in German. */
import { card } from "./de/card.ts";
import { common } from "./de/common.ts";
import { desk } from "./de/desk.ts";
import { docs } from "./de/docs.ts";
import { error } from "./de/error.ts";
import { feed } from "./de/feed.ts";
import { live } from "./de/live.ts";
import { notify } from "./de/notify.ts";
import { overview } from "./de/overview.ts";
import { setup } from "./de/setup.ts";
import { signin } from "./de/signin.ts";
import { worker } from "./de/worker.ts";
import type { Texts } from "./texts.ts";

export const de: Texts = {
  ...common,
  card,
  desk,
  docs,
  error,
  feed,
  live,
  notify,
  overview,
  setup,
  signin,
  worker,
};
