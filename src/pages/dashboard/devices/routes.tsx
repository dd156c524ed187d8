/** @jsxImportSource #jsx */
/** The pages of devices (WEB.md §3). What they do is done by the functions that the API has as well. */
import type { Deps } from "../../../deps.ts";
import { changeDevice, changeSubscription, subscribeDevice, testDevice } from "../../../devices/act.ts";
import { PLATFORMS } from "../../../devices/device.ts";
import { DevicePatchBody, SubscriptionPatchBody } from "../../../devices/schema.ts";
import { check } from "../../../http/body.ts";
import { Problem } from "../../../http/problem.ts";
import { queryOf, readQuery, word } from "../../../http/query.ts";
import type { Topic } from "../../../topics/topic.ts";
import { HOUR, rfc3339 } from "../../../util/clock.ts";
import type { Texts } from "../../texts/texts.ts";
import { Ask } from "../ask.tsx";
import { among } from "../deliveries/wanted.ts";
import { type Again, type DeskDeps, DeskRoutes, type Done } from "../desk.ts";
import type { Desk } from "../signed-in.ts";
import { DevicesPage } from "./list.tsx";
import { DevicePage } from "./page.tsx";
import type { Faulty } from "./shown.ts";
import { isServers, PATH, pathOf, seenDevice, seenTopic, type SeenDevice } from "./seen-device.ts";
import { MUTES } from "./topics.tsx";
import { nameOf } from "./device-words.tsx";
import { topicsToChoose } from "./topics-to-choose.ts";

type DevicePagesDeps = DeskDeps & Pick<Deps, "deviceCaps" | "delivery">;

const ROWS = 50;
const PUSHES = 10;

export const devicePageRoutes = (deps: DevicePagesDeps) => [...collection(deps), ...one(deps), ...topicsOf(deps)];

const collection = (deps: DevicePagesDeps) =>
  new DeskRoutes(deps, PATH).page("", "signed in", async ({ desk, request }) => {
    const query = queryOf(request);
    const { platform } = readQuery(query, { platform: word(PLATFORMS) });
    const isLost = query.get("lost") === "1";
    const after = query.get("after");
    const namespaces = among(desk);
    const page = async (lost: boolean) =>
      deps.store.devices.list(
        { isLost: lost, ...(namespaces && { namespaces }), ...(platform && { platform }) },
        { limit: ROWS, ...(after !== null && isLost === lost && { after }) },
      );
    const none = { devices: [] };
    // lost devices are shown on the first page only
    const [active, lost] = await Promise.all([
      isLost ? none : page(false),
      after !== null && !isLost ? none : page(true),
    ]);
    return <DevicesPage {...{ desk, platform, isLost, isLater: after !== null, active, lost }} />;
  }).routes;

/** One device, for people who may know of it. */
const deviceRoutes = (deps: DevicePagesDeps) =>
  new DeskRoutes(deps, `${PATH}/:ref`, async ({ desk, params: { ref } }) => {
    const seen = await seenDevice(deps, desk, ref);
    return seen && { seen };
  });

const one = (deps: DevicePagesDeps) =>
  deviceRoutes(deps)
    .page("", "signed in", async (visit) => pageOf(deps, visit))
    .form(
      "",
      "signed in",
      orAgain(deps, async ({ seen, form }) => {
        if (!isWhole(seen)) return undefined;
        const text = (name: string) => form.get(name)?.trim() ?? "";
        const [from, to] = [text("from"), text("to")];
        const isQuiet = from !== "" || to !== "";
        const body = {
          name: text("name") || null,
          min_priority: text("min") || null,
          quiet_hours: isQuiet ? { from, to, timezone: text("zone") } : null,
        };
        await changeDevice(deps, seen.device, check(DevicePatchBody, body));
        return { to: pathOf(seen), flash: { say: "devices.saved" } };
      }),
    )
    .form("/test", "signed in", async ({ desk, seen }) => {
      const { device } = seen;
      const to = pathOf(seen);
      if (device.lost !== undefined)
        return { to, flash: { say: "devices.lost", values: [nameOf(desk.view.texts, device)], tone: "error" } };
      await testDevice(deps, device);
      return { to };
    })
    .page("/delete", "signed in", ({ desk, seen }) =>
      isWhole(seen) ? <RemoveAsk desk={desk} seen={seen} /> : undefined,
    )
    .form("/delete", "signed in", async ({ desk, seen }) => {
      if (!isWhole(seen)) return undefined;
      await deps.store.devices.remove(seen.device.id);
      return { to: PATH, flash: { say: "devices.removed", values: [nameOf(desk.view.texts, seen.device)] } };
    }).routes;

