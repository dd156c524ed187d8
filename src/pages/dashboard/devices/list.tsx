/** @jsxImportSource #jsx */
/** All devices, the latest first: when a push was last accepted, what they receive; below them the lost ones. */
import { type Device, type Platform, PLATFORMS } from "../../../devices/device.ts";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { NEW_FORWARD, PATH, pathOf } from "./seen-device.ts";
import { kindOf, lastOf, nameOf, takesOf } from "./device-words.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";
import { Panel } from "../../elements/panel.tsx";

export interface Page {
  devices: readonly { device: Device; topics: number }[];
  next?: string;
}
export interface Listing {
  desk: Desk;
  platform: Platform | undefined;
  /** Only those that are lost are asked for. */
  isLost: boolean;
  /** There are pages before this one. */
  isLater: boolean;
  active: Page;
  lost: Page;
}

export const DevicesPage = (listing: Listing): Safe => {
  const { desk, platform, isLost, isLater, active, lost } = listing;
  const { devices: words } = desk.view.texts;
  const isEmpty = active.devices.length + lost.devices.length === 0;
  const isFiltered = platform !== undefined || isLost;
  const hasMore = active.next !== undefined || lost.next !== undefined;
  const isTeaching = isEmpty && !isFiltered && desk.chosen === undefined;
  // only a whole list is counted
  const isPart = isFiltered || isLater || hasMore || (isEmpty && desk.chosen !== undefined);
  return (
    <Desktop desk={desk} title={desk.view.texts.desk.entries.devices} current="devices">
      <div class="head">
        <div class="tight" id="devices-head" data-live="device delivery">
          <h1>
            {isPart ? desk.view.texts.desk.entries.devices : words.heading(active.devices.length, lost.devices.length)}
          </h1>
          <p class="soft">{fill(words.lede, <strong>{words.notifyMe}</strong>)}</p>
        </div>
        <div class="line">
          <Link desk={desk} to={NEW_FORWARD} class="btn" icon="send" words={desk.view.texts.forwards.add} />
          {!isTeaching && <Link desk={desk} to="/-/topics" class="btn main" icon="plus" words={words.connect} />}
        </div>
      </div>
      {(!isEmpty || isFiltered) && <Filters {...listing} />}
      <div class="stack" id="devices" data-live="device delivery">
        {active.devices.length > 0 && <Active {...listing} />}
        {lost.devices.length > 0 && <Lost {...listing} />}
        {isTeaching ? <Teaching desk={desk} /> : isEmpty && <None desk={desk} />}
      </div>
    </Desktop>
  );
};

const Filters = ({ desk, platform, isLost }: Listing): Safe => {
  const { devices: words, deliveries } = desk.view.texts;
  const chip = (text: string, params: Record<string, string | undefined>, isCurrent: boolean) => (
    <a class="chip" href={deskLink(desk, PATH, params)} aria-current={isCurrent && "true"}>
      {text}
    </a>
  );
  return (
    <nav class="chips" aria-label={desk.view.texts.shared.show}>
      {chip(desk.view.texts.shared.all, {}, platform === undefined && !isLost)}
      {PLATFORMS.map((one) => chip(deliveries.platforms[one], { platform: one }, platform === one))}
      {chip(words.onlyLost, { lost: "1" }, isLost)}
    </nav>
  );
};

const Active = ({ desk, platform, active }: Listing): Safe => {
  const { view } = desk;
  const { devices: words } = view.texts;
  return (
    <>
      <section class="panel" aria-label={view.texts.desk.entries.devices}>
        <ul class="rows">
          {active.devices.map(({ device, topics }) => {
            const name = nameOf(view.texts, device);
            return (
              <li class="row">
                <About desk={desk} device={device} topics={topics} />
                <form class="line" method="post" action={deskLink(desk, `${pathOf({ device })}/test`)}>
                  <Submit view={view} icon="bell" aria-label={words.testOf(name)} words={words.test} />
                </form>
              </li>
            );
          })}
        </ul>
      </section>
      {active.next !== undefined && (
        <Older to={deskLink(desk, PATH, { platform, after: active.next })} text={view.texts.shared.older} />
      )}
    </>
  );
};

const Lost = ({ desk, platform, lost }: Listing): Safe => {
  const { devices: words } = desk.view.texts;
  return (
    <>
      <Panel heading="lost-h" title={words.lost} end={<span class="dim">{words.lostKept}</span>}>
        <ul class="rows">
          {lost.devices.map(({ device, topics }) => (
            <li class="row failed">
              <About desk={desk} device={device} topics={topics} />
              <span class="line">
                <a
                  class="btn bare"
                  href={deskLink(desk, `${pathOf({ device })}/delete`)}
                  aria-label={desk.view.texts.shared.removeOf(nameOf(desk.view.texts, device))}
                >
                  {words.remove}
                </a>
              </span>
            </li>
          ))}
        </ul>
      </Panel>
      {lost.next !== undefined && (
        <Older
          to={deskLink(desk, PATH, { platform, lost: "1", after: lost.next })}
          text={desk.view.texts.shared.older}
        />
      )}
    </>
  );
};

const About = ({ desk, device, topics }: { desk: Desk; device: Device; topics: number }): Safe => {
  const { view } = desk;
  return (
    <div class="line top-l">
      <Icon view={view} name={ICONS[device.platform]} large />
      <div>
        <Link desk={desk} to={pathOf({ device })} class="name" dir="auto" words={nameOf(view.texts, device)} />{" "}
        <span class="dim">{kindOf(view.texts, device)}</span>
        <p class="sub">
          {lastOf(desk, device)} {device.lost === undefined && takesOf(view.texts, device, topics)}
        </p>
      </div>
    </div>
  );
};

const ICONS = { ios: "devices", android: "devices", web: "laptop", forward: "send" } as const satisfies Record<
  Platform,
  IconName
>;

const Older = ({ to, text }: { to: string; text: string }): Safe => (
  <p>
    <a class="btn" href={to}>
      {text}
    </a>
  </p>
);

const None = ({ desk }: { desk: Desk }): Safe => {
  const { devices: words } = desk.view.texts;
  return (
    <div class="panel">
      <div class="empty">
        <h2>{words.none.title}</h2>
        <p class="soft">{words.none.text}</p>
      </div>
    </div>
  );
};

const Teaching = ({ desk }: { desk: Desk }): Safe => {
  const { noneYet } = desk.view.texts.devices;
  return (
    <div class="panel">
      <div class="empty">
        <h2>{noneYet.title}</h2>
        <ol class="how">
          {noneYet.steps.map((step) => (
            <li>{step}</li>
          ))}
        </ol>
        {!desk.view.url.startsWith("https:") && <p class="hint">{noneYet.https}</p>}
        <Link desk={desk} to="/-/topics" class="btn main" words={noneYet.toTopics} />
      </div>
    </div>
  );
};
