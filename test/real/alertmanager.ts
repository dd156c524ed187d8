/** Starts Debian's Alertmanager for a test: on loopback, with its own directory and configuration. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";

export interface Alert {
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  startsAt?: string;
  /** The time from which it is resolved. */
  endsAt?: string;
}

interface Settings {
  /** The receivers for its configuration, as YAML; one is named `peal`. */
  receivers: string;
  repeat_interval?: string;
}

export interface Alertmanager extends AsyncDisposable {
  /** Sends alerts as Prometheus does. */
  alert(...alerts: Alert[]): Promise<void>;
  /** How many requests of its webhook failed, even if they succeeded later. */
  failures(): Promise<number>;
}

/** Starts it; it forms groups by `alertname` and `cluster` and posts them to that receiver. */
export async function startAlertmanager({ receivers, repeat_interval = "1h" }: Settings): Promise<Alertmanager> {
  const directory = await mkdtemp(join(tmpdir(), "peal-alertmanager-"));
  const groups = { group_by: ["alertname", "cluster"], group_wait: "100ms", group_interval: "400ms", repeat_interval };
  const route = JSON.stringify({ receiver: "peal", ...groups }); // JSON is valid YAML
  await Bun.write(join(directory, "alertmanager.yml"), `${receivers}\nroute: ${route}\n`);
  const child = Bun.spawn(
    [
      "prometheus-alertmanager",
      "--config.file=alertmanager.yml",
      "--storage.path=data",
      "--web.listen-address=127.0.0.1:0",
      "--web.external-url=http://alertmanager.example:9093/",
      "--cluster.listen-address=", // no cluster
    ],
    { cwd: directory, stdio: ["ignore", "ignore", "pipe"] },
  );
  let log = "";
  const drained = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) log += decoder.decode(chunk, { stream: true });
  })();
  const stop = async () => {
    child.kill("SIGKILL");
    await child.exited;
    await drained;
    await rm(directory, { recursive: true });
  };
  const found = eventually("Alertmanager's address", () => {
    if (child.exitCode !== null) throw new Error(`Alertmanager ended at its start:\n${log}`);
    return /msg="Listening on" address=(\S+)/.exec(log)?.[1];
  });
  const address = await found.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    alert: async (...alerts) => {
      const response = await fetch(`http://${address}/api/v2/alerts`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(alerts),
      });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    },
    failures: async () => {
      const metrics = await (await fetch(`http://${address}/metrics`)).text();
      const count = /^alertmanager_notification_requests_failed_total\{integration="webhook"\} (\d+)/m.exec(metrics);
      return Number(count?.[1]);
    },
    [Symbol.asyncDispose]: stop,
  };
}
