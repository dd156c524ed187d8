/** @jsxImportSource #jsx */
/** What the forms about topics do, by the same functions as the API. */
import type { Deps } from "../../../deps.ts";
import { changeSubscription } from "../../../devices/act.ts";
import { deviceRef } from "../../../util/ids.ts";
import { check } from "../../../http/body.ts";
import { problem } from "../../../http/problem.ts";
import { toDraft } from "../../../messages/reading/draft.ts";
import { requireTaken } from "../../../messages/publish.ts";
import type { Extent, Glance } from "../../../store/glances.ts";
import type { Publication } from "../../../store/messages.ts";
import { changeTopic, createTopic, deleteTopic, replaceKey } from "../../../topics/change.ts";
import { NewTopicBody, TopicPatchBody } from "../../../topics/schema.ts";
import { newTopic, topicPatch } from "../../../topics/spec.ts";
import { DAY, rfc3339 } from "../../../util/clock.ts";
import { defined } from "../../../util/defined.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { timeInField } from "../../elements/zoned.ts";
import { TYPED } from "../ask.tsx";
import type { Again, Done } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { nameOf } from "../devices/device-words.tsx";
import type { Flash } from "../frame/flash.ts";
import { isStale, MARK } from "../stale.tsx";
import { AskDelete, AskMute, MUTES, NAMED_GONE } from "./asks.tsx";
import { faultsOf } from "./faults.ts";
import { type PublishDeps, publishTab } from "./publish/gather.tsx";
import { topicPath } from "./glance.ts";
import { givenOf, patchBody } from "./form/form-body.ts";
import { NewTopicPage, SettingsTab } from "./form/form.tsx";

type ActDeps = Pick<Deps, "config" | "store" | "clock">;
interface Acting {
  desk: Desk;
  glance: Glance;
  form: URLSearchParams;
}

export async function makeTopic(deps: ActDeps, desk: Desk, form: URLSearchParams): Promise<Done | Again> {
  const { texts } = desk.view;
  const again = (faults: ReadonlyMap<string, string>) => ({
    page: <NewTopicPage desk={desk} given={form} faults={faults} />,
  });
  const namespace = desk.namespaces.find(({ name }) => name === form.get("namespace"));
  if (namespace === undefined) return again(new Map([["namespace", texts.topics.settings.wrong.namespace]]));
  try {
    const body = { name: (form.get("name") ?? "").trim(), description: (form.get("description") ?? "").trim() };
    const topic = await createTopic(deps, namespace.id, newTopic(check(NewTopicBody, body)));
    const twin = await deps.store.topics.namedAlike(namespace.id, topic.name);
    const flash: Flash =
      twin === undefined
        ? { say: "topics.made", values: [topic.name] }
        : { say: "topics.madeBeside", values: [topic.name, twin], tone: "warning" };
    return { to: topicPath(topic, "/publish"), flash };
  } catch (error) {
    return again(faultsOf(texts, error, form));
  }
}

export async function publishHere(deps: ActDeps & PublishDeps, { desk, glance, form }: Acting): Promise<Done | Again> {
  const { topic } = glance;
  const fields = Object.fromEntries([...form].filter(([, value]) => value !== ""));
  try {
    const drafted = toDraft(fields, "dashboard", desk.now);
    if (drafted.kind === "refused") throw problem.validationFailed(drafted.errors);
    const { draft, deliverAt, delayMs } = drafted;
    const { namespaceId, key } = topic;
    const publication = defined<Publication>({ namespaceId, to: { key }, draft, deliverAt, delayMs });
    deps.store.requireSound();
    requireTaken(await deps.store.messages.publish(publication));
    return { to: topicPath(topic), flash: { say: "topics.published", values: [topic.name] } };
  } catch (error) {
    const faults = faultsOf(desk.view.texts, error, form);
    return { page: await publishTab(deps, { desk, glance }, null, { given: form, faults }) };
  }
}

/** The devices that stay: all, none, or those that are named by their refs. */
export async function replaceNow(deps: ActDeps, { glance: { topic }, form }: Acting): Promise<Done> {
  const keep = new Set(form.getAll("keep"));
  const replaced = await replaceKey(deps, topic.id, (id) => keep.has("all") || keep.has(deviceRef(id)));
  const values = [replaced.kept.length, replaced.dropped.length];
  return { to: topicPath(replaced.topic, "/share"), flash: { say: "topics.replaced", values } };
}

