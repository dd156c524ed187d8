/** @jsxImportSource #jsx */
/** All devices, the latest first: when a push was last accepted, what they receive; below them the lost ones. */
import { type Device, type Platform, PLATFORMS } from "../../../devices/device.ts";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { PATH, pathOf } from "./seen-device.ts";
import { kindOf, lastOf, nameOf, takesOf } from "./device-words.tsx";

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
    <Desktop desk={desk} title={words.title} current="devices">
      <div class="head">
        <div class="tight" id="devices-head" data-live="device delivery">
          <h1>{isPart ? words.title : words.heading(active.devices.length, lost.devices.length)}</h1>
          <p class="soft">{fill(words.lede, <strong>{words.notifyMe}</strong>)}</p>
        </div>
        {!isTeaching && (
          <a class="btn main" href={deskLink(desk, "/-/topics")}>
            <Icon view={desk.view} name="plus" />
            {words.connect}
          </a>
        )}
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
    <nav class="chips" aria-label={words.show}>
      {chip(words.all, {}, platform === undefined && !isLost)}
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
      <section class="panel" aria-label={words.list}>
        <ul class="rows">
          {active.devices.map(({ device, topics }) => {
            const name = nameOf(view.texts, device);
            return (
              <li class="row">
                <About desk={desk} device={device} topics={topics} />
                <form class="line" method="post" action={deskLink(desk, `${pathOf({ device })}/test`)}>
                  <button class="btn" type="submit" aria-label={words.testOf(name)}>
                    <Icon view={view} name="bell" />
                    {words.test}
                  </button>
                </form>
              </li>
            );
          })}
        </ul>
      </section>
      {active.next !== undefined && (
        <Older to={deskLink(desk, PATH, { platform, after: active.next })} text={words.older} />
      )}
    </>
  );
};

const Lost = ({ desk, platform, lost }: Listing): Safe => {
  const { devices: words } = desk.view.texts;
  return (
    <>
      <section class="panel" aria-labelledby="lost-h">
        <header>
          <h2 id="lost-h">{words.lost}</h2>
          <span class="dim">{words.lostKept}</span>
        </header>
        <ul class="rows">
          {lost.devices.map(({ device, topics }) => (
            <li class="row failed">
              <About desk={desk} device={device} topics={topics} />
              <span class="line">
                <a
                  class="btn bare"
                  href={deskLink(desk, `${pathOf({ device })}/delete`)}
                  aria-label={words.removeOf(nameOf(desk.view.texts, device))}
                >
                  {words.remove}
                </a>
              </span>
            </li>
          ))}
        </ul>
      </section>
      {lost.next !== undefined && (
        <Older to={deskLink(desk, PATH, { platform, lost: "1", after: lost.next })} text={words.older} />
      )}
    </>
  );
};

const About = ({ desk, device, topics }: { desk: Desk; device: Device; topics: number }): Safe => {
  const { view } = desk;
  return (
    <div class="line top-l">
      <Icon view={view} name={device.platform === "web" ? "laptop" : "devices"} large />
      <div>
        <a class="name" href={deskLink(desk, pathOf({ device }))} dir="auto">
          {nameOf(view.texts, device)}
        </a>{" "}
        <span class="dim">{kindOf(view.texts, device)}</span>
        <p class="sub">
          {lastOf(desk, device)} {device.lost === undefined && takesOf(view.texts, device, topics)}
        </p>
      </div>
    </div>
  );
};

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
        <a class="btn main" href={deskLink(desk, "/-/topics")}>
          {noneYet.toTopics}
        </a>
      </div>
    </div>
  );
};
