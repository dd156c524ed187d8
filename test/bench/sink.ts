/**
 * A push service for the benchmark of pushes: it answers after a delay and keeps nothing. `bun sink.ts apns|web <cert>
 * <key> <ms>` prints its port. APNs uses HTTP/2, the push service of browsers HTTP/1.1, both over TLS.
 */
import { readFileSync } from "node:fs";
import { createSecureServer, type ServerHttp2Stream } from "node:http2";

const [kind = "", certFile = "", keyFile = "", wait = "0"] = process.argv.slice(2);
const ms = Number(wait);
const tls = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
const hostname = "127.0.0.1";

if (kind === "apns") {
  const server = createSecureServer({ ...tls, settings: { maxConcurrentStreams: 1_000 } });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    stream.resume();
    const answer = () => {
      if (!stream.destroyed) stream.respond({ ":status": 200, "apns-id": headers["apns-id"] }, { endStream: true });
    };
    if (ms === 0) answer();
    else setTimeout(answer, ms);
  });
  server.listen(0, hostname, () => {
    const address = server.address();
    console.log(typeof address === "object" ? address?.port : "");
  });
} else {
  const server = Bun.serve({
    ...{ port: 0, hostname, tls },
    fetch: async (request) => {
      await request.arrayBuffer();
      if (ms > 0) await Bun.sleep(ms);
      return new Response(null, { status: 201, headers: { location: "/message/1" } });
    },
  });
  console.log(server.port);
}
