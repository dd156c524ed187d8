/**
 * The Apprise API, as `apprise_api/api/views.py` answers (caronc/apprise-api, `NotifyView` and `StatelessNotifyView`). It is on no
 * registry, so the services behind it are told here.
 *
 *   const apprise = createApprise();
 *   await using service = await fakeService(apprise.judge);
 *   apprise.configurations.set("home", ["ok", "down"])        the services behind a key, each of which takes messages or not
 *   apprise.sent                                              what was sent, once for each service that took it
 */
import type { Answer } from "../push/http2.ts";
import { json, objectIn, type Posted } from "./json.ts";

type Service = "ok" | "down";

const TYPES = ["info", "success", "warning", "failure"];
const FORMATS = ["text", "markdown", "html"];
const refused = (status: number, error: string): Answer => json(status, { error });

export function createApprise() {
  const sent: Record<string, unknown>[] = [];
  const configurations = new Map<string, Service[]>([["home", ["ok"]]]);

  function send(services: readonly Service[], posted: Record<string, unknown>, level: string | undefined): Answer {
    const lines = services.flatMap((service) => {
      const [word, text] =
        service === "ok"
          ? ["INFO", "Sent JSON notification to localhost."]
          : ["WARNING", "A Connection error occurred sending JSON notification to localhost."];
      if (service === "ok") sent.push(posted);
      return word === "INFO" && level !== "INFO" ? [] : [[word, "2026-01-15T12:00:00", text]];
    });
    return services.includes("down")
      ? json(424, { error: "One or more notification could not be sent", details: lines })
      : json(200, { error: null, details: lines });
  }

  return {
    ...{ sent, configurations },
    judge: ({ method, path, headers, body }: Posted): Answer => {
      const [, key] = /^\/notify(?:\/([\w-]{1,128}))?\/?$/.exec(path) ?? [];
      if (!path.startsWith("/notify")) return { status: 404, body: "<h1>Not Found</h1>" };
      if (method !== "POST") return { status: 405, body: "" };
      const posted = headers["content-type"] === "application/json" ? objectIn(body) : {};
      const { body: text, type = "info", format = "text", urls } = posted;
      if (typeof text !== "string" || text === "" || !TYPES.includes(String(type)))
        return refused(400, "Payload lacks minimum requirements");
      if (!FORMATS.includes(String(format))) return refused(400, "An invalid body input format was specified");
      const level = headers["x-apprise-log-level"];
      if (key !== undefined) {
        const services = configurations.get(key);
        return services === undefined ? { status: 204 } : send(services, posted, level);
      }
      const known = (typeof urls === "string" ? urls : "").split(/[\s,]+/).filter((url) => /^jsons?:\/\//.test(url));
      if (known.length === 0) return { status: 204 };
      return send(
        known.map((url) => (url.includes("down") ? "down" : "ok")),
        posted,
        level,
      );
    },
  };
}
