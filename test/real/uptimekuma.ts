/** Starts a real Uptime Kuma from its checkout: on loopback, with its own directory, controlled as its pages do it. */
import { closeSync, openSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";

/** A notification of type Webhook, with the names of its form. */
export interface Webhook {
  type: "webhook";
  name: string;
  webhookURL: string;
  httpMethod: "post" | "get";
  webhookContentType: "json" | "form-data" | "custom";
  webhookCustomBody?: string;
  /** JSON, as typed into "Additional Headers". */
  webhookAdditionalHeaders?: string;
}

/** One of type ntfy. */
export interface NtfyNotification {
  type: "ntfy";
  name: string;
  ntfyserverurl: string;
  ntfytopic: string;
  ntfyPriority: number;
  ntfyPriorityDown: number;
  ntfyAuthenticationMethod: "accessToken" | "usernamePassword";
  ntfyaccesstoken?: string;
  ntfyusername?: string;
  ntfypassword?: string;
}

type Notification = Webhook | NtfyNotification;

export interface UptimeKuma extends AsyncDisposable {
  /** Presses the button "Test"; returns whether it reports success, and its message. */
  test(notification: Notification): Promise<{ ok: boolean; msg: string }>;
  /** Checks the address every second, and notifies all these when it is down, every two seconds while it is, and when it is up. */
  watch(name: string, url: string, notifications: readonly Notification[]): Promise<void>;
}

/** The form of all Uptime Kuma's answers. */
interface Answer {
  ok: boolean;
  msg: string;
  id?: number;
}
interface Socket {
  on(event: string, hear: () => void): void;
  emitWithAck(event: string, ...words: unknown[]): Promise<Answer>;
  close(): void;
}
interface SocketIo {
  io(url: string): Socket;
}

/** What its page "Add New Monitor" sends and its server requires. */
const MONITOR = {
  type: "http",
  method: "GET",
  interval: 1,
  retryInterval: 1,
  resendInterval: 2, // in beats
  timeout: 16,
  maxretries: 0,
  maxredirects: 10,
  accepted_statuscodes: ["200-299"],
  saveErrorResponse: true,
  responseMaxLength: 1_024,
  kafkaProducerBrokers: [],
  kafkaProducerSaslOptions: { mechanism: "None" },
  rabbitmqNodes: [],
  conditions: [],
};

/** Starts the server of this checkout, whose dependencies are installed, and makes its administrator. */
export async function startUptimeKuma(checkout: string): Promise<UptimeKuma> {
  const directory = await mkdtemp(join(tmpdir(), "peal-uptimekuma-"));
  const port = freePort();
  const logFile = join(directory, "log");
  const log = openSync(logFile, "a");
  const child = Bun.spawn(["node", "server/server.js", "--host=127.0.0.1", `--port=${port}`], {
    cwd: checkout,
    env: { ...process.env, NODE_ENV: "production", DATA_DIR: `${directory}/`, UPTIME_KUMA_DB_TYPE: "sqlite" },
    stdio: ["ignore", log, log],
  });
  let socket: Socket | undefined;
  const stop = async () => {
    socket?.close();
    child.kill("SIGKILL");
    await child.exited;
    closeSync(log);
    await rm(directory, { recursive: true });
  };
  try {
    await eventually("Uptime Kuma's server", () => {
      const said = readFileSync(logFile, "utf8");
      if (child.exitCode !== null) throw new Error(`Uptime Kuma ended at its start:\n${said}`);
      return /SERVER.*Listening on/.test(said); // before that its migration answers on the same port
    });
    const { io } = createRequire(join(checkout, "package.json"))("socket.io-client") as SocketIo;
    socket = io(`http://127.0.0.1:${port}`);
    return { ...(await enter(socket)), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the administrator of a new server and signs in. */
async function enter(socket: Socket): Promise<Pick<UptimeKuma, "test" | "watch">> {
  let isHeard = false; // earlier events are not received
  socket.on("setup", () => (isHeard = true));
  await eventually("Uptime Kuma's set-up", () => isHeard);
  const ask = async (event: string, ...words: unknown[]): Promise<Answer> => {
    const answer = await socket.emitWithAck(event, ...words);
    if (!answer.ok) throw new Error(`Uptime Kuma's ${event}: ${answer.msg}`);
    return answer;
  };
  const [username, password] = ["admin", "Only-For-This-Test-1"];
  await ask("setup", username, password);
  await ask("login", { username, password });
  return {
    test: async (notification) => socket.emitWithAck("testNotification", notification),
    watch: async (name, url, notifications) => {
      const notificationIDList: Record<string, true> = {};
      for (const notification of notifications) {
        const { id } = await ask("addNotification", notification, null);
        notificationIDList[String(id)] = true;
      }
      await ask("add", { ...MONITOR, name, url, notificationIDList });
    },
  };
}

function freePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => undefined } });
  listener.stop();
  return listener.port;
}
