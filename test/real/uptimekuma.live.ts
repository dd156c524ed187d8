/**
 * Run by the script `uptimekuma` in this folder, `bun uptimekuma.live.ts <checkout> [--record]`: a real Uptime Kuma
 * reports to a real peal, in every way it can, that a shop goes down and up, and what arrives is compared with the
 * promise. `--record` stores its requests, byte for byte, for uptimekuma.test.ts.
 */
import { eventually } from "../support/eventually.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { startRecorder } from "./uptimekuma.recorder.ts";
import {
  cards,
  cardsOf,
  CUSTOM_BODY,
  isNtfy,
  MONITOR,
  pathOf,
  PLACEHOLDER,
  promised,
  recordOf,
  REFUSAL,
  shown,
  TOPIC_PLACEHOLDER,
  WAYS,
  withKey,
  type NtfyWay,
  type Step,
  type Way,
} from "./uptimekuma.story.ts";
import { startUptimeKuma, type NtfyNotification, type UptimeKuma, type Webhook } from "./uptimekuma.ts";

const SENT = "Sent Successfully.";
let failures = 0;

function say(text: string) {
  process.stdout.write(`${text}\n`);
}
function check(promise: string, seen: unknown, expected: unknown) {
  const isKept = Bun.deepEquals(seen, expected);
  say(`${isKept ? "   ok" : "WRONG"}  ${promise}`);
  if (isKept) return;
  failures++;
  say(`       promised ${JSON.stringify(expected)}\n       seen     ${JSON.stringify(seen)}`);
}

/** A website that may be down; `visits` counts Uptime Kuma's checks. */
function openShop() {
  const shop = { isOpen: true, visits: 0 };
  const fetch = () => {
    shop.visits++;
    return shop.isOpen ? new Response("come in") : new Response(REFUSAL, { status: 503 });
  };
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch });
  const close = () => void server.stop(true);
  return Object.assign(shop, { url: `http://127.0.0.1:${server.port}/shop`, [Symbol.dispose]: close });
}

const withUser = (url: string, key: string) => url.replace("://", `://peal:${key}@`);
const bearer = (key: string) => ({ webhookAdditionalHeaders: JSON.stringify({ Authorization: `Bearer ${key}` }) });
const json = { type: "webhook", name: "peal", httpMethod: "post", webhookContentType: "json" } as const;

/** The settings as docs/sources/uptime-kuma.md gives them, by the form's own names. */
function webhookOf(way: Exclude<Way, NtfyWay>, origin: string, key: string): Webhook {
  const webhook = { ...json, webhookURL: `${origin}/home/${way}?rewrite=uptimekuma` };
  if (way === "basic") return { ...webhook, webhookURL: withUser(webhook.webhookURL, key) };
  const preset = way === "custom" ? { webhookCustomBody: CUSTOM_BODY } : {};
  return { ...webhook, ...preset, ...bearer(key), webhookContentType: way };
}

/** The settings as docs/from-ntfy.md gives them. */
function ntfyOf(way: NtfyWay, origin: string, key: string, topic: string): NtfyNotification {
  const server = { type: "ntfy", name: "peal", ntfyPriority: 4, ntfyPriorityDown: 5 } as const;
  return way === "ntfy"
    ? {
        ...server,
        ntfyserverurl: origin,
        ntfytopic: topic,
        ntfyAuthenticationMethod: "accessToken",
        ntfyaccesstoken: key,
      }
    : {
        ...{ ...server, ntfyserverurl: `${origin}/ntfy/home`, ntfytopic: way },
        ...{ ntfyAuthenticationMethod: "usernamePassword", ntfyusername: "peal", ntfypassword: key },
      };
}

