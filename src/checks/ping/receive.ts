/** A ping on its way to the store: it counts by its headers, and its answer leaves once it is on disk. */
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import { withoutControls } from "../../messages/text.ts";
import type { Applied } from "../../store/checks.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import type { Check, PingBody, PingSource } from "../check.ts";
import { rulesFor } from "../rules.ts";
import { bodyOf, endOf, readBody } from "./body.ts";
import { Coalescer } from "./coalesce.ts";
import type { Asked, Ping } from "./grammar.ts";
import { isPreview } from "./guard.ts";

export type PingDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "log">;

export type Received = "unknown" | { isCoalesced: boolean };

const MAX_USER_AGENT_CHARACTERS = 200;

/** Takes pings; of one server all go through the same. */
export type Receive = (request: Request, asked: Asked) => Promise<Received>;

export function createReceiver({ clock, store }: PingDeps): Receive {
  const coalescer = new Coalescer<Applied | undefined>(clock);

  return async (request, { which, ping, text }) => {
    const now = clock.now();
    const source = sourceOf(request); // of a client that may have gone when its body has come
    const isMeant = !isPreview(request);
    const hasBody = isMeant && (text !== undefined || request.body !== null);
    if (hasBody && (await store.checks.find(which)) === undefined) return "unknown"; // a stranger's is not waited for

    const counts = ({ standing }: Check) => isMeant && (request.method === "POST" || !standing.settings.postOnly);
    const write = async (event: Ping, at: Millis, body: PingBody | undefined) => {
      const rules = rulesFor((check) => [counts(check) ? event : { kind: "ignored" }], at, event.rid);
      return store.checks.apply(which, rules, { ...source, ...(body !== undefined && { body }) });
    };
    const take = async (body: PingBody | undefined) => {
      const key = "token" in which ? which.token : `${which.pingKey}/${which.slug}`;
      if (isMeant && isPlainSuccess(ping))
        return known(await coalescer.success(key, async () => write(ping, now, body)));
      coalescer.flush(key);
      const tail = ping.kind === "fail" && body !== undefined ? { tail: endOf(body) } : {};
      return known({ result: await write({ ...ping, ...tail }, now, body), isCoalesced: false });
    };
    if (!hasBody) return take(undefined);

    const reading = text === undefined ? readBody(request, clock) : Promise.resolve(bodyOf(text));
    if (ping.kind === "fail") return take(await reading); // its alert says why
    const body = await soon(reading, clock);
    if (body !== "late") return take(body);
    const received = await take(undefined);
    const late = await reading;
    if (late !== undefined) await write({ ...ridOf(ping), kind: "log" }, clock.now(), late);
    return received;
  };
}

/**
 * A ping counts when its headers have arrived: nobody may become late while it waits for what is said besides. What comes
 * later than this is recorded behind it.
 */
const PATIENCE_MS = 500;

async function soon<T>(value: Promise<T>, clock: Clock): Promise<T | "late"> {
  const { promise, resolve } = Promise.withResolvers<"late">();
  const cancel = clock.after(PATIENCE_MS, () => {
    resolve("late");
  });
  return Promise.race([value, promise]).finally(cancel);
}

const ridOf = ({ rid }: Ping): Pick<Ping, "rid"> => (rid === undefined ? {} : { rid });

/** A success that says nothing of its run: one stands for another. What ends a run must not be lost. */
const isPlainSuccess = ({ kind, rid, exit }: Asked["ping"]): boolean =>
  kind === "ok" && rid === undefined && exit === undefined;

const known = ({ result, isCoalesced }: { result: Applied | undefined; isCoalesced: boolean }): Received =>
  result === undefined ? "unknown" : { isCoalesced };

function sourceOf(request: Request): PingSource {
  const source: PingSource = { method: request.method, address: contextOf(request).address };
  const userAgent = withoutControls(request.headers.get("user-agent") ?? "").slice(0, MAX_USER_AGENT_CHARACTERS);
  if (userAgent !== "") source.userAgent = userAgent;
  return source;
}
