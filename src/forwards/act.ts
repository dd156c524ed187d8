/** What is done to a forward, by the API and by pages alike (API.md §5). */
import type { Kind } from "../delivery/forwards/kind.ts";
import { kindNamed } from "../delivery/forwards/kinds.ts";
import { laneOfForward } from "../delivery/push/plan.ts";
import type { Deps } from "../deps.ts";
import { type Device, type Forwarding, FORWARDS_PER_NAMESPACE } from "../devices/device.ts";
import { devicePatch } from "../devices/spec.ts";
import { type FieldError, problem } from "../http/problem.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { isTopicKey, isTopicName, looksLikeKey } from "../names/topic.ts";
import type { Registered } from "../store/devices.ts";
import type { TopicNamed } from "../store/forwards.ts";
import type { Seal } from "../tokens/seal.ts";
import { defined } from "../util/defined.ts";
import { deviceId, deviceRef } from "../util/ids.ts";
import type { ForwardPatchBody, NewForwardBody } from "./schema.ts";
import { changedSettings, destinationIn, parted, type Settings } from "./settings.ts";

export type ForwardDeps = Pick<Deps, "config" | "store" | "deviceCaps"> & {
  /** Of tokens/secret.ts: `sealOf`. */
  seal: () => Promise<Seal>;
};

/** `base`: the server's address as this request reached it. @throws Problem 404 `unknown_topic`, 409, 422 */
export async function makeForward(
  deps: ForwardDeps,
  namespaceId: NamespaceId,
  { kind: named, settings, topics = [], ...body }: NewForwardBody,
  base: string,
): Promise<Registered> {
  const kind = kindNamed(named);
  if (kind === undefined) throw problem.validationFailed([{ path: "/kind", message: "is not a kind of forward" }]);
  const { name, quietHours, minPriority } = devicePatch("forward", body, []);
  const id = deviceId();
  const to = changedSettings(kind, settings, {});
  const forward = forwardingOf(await deps.seal(), { config: deps.config, kind, id, namespaceId, to, base });
  const made = await deps.store.forwards.create({
    ...{ id, base, forward, topics: topicsIn(topics) },
    ...defined<Pick<Device, "name" | "quietHours" | "minPriority">>({
      ...{ name: name ?? undefined, quietHours: quietHours ?? undefined, minPriority: minPriority ?? undefined },
    }),
  });
  switch (made.kind) {
    case "made":
      return made;
    case "unknown_topics":
      throw problem.unknownTopics(made.unknown.map((n) => ({ path: `/topics/${n}`, message: "is not a topic" })));
    case "gone":
      throw problem.notFound("The namespace has been deleted in the meantime.");
    case "too_many_forwards":
      throw problem.tooManyForwards(FORWARDS_PER_NAMESPACE);
    case "topic_full":
    case "namespace_full":
    case "too_many_subscriptions":
      throw deps.deviceCaps.refusal(made.kind);
  }
}

/** @throws Problem 404 `unknown_forward`, 422 */
export async function changeForward(
  deps: ForwardDeps,
  { id, forward: { namespaceId } }: Forward,
  { settings = {}, ...body }: ForwardPatchBody,
  base: string,
): Promise<Registered> {
  const { name, quietHours, minPriority } = devicePatch("forward", body, []);
  const seal = await deps.seal();
  const changed = await deps.store.forwards.change(namespaceId, deviceRef(id), (before) => {
    const kind = kindNamed(before.forward.kind);
    const isSame = kind === undefined || Object.keys(settings).length === 0;
    const forward = isSame
      ? before.forward
      : forwardingOf(seal, {
          ...{ config: deps.config, kind, id, namespaceId, base },
          to: changedSettings(kind, settings, openedBy(seal, before)),
        });
    return {
      ...{ forward, lane: laneOfForward(forward) },
      ...defined<Pick<Device, "name" | "quietHours" | "minPriority">>({
        name: kept(name, before.name),
        quietHours: kept(quietHours, before.quietHours),
        minPriority: kept(minPriority, before.minPriority),
      }),
    };
  });
  if (changed === undefined) throw problem.unknownForward();
  return changed;
}

/** A device that is known to be a forward. */
export type Forward = Device & { forward: Forwarding };

export const isForward = (device: Device): device is Forward => device.forward !== undefined;

const kept = <T>(given: T | null | undefined, before: T | undefined): T | undefined =>
  given === undefined ? before : (given ?? undefined);

/** All settings; the secret ones are missing if they cannot be opened any more. */
function openedBy(seal: Seal, { id, forward: { settings, sealed } }: Forward): Settings {
  const opened = sealed === undefined ? undefined : seal.open(sealed, id);
  return opened === undefined ? settings : { ...settings, ...(JSON.parse(opened) as Settings) };
}

interface Wanted {
  config: ForwardDeps["config"];
  kind: Kind;
  id: string;
  namespaceId: NamespaceId;
  to: Settings;
  base: string;
}

/** @throws Problem 422 if it may not send there */
function forwardingOf(seal: Seal, { config, kind, id, namespaceId, to, base }: Wanted): Forwarding {
  const own = [base, ...(config.baseUrl === undefined ? [] : [config.baseUrl])];
  const { url, host, port } = destinationIn(kind, to, config.push.forwardHosts, own);
  const { shown, secret } = parted(kind, to);
  const secrets = Object.keys(secret);
  const account = kind.account?.(to) ?? JSON.stringify(secret);
  return {
    ...{ namespaceId, kind: kind.name, settings: shown, secrets },
    host: URL.parse(url)?.port === "" ? host : `${host}:${port}`,
    account: seal.tag(`${kind.name} ${account}`),
    ...(secrets.length > 0 && { sealed: seal.seal(JSON.stringify(secret), id) }),
  };
}

function topicsIn(named: readonly string[]): TopicNamed[] {
  const topics = named.map(topicNamed);
  const errors = topics.flatMap((topic, n): FieldError[] =>
    topic === undefined ? [{ path: `/topics/${n}`, message: "must be the name or the key of a topic" }] : [],
  );
  if (errors.length > 0) throw problem.validationFailed(errors);
  return topics.filter((topic) => topic !== undefined);
}

export function topicNamed(text: string): TopicNamed | undefined {
  if (isTopicKey(text)) return { key: text };
  return isTopicName(text) && !looksLikeKey(text) ? { name: text } : undefined;
}
