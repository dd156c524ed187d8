/** Whether push services can be reached from here, the way pushes go, and what time it is there. */
import { connect } from "node:tls";
import type { Config } from "../../config/config.ts";
import { openTunnel } from "../../delivery/transport/proxy-tunnel.ts";
import { reasonOf } from "../../delivery/transport/reason.ts";
import { systemClock, type Millis } from "../../util/clock.ts";
import type { Finding } from "./finding.ts";
import { judgeClock, judgeService } from "./judge-server.ts";

/** Chrome and Android, Firefox, Safari; and Apple's for apps, if one is set up. */
const CHROME = "fcm.googleapis.com";
const SERVICES = [CHROME, "updates.push.services.mozilla.com", "web.push.apple.com"];
const APPS = "api.push.apple.com";

/** `until`: when it has to end. */
export async function lookAtServices({ push }: Pick<Config, "push">, until: AbortSignal): Promise<Finding[]> {
  const hosts = push.apns === undefined || push.apns.url !== undefined ? SERVICES : [...SERVICES, APPS];
  const looks = await Promise.all(hosts.map(async (host) => ({ host, ...(await lookAt(host, push.proxy, until)) })));
  const said = looks.find(({ date }) => date !== undefined);
  return [
    ...looks.map(({ host, reason }) => judgeService(host, reason)),
    judgeClock(said?.date, said?.at ?? systemClock.now()),
  ];
}

interface ServiceLook {
  /** Why there is no connection. */
  reason?: string;
  /** Its Date header, and when it came. */
  date?: Millis;
  at?: Millis;
}

async function lookAt(host: string, proxy: string | undefined, until: AbortSignal): Promise<ServiceLook> {
  const tunnel = proxy === undefined ? undefined : await openTunnel(new URL(proxy), `${host}:443`);
  const { promise, resolve } = Promise.withResolvers<ServiceLook>();
  const way = tunnel === undefined ? { host, port: 443 } : { host: "127.0.0.1", port: tunnel.port };
  let isSecure = false;
  let heard = "";
  const socket = connect({ ...way, servername: host }, () => {
    isSecure = true;
    if (host === CHROME) socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    else resolve({}); // TLS is enough: Apple's speak HTTP/2 alone
  });
  socket.on("data", (chunk: Buffer) => {
    heard += chunk.toString("latin1");
    if (heard.includes("\r\n\r\n")) resolve(dated(heard));
  });
  socket.on("error", (error) => resolve({ reason: tunnel?.refusal ?? reasonOf(error) }));
  socket.on("close", () =>
    resolve(isSecure ? dated(heard) : { reason: tunnel?.refusal ?? "the connection was closed" }),
  );
  until.addEventListener("abort", () => resolve(isSecure ? {} : { reason: "no connection within 4 s" }));
  return promise.finally(() => {
    socket.destroy();
    tunnel?.close();
  });
}

function dated(heard: string): ServiceLook {
  const date = Date.parse(/^date: (.*?)\r$/im.exec(heard)?.[1] ?? "");
  return Number.isNaN(date) ? {} : { date, at: systemClock.now() };
}
