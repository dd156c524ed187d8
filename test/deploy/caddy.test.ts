/** A real Caddy with deploy/Caddyfile in front of a real server, as compose.caddy.yaml sets both up. */
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listen } from "../events/listen.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/proxies.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { PATH } from "../tools.ts";
import { composeAt, image, run, textOf } from "./files.ts";

const caddyTest = testWith("caddy");

caddyTest("Caddy finds nothing wrong with its file", async () => {
  const command = ["caddy", "validate", "--adapter", "caddyfile", "--config", "deploy/Caddyfile"];
  const { code, said } = await run(command, { PEAL_HOST: "peal.example.org" });
  expect({ code, said }).toMatchObject({ code: 0 });
  expect(said).not.toContain("not formatted");
});

test("Caddy gets its file, keeps its certificates, and knows the name", () => {
  const { caddy, peal } = composeAt("compose.caddy.yaml").services;
  expect(caddy?.volumes).toEqual(["./Caddyfile:/etc/caddy/Caddyfile:ro", "caddy:/data"]);
  expect(caddy?.ports).toEqual(["80:80", "443:443", "443:443/udp"]);
  expect(peal.environment?.["PEAL_BASE_URL"]).toBe(`https://${caddy?.environment?.["PEAL_HOST"]}`);
});

/** Caddy with a certificate of its own for localhost. What is replaced: the address of peal, and where Caddy may listen. */
async function startCaddy(port: number, behind: number) {
  const directory = await mkdtemp(join(tmpdir(), "peal-caddy-"));
  const file = join(directory, "Caddyfile");
  const global = `{
	admin off
	grace_period 1ms
	default_bind 127.0.0.1
	auto_https disable_redirects
	skip_install_trust
	storage file_system ${directory}
	servers {
		protocols h1 h2
	}
}
`;
  const text = textOf("Caddyfile");
  expect(text).toContain(`reverse_proxy peal:${image.port} {`);
  await writeFile(file, global + text.replace(`peal:${image.port}`, `127.0.0.1:${behind}`));
  const env = { ...process.env, PATH, HOME: directory, PEAL_HOST: `https://localhost:${port}` };
  const command = ["caddy", "run", "--adapter", "caddyfile", "--config", file];
  const child = Bun.spawn(command, { env, stdio: ["ignore", "ignore", "pipe"] });
  const ca = await eventually("Caddy's authority", async () => {
    if (child.exitCode !== null) throw new Error(`Caddy ended: ${await child.stderr.text()}`);
    return readFile(join(directory, "pki/authorities/local/root.crt"), "utf8").catch(() => null);
  });
  const origin = `https://localhost:${port}`;
  await eventually(
    "Caddy to answer",
    async () => (await fetch(`${origin}/ready`, { tls: { ca } }).catch(() => null))?.ok,
  );
  return {
    origin,
    ca,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGTERM");
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
}

caddyTest(
  "through it a page offers notifications, a stream is live, and a browser that subscribed gets its push",
  async () => {
    await using service = await fakePushService();
    const [port, behind] = [await freePort(), await freePort()];
    await using peal = await startPeal({
      env: {
        ...service.env,
        NODE_EXTRA_CA_CERTS: authority.file,
        PEAL_LISTEN: `127.0.0.1:${behind}`,
        PEAL_BASE_URL: `https://localhost:${port}`,
        PEAL_VAPID_SUBJECT: "mailto:mara@example.org", // push services refuse localhost
      },
    });
    await using caddy = await startCaddy(port, behind);
    const tls = { ca: caddy.ca };
    const topic = await peal.topic("backups");
    expect(topic.url).toStartWith(`${caddy.origin}/home/backups/`);

    const page = await (await fetch(topic.url, { tls, headers: { accept: "text/html" } })).text();
    expect(page).toContain("Notify me");
    const worker = await fetch(`${caddy.origin}/sw.js`, { tls });
    expect(worker.status).toBe(200);
    expect(worker.headers.get("content-type")).toContain("javascript");

    const streaming = await listen(`${caddy.origin}/home/${topic.key}/events`, { tls });
    await streaming.ready();
    const subscription = service.subscribe();
    const registered = await fetch(`${caddy.origin}/v1/devices`, {
      tls,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        platform: "web",
        token: subscription.endpoint,
        keys: subscription.keys,
        topics: [{ namespace: "home", topic: topic.key }],
      }),
    });
    await answer(201, registered);
    const published = await fetch(`${caddy.origin}/home/backups`, {
      tls,
      method: "POST",
      headers: { authorization: `Bearer ${peal.adminKey}` },
      body: "backup done",
    });
    await answer(201, published);
    await eventually("the event", () => streaming.events.some(({ data }) => data["message"] === "backup done"));
    await eventually("the push", () => service.accepted(subscription.endpoint).length === 1);
    await streaming.close();

    // whoever tries a wrong key is named by their own address, which Caddy says and peal believes
    await fetch(`${caddy.origin}/home/backups`, {
      tls,
      method: "POST",
      headers: { authorization: "Bearer wrong", "x-forwarded-for": "203.0.113.9" },
      body: "x",
    });
    const line = await eventually("the line", () => /^.*authentication failed.*$/m.exec(peal.logs())?.[0]);
    expect(line).toContain("client=127.0.0.1 "); // what a client says of itself is not passed on
  },
);
