/** `/-/run.sh` and `/-/run.ps1`: `peal run` for jobs on machines without the binary (CHECKINS.md §7). */
import powershell from "../../static/run.ps1" with { type: "text" };
import shell from "../../static/run.sh" with { type: "text" };
import type { Deps } from "../deps.ts";
import { etag, notModified } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";

type ScriptDeps = Pick<Deps, "clock" | "store" | "keyUse" | "limits" | "log">;

/** Short: machines fetch a script when it is installed, and are to get the one of this version. */
const CACHE = "max-age=300";

const endpoint = endpointsOf<ScriptDeps>();

const scriptAt = (path: "run.sh" | "run.ps1", text: string) => {
  const tag = etag(text);
  const headers = {
    ...{ "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
    ...{ "cache-control": CACHE, etag: tag },
  };
  return endpoint(`GET /-/${path}`, {
    scope: "none",
    bare: (_, request) => notModified(request, tag, CACHE) ?? new Response(text, { headers }),
  });
};

const scripts = [scriptAt("run.sh", shell), scriptAt("run.ps1", powershell)];

export const scriptRoutes = (deps: ScriptDeps) => routesOf(deps, scripts);
