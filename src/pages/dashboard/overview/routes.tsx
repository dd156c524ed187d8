/** @jsxImportSource #jsx */
/** The start of the dashboard. */
import type { Deps } from "../../../deps.ts";
import { setCookie } from "../../../http/cookie.ts";
import { seeOther } from "../../respond.ts";
import { MANIFEST } from "../../manifest.ts";
import { VIEW_VARIES, viewOf } from "../../view.ts";
import { DeskRoutes, type Handling, onDesk } from "../desk.ts";
import { deskManifest, MANIFEST_PATH } from "../frame/manifest.ts";
import { openHints } from "./events.ts";
import { gather } from "./gather.ts";
import { OverviewPage } from "./page.tsx";

type OverviewDeps = Pick<Deps, "config" | "store" | "clock" | "log" | "answers" | "streams" | "bus" | "delivery">;

const YEAR_SECONDS = 31_536_000;

export const overviewRoutes = (deps: OverviewDeps) => {
  const toStart = ({ request }: Handling) => seeOther(`${viewOf(deps, request).base}/-/`);
  const page = onDesk(deps, "signed in", async ({ desk, request }) => (
    <OverviewPage desk={desk} overview={await gather(deps, desk, isBegun(request))} />
  ));
  return (
    new DeskRoutes(deps)
      .answer("GET /", "everybody", toStart)
      .answer("GET /-", "everybody", toStart)
      .answer("GET /-/", "signed in", async (handling) =>
        deps.store.setup.state().claimed ? page(handling) : seeOther(`${viewOf(deps, handling.request).base}/-/setup`),
      )
      .answer(`GET ${MANIFEST_PATH}`, "everybody", ({ request }) => {
        const headers = { "content-type": MANIFEST, "cache-control": "no-cache", vary: VIEW_VARIES };
        return Response.json(deskManifest(viewOf(deps, request)), {
          headers: { ...headers, "x-content-type-options": "nosniff", "x-robots-tag": "noindex, nofollow" },
        });
      })
      .answer("GET /-/events", "signed in", async ({ request }) => openHints(deps, request))
      // for this browser alone
      .form(
        "/-/started",
        "signed in",
        async ({
          desk: {
            view: { base, url },
          },
        }) => {
          const kept = { path: `${base}/-/`, life: YEAR_SECONDS, isSecure: url.startsWith("https:") };
          return { to: "/-/", cookie: setCookie("started", "hidden", kept) };
        },
      ).routes
  );
};

const isBegun = ({ headers }: Request): boolean => /(?:^|;\s*)started=hidden(?:;|$)/.test(headers.get("cookie") ?? "");
