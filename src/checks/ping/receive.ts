/** Takes a ping to the store: it counts once its headers are here, and is answered once it is on disk. */
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import { withoutControls } from "../../util/text/text.ts";
import type { Applied } from "../../store/checks.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import type { Check, PingBody, PingSource } from "../check.ts";
import { rulesFor } from "../rules.ts";
import { bodyOf, endOf, keepOpen, readBody } from "./body.ts";
import { Coalescer } from "./coalesce.ts";
import type { Asked, Ping } from "./grammar.ts";
import { isPreview } from "./link-preview.ts";

export type PingDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log">;

export type Received = "unknown" | { isCoalesced: boolean };

const MAX_USER_AGENT_CHARACTERS = 200;

/** Takes pings, one receiver a server. The returned function takes the ping, again if its check was unknown. */
export type Receive = (request: Request, asked: Asked) => () => Promise<Received>;

export function createReceiver({ clock, store }: PingDeps): Receive {
  const coalescer = new Coalescer<Applied | undefined>(clock);

  return (request, { which, ping, text }) => {
    const now = clock.now();
    const source = sourceOf(request); // read now: the client may have gone when its body is here
    const isMeant = !isPreview(request);
    const said = !isMeant ? undefined : text === undefined ? readBody(request, clock) : bodyOf(text);

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

    return async () => {
      if (!(said instanceof Promise)) return take(said);
      const body = await Promise.race([said, inTurns()]);
      if (body !== "late") return take(body);

      const check = await store.checks.find(which);
      if (check === undefined) return "unknown"; // a stranger's body is not waited for
      keepOpen(request);
      const rest = await within(patience(ping, check, clock.now()), said, clock);
      if (rest !== "late") return take(rest);

      const received = await take(undefined);
      const late = await said;
      if (late !== undefined) await write({ ...ridOf(ping), kind: "log" }, clock.now(), late);
      return received;
    };
  };
}

/** By then a body that came with its headers is read (measured: in the turn after the first up to 100 kB), so its ping costs no look-up. */
const inTurns = async () =>
  new Promise<"late">((resolve) => {
    setImmediate(() => setImmediate(() => setImmediate(resolve, "late")));
  });

/** A body that comes later is recorded after its ping. A failure waits as long as bodies are read: its alert quotes them. */
const PATIENCE_MS = 500;
/** A ping is written this long before the check is due, with or without its body. */
const LEAD_MS = 100;

/** How long a ping may wait for its body. It counts once its headers are here, so no check may become late meanwhile. */
const patience = ({ kind }: Ping, { dueAt = Infinity }: Check, now: Millis): number =>
  Math.min(kind === "fail" ? Infinity : PATIENCE_MS, dueAt - LEAD_MS - now);

async function within<T>(ms: number, value: Promise<T>, clock: Clock): Promise<T | "late"> {
  if (ms <= 0) return "late";
  const { promise, resolve } = Promise.withResolvers<"late">();
  const cancel = clock.after(ms, () => {
    resolve("late");
  });
  return Promise.race([value, promise]).finally(cancel);
}

const ridOf = ({ rid }: Ping): Pick<Ping, "rid"> => (rid === undefined ? {} : { rid });

/** A success that says nothing of its run, so that one can stand for another. Pings that end a run must not be lost. */
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
