/** Sends a push to the service of a forward: opens its secrets, lets its kind speak, and masks what is answered (DELIVERY.md §11). */
import type { Deps } from "../../deps.ts";
import type { Device, Forwarding } from "../../devices/device.ts";
import { pushedImage } from "../../messages/image.ts";
import { draftOf, type Message, messageJson } from "../../messages/message.ts";
import type { Seal } from "../../tokens/seal.ts";
import type { TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { withoutSecrets } from "../credentials/masked.ts";
import type { Pending } from "../delivery.ts";
import type { Answer } from "../lanes/lane.ts";
import type { Choice } from "../push/choose.ts";
import { repeatedUntil } from "../push/plan.ts";
import type { Push, Verdict } from "../push/push.ts";
import type { Transport } from "../transport/transport.ts";
import { createAsking, type Settings, unanswered } from "./asking.ts";
import type { ForwardPush, Kind } from "./kind.ts";
import { kindNamed } from "./kinds.ts";
import { receiptOf } from "./receipts.ts";

export interface Forwarder {
  /** `make`: the push, which is not needed to follow a receipt. Never rejects. */
  send(choice: Choice, make: () => Made): Promise<Answer>;
}

/** `base`: the server's address without a trailing slash; empty if nobody knows it. */
interface Made {
  push: Push;
  base: string;
}

type ForwarderDeps = Pick<Deps, "config" | "clock" | "log"> & {
  transport: Transport;
  seal: () => Promise<Seal>;
  /** Names this server to others that hand messages on, so that none goes round in circles. */
  serverId: string;
  ntfyIdOf: NtfyIdOf;
};

/** The id of a message as ntfy's clients know it. */
export type NtfyIdOf = (topicId: TopicId, message: Pick<Message, "id" | "seq">) => string;

export function createForwarder(deps: ForwarderDeps): Forwarder {
  const { config, clock, log, transport, seal, serverId, ntfyIdOf } = deps;
  const { ask, carry } = createAsking({ clock, transport });
  /** Undefined: the secrets cannot be opened. */
  async function settingsOf({ id }: Device, { settings, sealed }: Forwarding): Promise<Settings | undefined> {
    if (sealed === undefined) return settings;
    const opened = (await seal()).open(sealed, id);
    return opened === undefined ? undefined : { ...settings, ...(JSON.parse(opened) as Settings) };
  }

  /** Looks whether somebody acknowledged at the service, or tells it that somebody did here. */
  async function follow(kind: Kind, one: Pending, to: Settings, id: string): Promise<Answer> {
    const { receipt } = kind;
    if (receipt === undefined) return { verdict: { kind: "accepted", id }, isLast: true };
    const isOver = one.message === undefined;
    const response = await ask(kind, isOver ? receipt.cancel(id, to) : receipt.look(id, to), serverId);
    if ("kind" in response) return unanswered(response.reason);
    const { status } = response;
    const again: Verdict = { kind: "retry", scope: "device", reason: `status ${status}` };
    if (isOver)
      return status >= 500 || status === 429
        ? { verdict: again, status }
        : { verdict: { kind: "accepted", id }, status, isLast: true };
    const state = receipt.read(response);
    if (state === undefined) return { verdict: again, status };
    return {
      ...{ verdict: { kind: "accepted", id }, status },
      ...(state === "acknowledged" && { isAcknowledged: true }),
      ...(state !== "open" && { isLast: true }),
    };
  }

  /** A newer push took the place of others: the service is not to ring for them any more. What fails ends by itself in time. */
  async function silence(kind: Kind, superseded: readonly Pending[], to: Settings): Promise<void> {
    for (const id of superseded.map(receiptOf))
      if (id !== undefined && kind.receipt !== undefined) await ask(kind, kind.receipt.cancel(id, to), serverId);
  }

  async function sent(kind: Kind, { chosen, superseded }: Choice, to: Settings, make: () => Made): Promise<Answer> {
    const receipt = receiptOf(chosen[0]);
    if (receipt !== undefined) return follow(kind, chosen[0], to, receipt);
    const been = chosen.map(({ message }) => (message === undefined ? [] : (draftOf(message).via ?? [])));
    if (been.every((via) => via.includes(serverId))) return { verdict: { kind: "fail", reason: CIRCLE } };
    const via = [...new Set([...been.flat(), serverId])].slice(-MOST_VIA).join(",");
    const { push, base } = make();
    const made = forwarded(push, chosen, { base, imageHosts: config.imageHosts, ntfyIdOf, now: clock.now() });
    const answer = await carry(kind, made, to, via);
    if (answer.verdict.kind !== "accepted") return answer;
    await silence(kind, superseded, to);
    const isRepeated = kind.repeats === "again" || kind.receipt?.isAsked(made) === true;
    return isRepeated ? answer : { ...answer, isLast: true };
  }

  return {
    send: async (choice, make) => {
      const [{ device, row, lane }] = choice.chosen;
      const { forward } = device;
      const kind = forward && kindNamed(forward.kind);
      if (forward === undefined || kind === undefined)
        return paused("unknown_kind", "This kind of forward is not known.");
      let to: Settings | undefined;
      try {
        to = await settingsOf(device, forward);
        if (to === undefined) return paused("secrets_lost", SECRETS_LOST);
        const answer = await sent(kind, choice, to, make);
        return { ...answer, verdict: masked(answer.verdict, secretsOf(kind, to)) };
      } catch (error) {
        const words = withoutSecrets(error instanceof Error ? error.message : String(error), secretsOf(kind, to ?? {}));
        log.error("a message cannot be forwarded", { lane, delivery: row, error: words });
        return { verdict: { kind: "fail", reason: "internal_error" } };
      }
    },
  };
}

/** A message that has been at this many servers has forgotten the first. */
const MOST_VIA = 8;
const CIRCLE = "it came from there: forwards lead round in a circle";
const SECRETS_LOST =
  "The secrets of a forward cannot be opened, because the file `secret` beside the database is another one: enter them again.";

const paused = (reason: string, tell: string): Answer => ({ verdict: { kind: "pause", reason, tell } });

/** What a kind is given: without the device, and with the whole message if it is one. */
function forwarded(
  { device: _device, notification: { image, isOwnImage, ...shown }, ...push }: Push,
  [one, ...others]: Choice["chosen"],
  { base, imageHosts, ntfyIdOf, now }: { base: string; imageHosts: readonly string[]; ntfyIdOf: NtfyIdOf; now: Millis },
): ForwardPush {
  const { message, topic } = one;
  // whoever loads it tells its host who they are
  const kept = pushedImage({ ...(image !== undefined && { image }), ...(isOwnImage && { isOwnImage }) }, imageHosts);
  const notification = { ...shown, ...(kept !== undefined && { image: kept }) };
  if (message === undefined || topic === undefined || others.length > 0)
    return { ...push, notification, base, ringMs: 0 };
  const json = messageJson(topic, message, base);
  const { namespace, key, name } = topic;
  const ntfyId = ntfyIdOf(topic.id, message);
  const whole = { id: message.id, ntfyId, topic: { namespace, key, name }, draft: draftOf(message), json };
  const rings = shown.ack && shown.priority === "urgent";
  const ringMs = rings ? Math.max(0, Math.min(one.expiresAt, repeatedUntil(one)) - now) : 0;
  return { ...push, notification, base, ringMs, message: whole };
}

/** All texts that nobody may see, the parts of addresses behind their hosts, and logins as they are sent (RFC 7617, RFC 4616). */
function secretsOf({ secrets }: Kind, to: Settings): string[] {
  const { user, password } = to;
  const logins =
    typeof user === "string" && typeof password === "string"
      ? [`${user}:${password}`, `\0${user}\0${password}`, password].map((login) =>
          Buffer.from(login).toString("base64"),
        )
      : [];
  const texts = secrets
    .map((name) => to[name])
    .flatMap((value) => (typeof value === "string" ? [value.replace(/^https?:\/\/[^/]*\/?/i, "")] : []));
  return [...texts, ...logins];
}

function masked(verdict: Verdict, secrets: readonly string[]): Verdict {
  switch (verdict.kind) {
    case "accepted":
      return verdict.warning === undefined
        ? verdict
        : { ...verdict, warning: withoutSecrets(verdict.warning, secrets) };
    case "prune":
      return { ...verdict, proof: withoutSecrets(verdict.proof, secrets) };
    case "pause":
      return {
        ...{ ...verdict, reason: withoutSecrets(verdict.reason, secrets) },
        tell: withoutSecrets(verdict.tell, secrets),
      };
    default:
      return { ...verdict, reason: withoutSecrets(verdict.reason, secrets) };
  }
}