/** The topics that a device follows. */
const topicsOf = (deps: DevicePagesDeps) =>
  deviceRoutes(deps)
    // a form that was refused leaves the browser here, and its script asks again
    .page("/topics", "signed in", async (visit) => pageOf(deps, visit))
    .form(
      "/topics",
      "signed in",
      orAgain(deps, async ({ desk, seen, form }) => {
        const topic = await seenTopic(deps, desk, form.get("topic") ?? "");
        if (topic === undefined || !mayFollow(seen, topic))
          return wrongAt("topic", desk.view.texts.devices.wrong.topic);
        await subscribeDevice(deps, seen.device, topic);
        const values = [topic.name, nameOf(desk.view.texts, seen.device)];
        return { to: pathOf(seen), flash: { say: "devices.added", values } };
      }),
    )
    .form(
      "/topics/:key",
      "signed in",
      orAgain(deps, async ({ desk, seen, form, params }) => {
        const topic = await seenTopic(deps, desk, params.key);
        if (topic === undefined) return undefined;
        const mute = MUTES.find((one) => one === form.get("mute")); // if it is none of them, nothing changes
        const until = mute === "off" ? null : rfc3339(desk.now + Number(mute ?? 0) * HOUR);
        const body = { min_priority: form.get("min") || null, ...(mute !== undefined && { muted_until: until }) };
        await changeSubscription(deps, seen.device, topic, check(SubscriptionPatchBody, body));
        return { to: pathOf(seen), flash: { say: "devices.saved" } };
      }),
    )
    .form("/topics/:key/remove", "signed in", async ({ desk, seen, params }) => {
      const topic = await seenTopic(deps, desk, params.key);
      if (topic === undefined) return undefined;
      await deps.store.devices.unsubscribe(seen.device.id, topic);
      const values = [topic.name, nameOf(desk.view.texts, seen.device)];
      const isKept = (await seenDevice(deps, desk, params.ref)) !== undefined;
      return { to: isKept ? pathOf(seen) : PATH, flash: { say: "devices.dropped", values } };
    }).routes;

/** The faults of a form, by field. */
interface Wrong {
  faults: ReadonlyMap<string, string>;
}
const wrongAt = (field: string, text: string): Wrong => ({ faults: new Map([[field, text]]) });

/** Whether the visitor may change the device as a whole: only if they see all of its topics, and never the server's own. */
const isWhole = ({ device, others }: SeenDevice): boolean => others === 0 && !isServers(device);

interface OfDevice {
  desk: Desk;
  seen: SeenDevice;
}

/** A form of a device: with what is wrong at its field, the page is shown again. */
const orAgain =
  <Sent extends OfDevice & { form: URLSearchParams }>(
    deps: DevicePagesDeps,
    act: (sent: Sent) => Promise<Done | Wrong | undefined>,
  ) =>
  async (sent: Sent): Promise<Done | Again | undefined> => {
    const outcome = await act(sent).catch((error: unknown) => refused(sent.desk.view.texts, error));
    if (outcome === undefined || "to" in outcome) return outcome;
    return { page: await pageOf(deps, sent, { given: sent.form, faults: outcome.faults }) };
  };

/** The field of a form that each field of the API is. */
const FIELDS: [path: RegExp, field: string, words: (texts: Texts["devices"]["wrong"]) => string][] = [
  [/^\/name/, "name", ({ name }) => name],
  [/^\/quiet_hours\/timezone/, "zone", ({ zone }) => zone],
  [/^\/quiet_hours\/from/, "from", ({ quiet }) => quiet],
  [/^\/quiet_hours/, "to", ({ quiet }) => quiet],
];

/** @throws what no field is to blame for */
function refused({ devices: { wrong } }: Texts, error: unknown): Wrong {
  if (!(error instanceof Problem)) throw error;
  if (error.code.startsWith("too_many_")) return wrongAt("topic", wrong.full);
  const faults = (error.errors ?? []).flatMap(({ path }) => {
    const known = FIELDS.find(([of]) => of.test(path));
    return known === undefined ? [] : [[known[1], known[2](wrong)] as const];
  });
  if (faults.length === 0) throw error;
  return { faults: new Map(faults) };
}

async function pageOf(deps: DevicePagesDeps, { desk, seen }: OfDevice, faulty?: Faulty) {
  const { store, delivery } = deps;
  const namespaces = among({ visitor: desk.visitor });
  const filter = { device: seen.device.row, ...(namespaces && { namespaces }) };
  const [topics, lastTest, { listed }] = await Promise.all([
    topicsToAdd(deps, desk, seen),
    store.deliveries.lastTest(seen.device.row),
    store.deliveries.list(filter, { limit: PUSHES }),
  ]);
  return (
    <DevicePage
      {...{ desk, seen, topics, lastTest, pushes: listed, lanes: delivery }}
      {...(faulty !== undefined && { faulty })}
    />
  );
}

/** Topics that it does not follow yet; undefined: too many to choose from. */
async function topicsToAdd(deps: DevicePagesDeps, desk: Desk, seen: SeenDevice) {
  const followed = new Set(seen.subscriptions.map(({ topic }) => topic.key));
  const topics = await topicsToChoose(deps, desk);
  return topics?.filter((topic) => !followed.has(topic.key) && mayFollow(seen, topic));
}

/** A forward follows topics of its own namespace only. */
const mayFollow = ({ device: { forward } }: SeenDevice, { namespaceId }: Topic): boolean =>
  forward === undefined || forward.namespaceId === namespaceId;

const RemoveAsk = ({ desk, seen }: { desk: Desk; seen: SeenDevice }) => {
  const { devices, forwards } = desk.view.texts;
  const ask = { ...devices.ask, ...(seen.device.forward !== undefined && forwards.removed) };
  return (
    <Ask
      desk={desk}
      question={ask.question(nameOf(desk.view.texts, seen.device))}
      facts={[
        { text: ask.topics(seen.subscriptions.length) },
        { text: ask.waiting },
        { text: ask.again, isNews: true },
      ]}
      action={`${pathOf(seen)}/delete`}
      button={ask.button}
      keep={{ text: ask.keep, to: pathOf(seen) }}
    />
  );
};
