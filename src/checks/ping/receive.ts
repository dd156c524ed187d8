/** A ping on its way to the store: it counts by its headers, and its answer leaves once it is on disk. */
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
import { isPreview } from "./guard.ts";

export type PingDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log">;

export type Received = "unknown" | { isCoalesced: boolean };

const MAX_USER_AGENT_CHARACTERS = 200;

/** Takes pings; of one server all go through the same. What it returns takes this one, again when it was unknown. */
export type Receive = (request: Request, asked: Asked) => () => Promise<Received>;

export function createReceiver({ clock, store }: PingDeps): Receive {
  const coalescer = new Coalescer<Applied | undefined>(clock);

  return (request, { which, ping, text }) => {
    const now = clock.now();
    const source = sourceOf(request); // of a client that may have gone when its body has come
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
      if (check === undefined) return "unknown"; // a stranger's is not waited for
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

/** What came with the headers is read by then (measured: one turn up to 100 kB), and its ping pays no look-up. */
const inTurns = async () =>
  new Promise<"late">((resolve) => {
    setImmediate(() => setImmediate(resolve, "late"));
  });

/** What comes later than this is recorded behind its ping. A fail waits as long as a body is read: its alert says why. */
const PATIENCE_MS = 500;
/** So long before the check is due a ping is written, with or without what is said besides. */
const LEAD_MS = 100;

/** A ping counts when its headers have arrived: nobody may become late while it waits for its body. */
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
