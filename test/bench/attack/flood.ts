/**
 * Sends one request again and again over several connections, either as soon as the last one was answered, whatever the
 * answer, or at a
 * steady rate.
 * Runs as its own process: `flood.ts '{"port":…,"head":…,"body":"path","connections":6,"seconds":4}'`. Prints how often
 * each
 * status was answered.
 */
export interface Flood {
  port: number;
  /** The request line and the headers, without Content-Length. */
  head: string[];
  /** Path of the file that holds the body. */
  body: string;
  connections: number;
  seconds: number;
  /** Requests a second over all connections; absent: as many as the server answers. */
  rate?: number;
}

const { port, head, body, connections, seconds, rate } = JSON.parse(process.argv[2] ?? "") as Flood;
const content = await Bun.file(body).bytes();
const request = Buffer.concat([
  Buffer.from([...head, `content-length: ${content.length}`, "", ""].join("\r\n")),
  content,
]);
const statuses: Record<string, number> = {};

const end = Date.now() + seconds * 1000;

/** Sends requests one after another until the time is over or the server closes the connection. */
async function connection(): Promise<undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  let sent = 0;
  let heard = "";
  let dueAt = Date.now();
  const write = (socket: Pick<Bun.Socket, "write">) => {
    sent += socket.write(request.subarray(sent));
  };
  await Bun.connect({
    ...{ hostname: "127.0.0.1", port },
    socket: {
      open: write,
      drain: write,
      data(socket, bytes) {
        heard += bytes.toString("latin1");
        const length = Number(/\r\ncontent-length: (\d+)/i.exec(heard)?.[1]);
        const behind = heard.indexOf("\r\n\r\n") + 4 + length;
        if (!(heard.length >= behind)) return;
        const status = heard.slice(9, 12);
        statuses[status] = (statuses[status] ?? 0) + 1;
        heard = heard.slice(behind);
        // the server refused before it had the whole body, so the rest is not sent
        if (sent < request.length || Date.now() >= end) return void socket.end();
        sent = 0;
        dueAt += rate === undefined ? 0 : (1_000 * connections) / rate;
        const waits = dueAt - Date.now();
        if (waits > 0) setTimeout(write, waits, socket);
        else write(socket);
      },
      close: () => {
        resolve(undefined);
      },
      error: () => {
        resolve(undefined);
      },
    },
  });
  return promise;
}

const one = async () => {
  while (Date.now() < end) await connection().catch(async () => Bun.sleep(10));
};
await Promise.all(Array.from({ length: connections }, one));
process.stdout.write(JSON.stringify(statuses));
