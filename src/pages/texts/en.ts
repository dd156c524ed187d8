/** Every word that pages say, in English: the shape of every language. */
import { card } from "./en/card.ts";
import { common } from "./en/common.ts";
import { desk } from "./en/desk.ts";
import { docs } from "./en/docs.ts";
import { error } from "./en/error.ts";
import { feed } from "./en/feed.ts";
import { live } from "./en/live.ts";
import { notify } from "./en/notify.ts";
import { overview } from "./en/overview.ts";
import { setup } from "./en/setup.ts";
import { signin } from "./en/signin.ts";
import { worker } from "./en/worker.ts";

export const en = {
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
