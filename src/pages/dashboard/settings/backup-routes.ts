/** Backups over HTTP: make one, download one. */
import { confirmPath, isConfirmed, visitorOf } from "../../../accounts/visitor.ts";
import type { Deps } from "../../../deps.ts";
import { namedParts } from "../../../http/path.ts";
import { problem } from "../../../http/problem.ts";
import { basePath } from "../../../http/urls.ts";
import type { BackupResult } from "../../../ops/backup.ts";
import { sizeWords } from "../../elements/bytes.ts";
import { seeOther } from "../../respond.ts";
import type { View } from "../../view.ts";
import { DeskRoutes } from "../desk.ts";
import type { Flash } from "../frame/flash.ts";

const LIST = "/-/settings#backups";
/** A backup that takes longer is reported as in progress: a browser, or a proxy, would not wait for ever. */
const PATIENCE_MS = 5_000;

export const backupRoutes = (deps: Deps) =>
  new DeskRoutes(deps, "/-/settings/backups")
    .form("", "admin", async ({ desk: { view } }) => {
      const waited = Promise.withResolvers<undefined>();
      const cancel = deps.clock.after(PATIENCE_MS, () => {
        waited.resolve(undefined);
      });
      const result = await Promise.race([deps.backups.make("peal"), waited.promise]);
      cancel();
      return { to: LIST, flash: flashOf(view, result) };
    })
    .answer("GET /:name", "admin, confirmed", async ({ request, params }) => {
      const visitor = await visitorOf(deps, request);
      const { name } = namedParts(params);
      const path = visitor.person.isAdmin ? deps.backups.pathOf(name) : undefined;
      if (path === undefined) throw problem.notFound();
      // not to the file: a browser would save it, and the page that asked would stay
      if (!isConfirmed(deps, visitor)) return seeOther(basePath(deps.config) + confirmPath(LIST, "download"));
      return new Response(Bun.file(path), {
        headers: {
          "content-type": "application/vnd.sqlite3",
          "content-disposition": `attachment; filename="${name}"`,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
        },
      });
    }).routes;

function flashOf(view: View, result: BackupResult | undefined): Flash {
  if (result === undefined) return { say: "settings.backupRunning", tone: "info" };
  if (result.kind === "made") return { say: "settings.backupMade", values: [sizeWords(view, result.bytes)] };
  if (result.kind === "failed") return { say: "settings.backupFailed", values: [result.reason], tone: "error" };
  const values = [sizeWords(view, result.needed), sizeWords(view, result.free)];
  return { say: "settings.backupFull", values, tone: "error" };
}