/** Test, down, still down, up: compares what people read, and stores the requests if they are to be recorded. */
async function tellStory(kuma: UptimeKuma, peal: Peal, isRecording: boolean) {
  const { key } = await peal.mint("publish");
  using recorder = await startRecorder(peal.url);
  using shop = openShop();
  const told = await Promise.all(
    WAYS.map(async (way) => {
      const topic = await peal.topic(way);
      const notification = isNtfy(way) ? ntfyOf(way, recorder.url, key, topic.key) : webhookOf(way, recorder.url, key);
      return { way, topic, notification, history: async () => peal.history(topic) };
    }),
  );
  for (const { way, notification } of told)
    check(`${way}: Uptime Kuma says that its test went well`, await kuma.test(notification), { ok: true, msg: SENT });

  const notifications = told.map(({ notification }) => notification);
  await kuma.watch(MONITOR, shop.url, notifications);
  await eventually("a first look at the shop", () => shop.visits > 0);
  shop.isOpen = false;
  for (const { way, history } of told)
    await eventually(`${way}: test, down and still down`, async () => (await history()).length >= 3);
  shop.isOpen = true;
  for (const { way, topic, history } of told) {
    const messages = await eventually(`${way}: up`, async () => {
      const all = await history();
      return /is up again|✅ Up|Up \[Uptime-Kuma\]/.test(JSON.stringify(all.at(-1))) ? all : undefined;
    });
    const requests = recorder.of(pathOf(way));
    check(`${way}: each request is a message`, messages.length, requests.length);
    const seen = new Set<Step>();
    for (const [at, message] of messages.entries()) {
      const step = at === messages.length - 1 ? "up" : ((["test", "down"] as const)[at] ?? "still-down");
      check(`${way}, ${step}: ${String(message["title"])}`, shown(message), promised(way, step));
      const request = requests[at];
      if (isRecording && request !== undefined && !seen.has(step))
        await Bun.write(
          recordOf(way, step),
          Buffer.from(withKey(request, key, PLACEHOLDER).replaceAll(topic.key, TOPIC_PLACEHOLDER), "latin1"),
        );
      seen.add(step);
    }
    check(`${way}: cards in the feed`, await cards(topic), cardsOf(way));
  }
}

/** What Uptime Kuma does with an answer that is not 2xx, which the transport relies on (REWRITES.md §2). */
async function refuse(kuma: UptimeKuma, peal: Peal) {
  const { key } = await peal.mint("publish");
  const tell = async (origin: string, path: string, changes: Partial<Webhook> = bearer(key)) =>
    kuma.test({ ...json, webhookURL: `${origin}${path}`, ...changes });

  const get = await tell(peal.url, "/home/kuma?rewrite=uptimekuma", { httpMethod: "get" });
  check("GET publishes nothing, and Test says what to choose", [get.ok, /\b405\b.*POST/.test(get.msg)], [false, true]);
  const wrong = await tell(peal.url, "/home/kuma?rewrite=uptimekuma", bearer(PLACEHOLDER));
  check("a wrong key publishes nothing, and Test says so", [wrong.ok, /invalid_key/.test(wrong.msg)], [false, true]);

  let asked: string[] = [];
  using elsewhere = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url);
      const body = (await request.text()) === "" ? "nothing" : "all";
      asked.push(`${request.method} ${pathname}: ${body}, ${request.headers.get("authorization") ?? "no key"}`);
      return new Response(null, { status: Number(pathname.slice(1)) || 200, headers: { location: "/" } });
    },
  });
  const answered = async (status: number, origin: string, changes?: Partial<Webhook>) => {
    asked = [];
    return { isWell: (await tell(origin, `/${status}`, changes)).ok, asked };
  };
  const origin = `http://127.0.0.1:${elsewhere.port}`;
  const header = bearer("x");
  for (const status of [301, 302, 303])
    check(`${status} loses the message, and Test says that all is well`, await answered(status, origin, header), {
      isWell: true,
      asked: [`POST /${status}: all, Bearer x`, "GET /: nothing, Bearer x"],
    });
  for (const status of [307, 308]) {
    check(`${status} is followed with the message and the header`, await answered(status, origin, header), {
      isWell: true,
      asked: [`POST /${status}: all, Bearer x`, "POST /: all, Bearer x"],
    });
    check(`${status} is followed without the key of the address`, await answered(status, withUser(origin, "x"), {}), {
      isWell: true,
      asked: [`POST /${status}: all, Basic ${btoa("peal:x")}`, "POST /: all, no key"],
    });
  }
  for (const status of [400, 429, 503])
    check(`${status} is not repeated`, await answered(status, origin, header), {
      isWell: false,
      asked: [`POST /${status}: all, Bearer x`],
    });
}

const [checkout = "", flag] = process.argv.slice(2);
{
  await using peal = await startPeal();
  await using kuma = await startUptimeKuma(checkout);
  await tellStory(kuma, peal, flag === "--record");
  await refuse(kuma, peal);
}
say(failures === 0 ? "All as promised." : `${failures} not as promised.`);
process.exit(failures === 0 ? 0 : 1);
