/** @jsxImportSource #jsx */
/** The devices that follow a topic: each can be muted for a while, or removed from it. */
import type { Device, DeviceRow, Subscription } from "../../../devices/device.ts";
import { deviceRef } from "../../../util/ids.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { BriefTime } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { lastOf, nameOf } from "../devices/device-words.tsx";
import { NEW_FORWARD } from "../devices/seen-device.ts";
import { deskLink } from "../frame/filter.ts";
import { topicPath } from "./glance.ts";
import { TopicFrame, type TopicProps } from "./topic.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

export type Rules = ReadonlyMap<DeviceRow, Pick<Subscription, "mutedUntil" | "minPriority">>;

interface Props extends TopicProps {
  devices: readonly Device[];
  rules: Rules;
  /** Where the next page begins. */
  next?: number;
}

export const DevicesTab = ({ desk, glance, devices, rules, next }: Props): Safe => {
  const { devicesTab: texts, tabs } = desk.view.texts.topics;
  const { topic } = glance;
  return (
    <TopicFrame desk={desk} glance={glance} tab="devices">
      <section class="panel" aria-labelledby="devices" id="subscribers" data-live="device delivery">
        <header>
          <h2 id="devices">{tabs.devices}</h2>
          <a href={deskLink(desk, "/-/devices")}>{texts.all}</a>
        </header>
        {devices.length === 0 ? (
          <div class="empty">
            <h3>{texts.none}</h3>
            <p class="soft">{texts.noneText}</p>
            <Link desk={desk} to={topicPath(topic, "/share")} class="btn" words={texts.toShare} />
          </div>
        ) : (
          <ul class="rows">
            {devices.map((device) => (
              <DeviceItem desk={desk} glance={glance} device={device} rule={rules.get(device.row) ?? {}} />
            ))}
          </ul>
        )}
      </section>
      <p>
        <a class="btn" href={deskLink(desk, NEW_FORWARD, { topic: topic.key })}>
          <Icon view={desk.view} name="send" />
          {desk.view.texts.forwards.add}
        </a>
      </p>
      {next !== undefined && (
        <p>
          <a class="btn" href={`?after=${next}`}>
            {texts.more}
          </a>
        </p>
      )}
    </TopicFrame>
  );
};

interface ItemProps extends TopicProps {
  device: Device;
  rule: Pick<Subscription, "mutedUntil" | "minPriority">;
}

const DeviceItem = ({ desk, glance: { topic }, device, rule }: ItemProps): Safe => {
  const { view, now } = desk;
  const { devicesTab: texts } = view.texts.topics;
  const name = nameOf(view.texts, device);
  const ref = deviceRef(device.id);
  const isMuted = (rule.mutedUntil ?? 0) > now;
  const act = (what: string, words: string, label: string) => (
    <Submit class="btn bare" name="do" value={what} aria-label={label} words={words} />
  );
  return (
    <li class={device.lost === undefined ? "row act" : "row act failed"}>
      <div>
        <Link desk={desk} to={`/-/devices/${ref}`} class="name" dir="auto" words={name} />
        <p class="sub" dir="auto">
          {stateWords(desk, device, rule)}
        </p>
      </div>
      <div>
        <form class="line" method="post" action={deskLink(desk, topicPath(topic, "/devices"))}>
          <input type="hidden" name="device" value={ref} />
          {isMuted
            ? act("unmute", view.texts.shared.unmute, texts.unmuteName(name, topic.name))
            : act("mute", texts.mute, texts.muteName(name, topic.name))}
          {act("remove", texts.remove, texts.removeName(name, topic.name))}
        </form>
      </div>
    </li>
  );
};

function stateWords(desk: Desk, device: Device, rule: ItemProps["rule"]): Child {
  const { view, now } = desk;
  const { devicesTab: texts } = view.texts.topics;
  const { lost, quietHours, minPriority } = device;
  if (lost !== undefined) return lastOf(desk, device);
  const least = rule.minPriority ?? minPriority;
  return [
    lastOf(desk, device),
    " ",
    least === undefined ? texts.everything : texts.only[least],
    quietHours !== undefined && ` ${texts.quiet(quietHours.from, quietHours.to)}`,
    (rule.mutedUntil ?? 0) > now && [" ", fill(texts.muted, <BriefTime view={view} at={rule.mutedUntil ?? 0} />)],
  ];
}
