/** @jsxImportSource #jsx */
/** The start of the dashboard. */
import { Elysia } from "elysia";
import type { Deps } from "../../../deps.ts";
import { setCookie } from "../../../http/cookie.ts";
import { pages, seeOther } from "../../respond.ts";
import { MANIFEST } from "../../manifest.ts";
import { VIEW_VARIES, viewOf } from "../../view.ts";
import { atDesk, onDesk, openTo, UNREAD } from "../desk.ts";
import { deskManifest, MANIFEST_PATH } from "../frame/manifest.ts";
import { openHints } from "./events.ts";
import { gather } from "./gather.ts";
import { OverviewPage } from "./page.tsx";

type OverviewDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "streams" | "bus" | "delivery">;

interface Asking {
  request: Request;
}

const YEAR_SECONDS = 31_536_000;

export const overviewRoutes = (deps: OverviewDeps) => {
  const { store } = deps;
  const page = onDesk(deps, "signed in", async (desk, { request }) => {
    return <OverviewPage desk={desk} overview={await gather(deps, desk, isBegun(request))} />;
  });

  const toStart = openTo("everybody", ({ request }: Asking) => seeOther(`${viewOf(deps, request).base}/-/`));

  return new Elysia()
    .use(pages)
    .get("/", toStart)
    .get("/-", toStart)
    .get(
      "/-/",
      openTo("signed in", async (handling: Parameters<typeof page>[0]) =>
        store.setup.state().claimed ? page(handling) : seeOther(`${viewOf(deps, handling.request).base}/-/setup`),
      ),
    )
    .get(
      MANIFEST_PATH,
      openTo("everybody", ({ request }: Asking) => {
        const headers = { "content-type": MANIFEST, "cache-control": "no-cache", vary: VIEW_VARIES };
        return Response.json(deskManifest(viewOf(deps, request)), {
          headers: { ...headers, "x-content-type-options": "nosniff", "x-robots-tag": "noindex, nofollow" },
        });
      }),
    )
    .get(
      "/-/events",
      openTo("signed in", async ({ request }: Asking) => openHints(deps, request)),
    )
    .post(
      "/-/started",
      // for this browser alone
      atDesk(deps, "signed in", async ({ view: { base, url } }) => {
        const kept = { path: `${base}/-/`, life: YEAR_SECONDS, isSecure: url.startsWith("https:") };
        return { to: "/-/", cookie: setCookie("started", "hidden", kept) };
      }),
      UNREAD,
    );
};

const isBegun = ({ headers }: Request): boolean => /(?:^|;\s*)started=hidden(?:;|$)/.test(headers.get("cookie") ?? "");
