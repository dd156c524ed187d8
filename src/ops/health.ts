/** `/health`, `/ready`, `/metrics` (OPERATIONS.md §5): never limited, and no API key is needed. */
import type { Deps } from "../deps.ts";
import { secretIn } from "../keys/auth.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { isFromHere, isFromWebsite } from "../http/own-machine.ts";
import { Problem, problem } from "../http/problem.ts";
import { json } from "../http/respond.ts";
import { measureChecks } from "./check-figures.ts";
import { diskOf } from "./disk.ts";
import { StoreTrouble } from "../store/store.ts";
import { sha256 } from "../util/ids.ts";
import { VERSION } from "../util/version.ts";

type HealthDeps = Pick<
  Deps,
  | "config"
  | "clock"
  | "store"
  | "keyUse"
  | "limits"
  | "log"
  | "metrics"
  | "alerter"
  | "clockWatch"
  | "delivery"
  | "nightly"
  | "tls"
>;

/** Of the words of `/health`, as a figure. */
const SEVERITY = { ok: 0, degraded: 1, low: 1, failing: 2 } as const;
/** Many health checks must not become a load of writes. */
const PROBE_EVERY_MS = 5_000;

export function healthRoutes(deps: HealthDeps) {
  const canWrite = createProbe(deps);
  const look = async () => {
    const push = deps.delivery.health();
    const isWritten = await canWrite();
    const trouble = deps.store.trouble();
    const clock = deps.clockWatch.problem();
    const backup = deps.nightly.problem();
    const tls = deps.tls?.problem();
    const checks = {
      store: isWritten && trouble === undefined ? "ok" : "failing",
      alerter: deps.alerter.health(),
      disk: diskOf(deps.config.dataDir).status,
      push: push.status,
      clock: clock === undefined ? "ok" : "degraded",
      backup: backup === undefined ? "ok" : "degraded",
      ...(deps.tls && ({ tls: tls === undefined ? "ok" : "degraded" } as const)),
    } as const;
    const problems = [trouble, ...push.problems, clock, backup, tls].filter((problem) => problem !== undefined);
    return { checks, problems };
  };
  const health = async () => {
    const { checks, problems } = await look();
    const words = Object.values(checks);
    const status = words.includes("failing") ? "failing" : words.every((word) => word === "ok") ? "ok" : "degraded";
    return json(
      { status, version: VERSION, checks, ...(problems.length > 0 && { problems }), ...asGotify(status, checks.store) },
      status === "failing" ? 503 : 200,
    );
  };
  const endpoint = endpointsOf<HealthDeps>("server");
  return routesOf(deps, [
    endpoint(["GET /health", "GET /v1/gotify/health"], {
      summary: "Whether the server is working",
      scope: "none",
      answers: {
        200: { description: "It can" },
        503: { description: "The store can't write or is damaged, or checks aren't being monitored" },
      },
      handle: health,
    }),
    endpoint("GET /ready", {
      summary: "Whether the server accepts requests",
      scope: "none",
      answers: { 200: { description: "It does; 503 while starting or stopping" } },
      problems: [503],
      handle: () => json({ ready: true }),
    }),
    endpoint("GET /metrics", {
      summary: "Figures for Prometheus: from loopback, else with the metrics token as Bearer",
      scope: "metrics token",
      find: mayReadMetrics,
      answers: { 200: { description: "Prometheus text format", type: "text/plain" } },
      problems: [401, 403, 404],
      handle: async () => {
        await countStored(deps);
        deps.delivery.measure();
        const { checks } = await look();
        for (const [check, word] of Object.entries(checks)) deps.metrics.health.of(check).value = SEVERITY[word];
        deps.metrics.gauge("disk_free_bytes", () => diskOf(deps.config.dataDir).free);
        return new Response(deps.metrics.render(), {
          headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        });
      },
    }),
  ]);
}

/** The fields that Gotify's clients read here (https://github.com/gotify/server, `model/health.go`). */
const asGotify = (status: string, store: string) => ({
  health: status === "ok" ? "green" : status === "degraded" ? "orange" : "red",
  database: store === "ok" ? "green" : "red",
});

/** Whether the store took its latest test write; at most one is made every five seconds, however many ask. */
function createProbe({ store, clock, log }: HealthDeps): () => Promise<boolean> {
  let madeAt = -Infinity;
  let latest: Promise<boolean> = Promise.resolve(true);
  return async () => {
    if (clock.monotonic() - madeAt >= PROBE_EVERY_MS) {
      madeAt = clock.monotonic();
      latest = store.probe().then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof StoreTrouble)) log.error("the store cannot take a write", { error });
          return false;
        },
      );
    }
    return latest;
  };
}

/** The other figures are reported even if the store cannot be read. */
async function countStored({ store, clock, metrics, delivery, log }: HealthDeps): Promise<void> {
  try {
    const { byState } = await store.checks.counts();
    for (const [state, count] of Object.entries(byState)) metrics.checks.of(state).value = count;
    await measureChecks(
      { store, clock, metrics },
      Object.values(byState).reduce((sum, count) => sum + count, 0),
    );
    const [backlog, devices] = await Promise.all([store.deliveries.backlog(), store.devices.counts()]);
    metrics.outboxPending.clear();
    for (const { lane, count } of backlog) metrics.outboxPending.of(delivery.seriesOf(lane)).inc(count);
    const oldest = (clock.now() - Math.min(...backlog.map((lane) => lane.oldestAt))) / 1000;
    metrics.gauge("outbox_oldest_seconds", () => Math.max(0, oldest));
    for (const { platform, isLost, count } of devices)
      metrics.devices.of(platform, isLost ? "lost" : "live").value = count;
  } catch (error) {
    log.error("what is stored cannot be counted", { error });
  }
}

function mayReadMetrics({ deps: { config }, request }: { deps: HealthDeps; request: Request }): void {
  if (config.metrics === "off") throw problem.notFound("Metrics are turned off: `PEAL_METRICS=off`.");
  if (isFromWebsite(request)) throw problem.crossSite("Metrics are not available to websites.");
  if (isFromHere(config, request)) return;
  if (config.metrics === "loopback")
    throw problem.notFound(
      "Metrics are available on loopback only, at `localhost`, `127.0.0.1` or `[::1]`. For access from elsewhere, set `PEAL_METRICS` to a token of at least 32 characters.",
    );
  const header = request.headers.get("authorization");
  if (header === null || sha256(secretIn(header)) !== sha256(config.metrics.token))
    throw new Problem(
      header === null ? "missing_key" : "invalid_key",
      "Send the metrics token: `Authorization: Bearer …`.",
      {
        headers: { "www-authenticate": 'Bearer realm="peal metrics"' },
      },
    );
}