export async function setDevice(deps: ActDeps, { desk, glance, form }: Acting): Promise<Done> {
  const { topic } = glance;
  const to = topicPath(topic, "/devices");
  const found = await deps.store.devices.byRef(form.get("device") ?? "");
  // a ref alone tells nothing of a device that follows only what the visitor may not know of
  if (found?.subscriptions.some((one) => one.topic.key === topic.key) !== true) throw problem.unknownDevice();
  const values = [nameOf(desk.view.texts, found.device)];
  switch (form.get("do")) {
    case "mute":
      await changeSubscription(deps, found.device, topic, { muted_until: rfc3339(desk.now + DAY) });
      return { to, flash: { say: "topics.deviceMuted", values } };
    case "unmute":
      await changeSubscription(deps, found.device, topic, { muted_until: null });
      return { to, flash: { say: "topics.deviceUnmuted", values } };
    case "remove":
      await deps.store.devices.unsubscribe(found.device.id, topic);
      return { to, flash: { say: "topics.deviceRemoved", values } };
    default:
      throw problem.badRequest("The form does not say what to do.");
  }
}

export async function save(deps: ActDeps, { desk, glance, form }: Acting): Promise<Done | Again> {
  const again = (faults: ReadonlyMap<string, string>) => ({
    page: <SettingsTab desk={desk} glance={glance} given={form} faults={faults} retention={deps.config.retention} />,
  });
  const now = givenOf(glance.topic, desk.view.zone, undefined).get(MARK) ?? "";
  if (isStale(form, now)) {
    form.set(MARK, now); // sent once more, it is meant
    return { ...again(new Map([[MARK, ""]])), status: 409 };
  }
  const body = patchBody(form, desk.view);
  if ("faults" in body) return again(body.faults);
  try {
    await changeTopic(deps, glance.topic.id, topicPatch(check(TopicPatchBody, body)));
    return { to: topicPath(glance.topic, "/settings"), flash: { say: "topics.saved" } };
  } catch (error) {
    return again(faultsOf(desk.view.texts, error, form));
  }
}

export async function archive(deps: ActDeps, { glance: { topic }, form }: Acting): Promise<Done> {
  const archived = form.get("archived") === "true";
  await changeTopic(deps, topic.id, { archived });
  const say = archived ? "topics.archived" : "topics.unarchived";
  return { to: topicPath(topic, "/settings"), flash: { say, values: [topic.name] } };
}

export async function mute(deps: ActDeps, { desk, glance, form }: Acting): Promise<Done | Again> {
  const { topic } = glance;
  const typed = form.get("until") ?? "";
  // without a script nothing marks the last choice when somebody types a time
  const until = typed === "" ? desk.now + (MUTES.get(form.get("for") ?? "") ?? 0) : timeInField(desk.view.zone, typed);
  if (until === undefined || until <= desk.now) {
    const faults = new Map([["until", desk.view.texts.topics.mute.wrong]]);
    return { page: <AskMute desk={desk} glance={glance} given={form} faults={faults} /> };
  }
  await changeTopic(deps, topic.id, { mutedUntil: until });
  return { to: topicPath(topic), flash: { say: "topics.muted", values: [topic.name] } };
}

export async function unmute(deps: ActDeps, { glance: { topic } }: Acting): Promise<Done> {
  await changeTopic(deps, topic.id, { mutedUntil: null });
  return { to: topicPath(topic), flash: { say: "topics.unmuted", values: [topic.name] } };
}

export async function askDelete(
  { store }: Pick<Deps, "store">,
  { desk, glance }: Omit<Acting, "form">,
  extent: Extent,
  typed?: string,
): Promise<Safe> {
  const devices = await store.devices.ofTopic(glance.topic.id, { limit: NAMED_GONE });
  return <AskDelete desk={desk} glance={glance} extent={extent} devices={devices} typed={typed} />;
}

/** If a check was added in between, the page that asks says so. */
export async function deleteNow(deps: ActDeps, { desk, glance, form }: Acting): Promise<Done | Again> {
  const { topic } = glance;
  const typed = form.get(TYPED) ?? "";
  if (typed !== topic.name)
    return { page: await askDelete(deps, { desk, glance }, await deps.store.glances.extent(topic.id), typed) };
  const { checks } = await deps.store.glances.extent(topic.id);
  if (checks.length > 0) return { to: topicPath(topic, "/delete") };
  await deleteTopic(deps, topic.id);
  return {
    to: "/-/topics",
    flash: { say: "topics.deleted", values: [topic.name] },
  };
}
