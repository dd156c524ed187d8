/** @jsxImportSource #jsx */
/** The pages that make a forward and change where it sends, by the functions that the API has as well. */
import { KINDS } from "../../../delivery/forwards/kinds.ts";
import type { Kind } from "../../../delivery/forwards/kind.ts";
import type { Deps } from "../../../deps.ts";
import { changeForward, isForward, makeForward } from "../../../forwards/act.ts";
import { ForwardPatchBody, NewForwardBody } from "../../../forwards/schema.ts";
import { check } from "../../../http/body.ts";
import { queryOf } from "../../../http/query.ts";
import { sealOf } from "../../../tokens/secret.ts";
import type { Seal } from "../../../tokens/seal.ts";
import { defined } from "../../../util/defined.ts";
import { type Again, type DeskDeps, DeskRoutes, type Done } from "../desk.ts";
import { nameOf } from "../devices/device-words.tsx";
import { NEW_FORWARD, PATH, pathOf, seenDevice, seenTopic } from "../devices/seen-device.ts";
import { topicsToChoose } from "../devices/topics-to-choose.ts";
import type { Desk } from "../signed-in.ts";
import { faultsOf } from "./faults.ts";
import { formOf, settingsIn } from "./form-body.ts";
import { ChangePage, type Filled, KindsPage, NewForwardPage } from "./pages.tsx";

type GivenDeps = DeskDeps & Pick<Deps, "deviceCaps" | "log">;
type ForwardPagesDeps = GivenDeps & { seal: () => Promise<Seal> };

export function forwardPageRoutes(given: GivenDeps) {
  const deps = { ...given, seal: sealOf(given) };
  return [...making(deps), ...changing(deps)];
}

const making = (deps: ForwardPagesDeps) =>
  new DeskRoutes(deps, NEW_FORWARD)
    .page("", "signed in", async ({ desk, request }) => {
      const query = queryOf(request);
      const topic = query.get("topic") ?? "";
      const kind = kindOf(query.get("kind"));
      if (kind === undefined) return <KindsPage desk={desk} kinds={KINDS} topic={topic} />;
      return newPage(deps, desk, kind, { given: new URLSearchParams({ topic }) });
    })
    .form("", "signed in", async ({ desk, form }) => {
      const kind = kindOf(form.get("kind"));
      return kind && make(deps, desk, kind, form);
    }).routes;

/** One that people make: not the server's own. */
const kindOf = (name: string | null): Kind | undefined => KINDS.find((kind) => kind.name === name);

async function newPage(deps: ForwardPagesDeps, desk: Desk, kind: Kind, filled: Filled) {
  const [listed, asked] = await Promise.all([
    topicsToChoose(deps, desk),
    seenTopic(deps, desk, filled.given.get("topic") ?? ""),
  ]);
  // the list has neither archived topics nor those of other namespaces than the header's
  const isMissing = asked !== undefined && listed?.every(({ id }) => id !== asked.id) === true;
  const topics = isMissing ? [asked, ...listed] : listed;
  return <NewForwardPage {...{ desk, kind, topics, ...filled }} />;
}

async function make(deps: ForwardPagesDeps, desk: Desk, kind: Kind, given: URLSearchParams): Promise<Done | Again> {
  const { view } = desk;
  const again = async (faults: Filled["faults"]) => ({ page: await newPage(deps, desk, kind, { given, faults }) });
  const topic = await seenTopic(deps, desk, given.get("topic") ?? "");
  if (topic === undefined) return again(new Map([["topic", view.texts.devices.wrong.topic]]));
  const name = given.get("name")?.trim() || undefined;
  const body = defined({ kind: kind.name, settings: settingsIn(given, kind, false), name, topics: [topic.key] });
  try {
    const { device } = await makeForward(deps, topic.namespaceId, check(NewForwardBody, body), view.url);
    return { to: pathOf({ device }), flash: { say: "forwards.made", values: [nameOf(view.texts, device)] } };
  } catch (error) {
    return again(faultsOf(view.texts, error, kind, given));
  }
}

/** One forward; 404 if the visitor may not know of it, or it is another device. */
const changing = (deps: ForwardPagesDeps) =>
  new DeskRoutes(deps, `${PATH}/:ref`, async ({ desk, params: { ref } }) => {
    const seen = await seenDevice(deps, desk, ref);
    if (seen === undefined || !isForward(seen.device)) return undefined;
    const kind = kindOf(seen.device.forward.kind);
    return kind && { seen: { ...seen, device: seen.device }, kind };
  })
    .page("/forward", "signed in", ({ desk, seen, kind }) => (
      <ChangePage {...{ desk, seen, kind }} given={formOf(seen.device.forward.settings)} />
    ))
    .form("/forward", "signed in", async ({ desk, seen, kind, form: given }) => {
      const { view } = desk;
      try {
        const body = check(ForwardPatchBody, { settings: settingsIn(given, kind, true) });
        await changeForward(deps, seen.device, body, view.url);
        return { to: pathOf(seen), flash: { say: "forwards.changed" } };
      } catch (error) {
        return {
          page: <ChangePage {...{ desk, seen, kind, given }} faults={faultsOf(view.texts, error, kind, given)} />,
        };
      }
    }).routes;
