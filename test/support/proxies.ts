/** Debian's nginx, Caddy, HAProxy and Apache in front of a server, configured as in docs/reverse-proxy.md, as child processes. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PATH } from "../tools.ts";
import { eventually } from "./eventually.ts";
import { pageAt } from "./page.ts";
import { authority, type Certificate } from "./push/ca.ts";
import { areHere } from "./tools.ts";

export interface Proxy extends AsyncDisposable {
  /** `https://localhost:<port>`, or `http:`. */
  readonly origin: string;
}

/** A free port that the system will not hand out soon, because a connection on it has just ended. */
export async function freePort(): Promise<number> {
  const server = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port is free");
  const { port } = address;
  await once(connect(port, "127.0.0.1").resume(), "close");
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The code block of the page that contains these words. */
function documented(words: string): string {
  const blocks = [...pageAt("docs/reverse-proxy.md").matchAll(/^```\w*\n([^]*?)^```$/gm)].map(([, text = ""]) => text);
  const found = blocks.find((text) => text.includes(words));
  if (found === undefined) throw new Error(`docs/reverse-proxy.md has no block with ${words}`);
  return found;
}

/** The first text of the page that matches. */
function inPage(words: RegExp): string {
  const [found] = words.exec(pageAt("docs/reverse-proxy.md")) ?? [];
  if (found === undefined) throw new Error(`docs/reverse-proxy.md does not have ${String(words)}`);
  return found;
}

interface Place {
  directory: string;
  port: number;
  /** Port of the server behind it. */
  behind: number;
  /** With TLS it serves below `/peal`; without, plain http at the root. */
  isTls: boolean;
}
interface Kind {
  name: "nginx" | "caddy" | "haproxy" | "apache";
  command: readonly string[];
  config: (place: Place) => string;
}

const NGINX: Kind = {
  name: "nginx",
  command: ["nginx", "-c"],
  config: ({ directory, port, behind, isTls }) => `
daemon off;
user root;
worker_processes 1;
pid ${directory}/pid;
error_log stderr;
events {}
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${directory}/${name};`).join(" ")}
  server {
    listen 127.0.0.1:${port}${isTls ? " ssl" : ""};
    ${isTls ? `ssl_certificate ${directory}/cert.pem; ssl_certificate_key ${directory}/key.pem;` : ""}
    ${documented("proxy_buffering off")
      .replace("location / {", isTls ? "location /peal/ {" : "location / {")
      .replace("7325", String(behind))}
  }
}`,
};

const CADDY: Kind = {
  name: "caddy",
  command: ["caddy", "run", "--adapter", "caddyfile", "--config"],
  config: ({ directory, port, behind, isTls }) => `{
	admin off
	grace_period 1ms
	auto_https disable_redirects
	skip_install_trust
	storage file_system ${directory}
	servers {
		protocols h1 h2
	}
}
${(isTls ? documented("handle /peal/*") : documented("peal.example.org {"))
  .replace(
    /^.*example\.org \{/,
    isTls
      ? `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls ${directory}/cert.pem ${directory}/key.pem`
      : `http://localhost:${port} {\n\tbind 127.0.0.1`,
  )
  .replace("localhost:7325", `127.0.0.1:${behind}`)}`,
};

const HAPROXY: Kind = {
  name: "haproxy",
  command: ["haproxy", "-db", "-f"],
  config: ({ directory, port, behind, isTls }) =>
    documented("default_backend peal")
      .replace(/bind .*/, `bind 127.0.0.1:${port}${isTls ? ` ssl crt ${directory}/both.pem` : ""}`)
      .replace("default_backend peal", isTls ? inPage(/use_backend peal if [^`]*/) : "default_backend peal")
      .replace("7325", String(behind)),
};

const APACHE_MODULES = ["mpm_event", "authz_core", "headers", "proxy", "proxy_http", "ssl"];

const APACHE: Kind = {
  name: "apache",
  command: ["apache2", "-DFOREGROUND", "-f"],
  config: ({ directory, port, behind, isTls }) => `
${APACHE_MODULES.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`).join("\n")}
ServerRoot ${directory}
DefaultRuntimeDir ${directory}
PidFile ${directory}/pid
Mutex file:${directory}
ErrorLog ${directory}/error.log
ServerName localhost
User www-data
Group www-data
Listen 127.0.0.1:${port}
${documented("ProxyPass / ")
  .replace("*:443", `*:${port}`)
  .replace("peal.example.org", "localhost")
  .replaceAll(/^ *SSL.*\n/gm, isTls ? "$&" : "")
  .replace(/(SSLCertificateFile) .*/, `$1 ${directory}/cert.pem`)
  .replace(/(SSLCertificateKeyFile) .*/, `$1 ${directory}/key.pem`)
  .replace(/ProxyPass \/ \S+/, isTls ? inPage(/ProxyPass \/peal [^`]*/) : "$&")
  .replace("7325", String(behind))}`,
};

/** Those that are installed on this machine. */
export const PROXIES: readonly Kind[] = [NGINX, CADDY, HAPROXY, APACHE].filter(({ name }) => areHere(name));

/**
 * Starts it on `port`, in front of the server on port `behind`, and waits until it answers: below `/peal` with TLS, or
 * without a certificate over plain http, at the root.
 */
export async function startProxy(
  { name, command, config }: Kind,
  ports: { port: number; behind: number },
  certificate?: Certificate,
): Promise<Proxy> {
  const directory = await mkdtemp(join(tmpdir(), "peal-proxy-"));
  const file = join(directory, "config");
  const isTls = certificate !== undefined;
  if (isTls) {
    await writeFile(join(directory, "cert.pem"), certificate.cert);
    await writeFile(join(directory, "key.pem"), certificate.key);
    await writeFile(join(directory, "both.pem"), certificate.cert + certificate.key);
  }
  await writeFile(file, config({ ...ports, directory, isTls }));
  const env = { ...process.env, PATH, HOME: directory };
  const child = Bun.spawn([...command, file], { env, stdio: ["ignore", "ignore", "pipe"] });
  const stop = async () => {
    child.kill("SIGTERM");
    await child.exited;
    await rm(directory, { recursive: true });
  };
  const origin = `${isTls ? "https" : "http"}://localhost:${ports.port}`;
  const ready = isTls ? "/peal/ready" : "/ready";
  try {
    await eventually(`${name} to answer`, async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${await child.stderr.text()}`);
      return (await fetch(origin + ready, { tls: { ca: authority.cert } }).catch(() => null))?.ok;
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { origin, [Symbol.asyncDispose]: stop };
}
