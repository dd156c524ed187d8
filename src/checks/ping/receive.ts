/** A ping on its way to the store: it counts by its headers, and its answer leaves once it is on disk. */
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import { withoutControls } from "../../messages/text.ts";
import type { Applied } from "../../store/checks.ts";
import type { Check, CheckEvent, PingSource } from "../check.ts";
import { rulesFor } from "../rules.ts";
import { bodyOf, endOf, readBody } from "./body.ts";
import { Coalescer } from "./coalesce.ts";
import type { Asked } from "./grammar.ts";
import { isPreview } from "./guard.ts";

export type PingDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "log">;

export type Received = "unknown" | { isCoalesced: boolean };

const MAX_USER_AGENT_CHARACTERS = 200;

/** Takes pings; of one server all go through the same. */
export type Receive = (request: Request, asked: Asked) => Promise<Received>;

export function createReceiver({ clock, store }: PingDeps): Receive {
  const coalescer = new Coalescer<Applied | undefined>(clock);

  return async (request, { which, ping, text }) => {
    const now = clock.now(); // whatever its body takes
    const isMeant = !isPreview(request);
    const source = sourceOf(request);
    if (isMeant && (text !== undefined || request.body !== null)) {
      if ((await store.checks.find(which)) === undefined) return "unknown"; // a stranger's body is not waited for
      const body = text === undefined ? await readBody(request, clock) : bodyOf(text);
      if (body !== undefined) source.body = body;
    }
    const event: CheckEvent = { ...ping };
    if (event.kind === "fail" && source.body !== undefined) event.tail = endOf(source.body);
    const counts = ({ standing }: Check) => isMeant && (request.method === "POST" || !standing.settings.postOnly);
    const rules = rulesFor((check) => [counts(check) ? event : { kind: "ignored" }], now);
    const write = async () => store.checks.apply(which, rules, source);

    const key = "token" in which ? which.token : `${which.pingKey}/${which.slug}`;
    if (isMeant && isPlainSuccess(ping)) return known(await coalescer.success(key, write));
    coalescer.flush(key);
    return known({ result: await write(), isCoalesced: false });
  };
}

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
