/** Below a path behind real reverse proxies with TLS, configured as in docs/reverse-proxy.md (WEB.md §6). */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { readSocket } from "../ntfy/reader.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { freePort, PROXIES, startProxy, type Proxy } from "../support/proxies.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { login, PASSWORD, person } from "../support/signin.ts";
import { connection, launch, look, noComplaints, open, trusting } from "./browser.ts";

const certificate = authority.issue();

let browser: Browser;
beforeAll(async () => {
  browser = await launch(trusting(certificate));
});
afterEach(noComplaints);
afterAll(async () => browser.close());

describe.each(PROXIES)("behind $name", (kind) => {
  /** In a short run the browser goes through one proxy, which stands for all. */
  const inBrowser = IS_THOROUGH || kind === PROXIES[0] ? test : test.skip;
  let peal: Peal;
  let proxy: Proxy;
  let base: string;
  beforeAll(async () => {
    const [port, behind] = [await freePort(), await freePort()];
    base = `https://localhost:${port}/peal`;
    peal = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:${behind}`, PEAL_BASE_URL: base } });
    proxy = await startProxy(kind, { port, behind }, certificate);
    await person(peal, { name: "Mara" });
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await peal[Symbol.asyncDispose]();
  });

  const ask = async (path: string, init: RequestInit = {}) =>
    fetch(base + path, { redirect: "manual", tls: { ca: authority.cert }, ...init });
  const publish = async (topic: string, message: string) => {
    const headers = { authorization: `Bearer ${peal.adminKey}` };
    expect((await ask(`/home/${topic}`, { method: "POST", body: message, headers })).status).toBe(201);
  };
  const signIn = async (page: Page) => {
    await page.getByLabel("Name").fill("Mara");
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  test("redirects stay below the path, even without the slash at its end", async () => {
    const led = async (path: string) => {
      const { status, headers } = await ask(path, { headers: { accept: "text/html" } });
      const to = headers.get("location");
      return [status < 400, to === null ? null : new URL(to, `${base}/`).href];
    };
    expect([`${base}/`, `${base}/-/`]).toContain(String((await led(""))[1]));
    expect(await led("/")).toEqual([true, `${base}/-/`]);
    expect(await led("/-/topics")).toEqual([true, `${base}/-/login?to=%2F-%2Ftopics`]);
  });

  inBrowser("signing in sets a cookie for the path only, over https, and the dashboard is live", async () => {
    await publish("seen", "before");
    await using opened = await open(browser);
    const { page } = opened;
    await page.goto(`${base}/-/`);
    const streams: string[] = [];
    page.on("request", (request) => streams.push(...(/\/-\/events$/.exec(request.url()) ?? [])));
    await signIn(page);
    await page.waitForURL(`${base}/-/`);
    const cookies = await page.context().cookies();
    expect(cookies.filter(({ httpOnly }) => httpOnly)).toMatchObject([
      { name: expect.stringMatching(/^__Secure-/) as unknown, secure: true, sameSite: "Lax", path: "/peal" },
    ]);
    await connection(page, "Live");
    await publish("seen", "while you looked");
    await page.getByText("while you looked").waitFor();
    expect(streams).toHaveLength(1);
  });

  inBrowser("a feed is live, and its app and its worker are limited to the path", async () => {
    const topic = await peal.topic("feed");
    await publish("feed", "before");
    expect(topic.url).toStartWith(`${base}/home/feed/`);
    await using opened = await open(browser);
    const { page } = opened;
    await page.goto(topic.url);
    await connection(page, "Live");
    await publish("feed", "just now");
    await page.getByRole("heading", { name: "just now" }).waitFor();
    await look(page, "controlled");
    expect(await page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)")).toBe(`${base}/`);
    const path = (await page.locator("link[rel=manifest]").getAttribute("href")) ?? "";
    const manifest = (await (await ask(path.replace("/peal", ""))).json()) as Record<string, string>;
    for (const name of ["id", "start_url", "scope"])
      expect([name, manifest[name]?.slice(0, 6)]).toEqual([name, "/peal/"]);
  });

  const streams = [
    ["events", (key: string) => `/home/${key}/events`, "event: ready"],
    ["lines", (key: string) => `/${key}/json`, '"event":"open"'],
  ] as const;
  test.each(streams)("in a stream of %s a message arrives while it is open", async (name, pathOf, opening) => {
    const topic = await peal.topic(name);
    const controller = new AbortController();
    const { body } = await ask(pathOf(topic.key), { signal: controller.signal });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (text.includes('"message":"first"')) break;
      if (text.includes(opening)) await publish(name, "first");
    }
    controller.abort();
    expect(text).toContain('"message":"first"');
  });

  test.each(["ntfy", "Gotify"])("a WebSocket of a client of %s is passed on", async (server) => {
    const topic = await peal.topic(`socket-${server}`);
    const path = server === "ntfy" ? `/${topic.key}/ws` : "/stream";
    const headers: Record<string, string> = server === "ntfy" ? {} : { "x-gotify-key": peal.adminKey };
    const socket = await readSocket(base + path, { headers, tls: { ca: authority.cert } });
    await publish(topic.name, "by a WebSocket");
    await eventually("the message", () => socket.texts.some((text) => text.includes("by a WebSocket")));
    await socket.close();
  });

  test("over plain http, with no address set, links keep the port and forms are accepted", async () => {
    const [port, behind] = [await freePort(), await freePort()];
    await using server = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:${behind}` } });
    await using plain = await startProxy(kind, { port, behind });
    await person(server);
    const made = await fetch(`${plain.origin}/v1/home/topics`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.adminKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "nas" }),
    });
    expect(await made.json()).toMatchObject({ url: expect.stringContaining(`${plain.origin}/home/nas/`) as string });
    const headers = { origin: plain.origin }; // browsers send nothing more over http
    const signed = await login(
      { request: async (path, init) => fetch(plain.origin + path, { ...init, redirect: "manual" }) },
      {},
      { headers },
    );
    expect([signed.status, signed.headers.get("location")]).toEqual([303, "/-/"]);
  });
});
