/** @jsxImportSource #jsx */
/** Where a forward sends, on its page: what may be shown, and that the rest is set. */
import type { Kind } from "../../../delivery/forwards/kind.ts";
import { kindNamed } from "../../../delivery/forwards/kinds.ts";
import { laneOf } from "../../../delivery/push/plan.ts";
import type { Deps } from "../../../deps.ts";
import type { Device, Forwarding } from "../../../devices/device.ts";
import { said } from "../../../rewrites/tool-setup.ts";
import { fill } from "../../elements/fill.ts";
import { Panel } from "../../elements/panel.tsx";
import { Said } from "../../elements/said.tsx";
import { Terms } from "../../elements/terms.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { LaneNotes } from "../deliveries/notes.tsx";
import { isServers, pathOf, type SeenDevice } from "../devices/seen-device.ts";
import { Link } from "../frame/link.tsx";
import type { Desk } from "../signed-in.ts";
import type { View } from "../../view.ts";

interface Props {
  desk: Desk;
  seen: SeenDevice;
  forward: Forwarding;
}

/** Why nothing is sent there now, and what to do about it. */
export const LaneTrouble = ({ view, device, lanes }: { view: View; device: Device; lanes: Lanes }): Safe => {
  const lane = laneOf(device);
  const status = lanes.lane(lane);
  return (
    <LaneNotes view={view} found={{ isOffline: false, blocked: status.kind === "open" ? [] : [{ lane, status }] }} />
  );
};
type Lanes = Pick<Deps["delivery"], "lane">;

export const WhereItSends = ({ desk, seen, forward: { kind, settings, secrets } }: Props): Safe => {
  const { view } = desk;
  const { forwards: words } = view.texts;
  const isOurs = isServers(seen.device);
  const form: Kind["form"] = kindNamed(kind)?.form ?? {};
  const valueOf = (setting: string): Child => {
    if (secrets.includes(setting)) return <span class="dim">{words.isSet}</span>;
    const value = settings[setting];
    const choice = form[setting]?.choices?.[String(value)];
    return choice === undefined ? <span dir="auto">{String(value)}</span> : said(choice, view.language);
  };
  const facts = Object.entries(form)
    .filter(([setting]) => secrets.includes(setting) || settings[setting] !== undefined)
    .map(([setting, { label }]) => [<Said view={view} words={label} />, valueOf(setting)] as const);
  return (
    <Panel
      heading="forward-h"
      title={words.where}
      end={!isOurs && <Link desk={desk} to={`${pathOf(seen)}/forward`} class="btn bare" words={words.change} />}
    >
      <div class="in">
        <Terms facts={facts} />
        {isOurs && <p class="hint">{fill(words.ofServer, <code>PEAL_NTFY_UPSTREAM</code>)}</p>}
      </div>
    </Panel>
  );
};
