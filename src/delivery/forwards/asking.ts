/** Asks a service by the file of its kind, as often as its verdicts want to be asked again at once (DELIVERY.md §11). */
import type { Deps } from "../../deps.ts";
import { VIA_HEADER } from "../../drafts/draft.ts";
import { HOUR } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { Answer } from "../lanes/lane.ts";
import type { Verdict } from "../push/push.ts";
import type { ProviderRequest } from "../transport/answer.ts";
import type { Transport } from "../transport/transport.ts";
import type { ForwardPush, ForwardVerdict, Kind } from "./kind.ts";

export type Settings = Readonly<Record<string, unknown>>;

/** What a service told by one request or conversation. */
type Told = Pick<Answer, "status"> & { verdict: ForwardVerdict };

/** `via`: the header by which a server hears where a message has been. */
export function createAsking({ clock, transport }: Pick<Deps, "clock"> & { transport: Transport }) {
  async function ask({ patienceMs: timeoutMs }: Kind, request: ProviderRequest, via: string) {
    const headers = { ...request.headers, [VIA_HEADER]: via };
    return transport.send({ ...request, headers }, { isForward: true, timeoutMs });
  }

  async function carry(kind: Kind, given: ForwardPush, entered: Settings, via: string): Promise<Answer> {
    let [push, to] = [given, entered];
    let warning: string | undefined;
    for (;;) {
      const { verdict, ...answer } = "talk" in kind ? await talked(kind, push, to) : await asked(kind, push, to, via);
      if (verdict.kind === "shrink") push = { ...push, shrunk: push.shrunk + 1 };
      else if (verdict.kind !== "moved")
        return {
          ...answer,
          verdict: bounded(verdict.kind === "accepted" ? defined<Verdict>({ warning, ...verdict }) : verdict),
        };
      else if (warning !== undefined) return { ...answer, verdict: { kind: "fail", reason: verdict.warning } };
      else {
        to = { ...to, ...verdict.to };
        ({ warning } = verdict);
      }
    }
  }
  async function asked(
    kind: Extract<Kind, { request: unknown }>,
    push: ForwardPush,
    to: Settings,
    via: string,
  ): Promise<Told> {
    const response = await ask(kind, kind.request(push, to, clock.now()), via);
    if ("kind" in response) return unanswered(response.reason);
    return { verdict: kind.verdict(response, push, to), status: response.status };
  }
  async function talked(kind: Extract<Kind, { talk: unknown }>, push: ForwardPush, to: Settings): Promise<Told> {
    const said = await transport.converse(
      kind.destination(to),
      async (wire) => kind.talk(push, to, { ...wire, now: clock.now() }),
      kind.patienceMs,
    );
    if (said.kind === "unreachable") return unanswered(said.reason);
    const { status, ...verdict } = said;
    return { verdict, ...(status !== undefined && { status }) };
  }
  return { ask, carry };
}

/** A service that asks for a longer wait is asked again after this one, as somebody may have mended the reason meanwhile. */
const LONGEST_WAIT_MS = HOUR;
/** What a service calls a message is kept with the delivery. In characters. */
const MAX_ID = 200;

function bounded(verdict: Verdict): Verdict {
  if (verdict.kind === "accepted" && verdict.id !== undefined) return { ...verdict, id: verdict.id.slice(0, MAX_ID) };
  if (verdict.kind === "retry" && verdict.afterMs !== undefined)
    return { ...verdict, afterMs: Math.min(verdict.afterMs, LONGEST_WAIT_MS) };
  return verdict;
}

/** Nobody answered. */
export const unanswered = (reason: string) => ({ verdict: { kind: "retry", scope: "lane", reason } as const });
