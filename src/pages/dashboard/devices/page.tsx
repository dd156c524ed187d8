/** @jsxImportSource #jsx */
/** One device: its topics, what gets through to it, its latest pushes, and a test. */
import type { Delivery } from "../../../delivery/delivery.ts";
import { stateOf } from "../../../delivery/json.ts";
import { deviceRef } from "../../../util/ids.ts";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../../layout.tsx";
import { Ago } from "../../elements/times.tsx";
import { deliveriesOf } from "../deliveries/links.ts";
import { serviceOf } from "../deliveries/service.ts";
import { headingOf, isHeldUp, saidOf, StateWord, When } from "../deliveries/outcome-words.tsx";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { LaneTrouble, WhereItSends } from "../forwards/where.tsx";
import { RulesForm } from "./rules.tsx";
import { isServers, PATH, pathOf } from "./seen-device.ts";
import type { DeviceProps } from "./shown.ts";
import { TopicsPanel } from "./topics.tsx";
import { kindOf, lastOf, nameOf } from "./device-words.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

export const DevicePage = (props: DeviceProps): Safe => {
  const { desk, seen } = props;
  const { view } = desk;
  const { devices: words } = view.texts;
  const { device, others } = seen;
  const name = nameOf(view.texts, device);
  return (
    <Desktop desk={desk} title={name} current="devices">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, PATH)}>{view.texts.desk.entries.devices}</a>
          </p>
          <h1 dir="auto">{name}</h1>
          <p class="soft" id="device-state" data-live="device delivery">
            {kindOf(view.texts, device)}. {fill(words.since, <Ago view={view} at={device.createdAt} />)}{" "}
            {lastOf(desk, device)}
          </p>
        </div>
        {device.lost === undefined && (
          <form class="line" method="post" action={deskLink(desk, `${pathOf(seen)}/test`)}>
            <Submit view={view} icon="bell" class="btn main" words={view.texts.shared.sendTest} />
          </form>
        )}
      </div>
      {device.forward !== undefined && (
        <div class="stack" id="device-lane" data-live="delivery">
          <LaneTrouble view={view} device={device} lanes={props.lanes} />
        </div>
      )}
      <div id="device-test" data-live="delivery">
        {props.lastTest !== undefined && <TestNote {...props} test={props.lastTest} />}
      </div>
      <div class="cols">
        <div class="stack">
          <TopicsPanel {...props} name={name} />
          <LastPushes {...props} />
        </div>
        <div class="stack">
          {device.forward !== undefined && <WhereItSends desk={desk} seen={seen} forward={device.forward} />}
          {!isServers(device) && <RulesForm {...props} />}
          {others === 0 && !isServers(device) && (
            <p>
              <a class="btn risk bare" href={deskLink(desk, `${pathOf(seen)}/delete`)}>
                <Icon view={view} name="trash" />
                {device.forward === undefined ? words.removeDevice : view.texts.forwards.removed.link}
              </a>
            </p>
          )}
        </div>
      </div>
    </Desktop>
  );
};

const TONES: Readonly<Record<Delivery["state"] | "stuck", IconName>> = {
  ...{ pending: "info", stuck: "warning", accepted: "up", failed: "error", expired: "error", cancelled: "error" },
};

/** The outcome of the latest test, with the push service's raw answer. */
const TestNote = ({ desk: { view }, lanes, test }: DeviceProps & { test: Delivery }): Safe => {
  const { tested } = view.texts.devices;
  const service = serviceOf(view.texts, test.lane);
  const state = stateOf(test);
  const became = isHeldUp({ delivery: test, lanes }) ? "stuck" : state;
  const title = became === "accepted" || became === "failed" ? tested[became](service) : tested[became];
  const tone = TONES[became];
  const { said, more } = saidOf({ view, delivery: test, lanes });
  const raw = [test.lastStatus, test.lastReason].filter((part) => part !== undefined).join(" ");
  return (
    <div class={`note flash ${tone}`} role="status">
      <Icon view={view} name={tone} large />
      <div>
        <p>
          <strong>{title}</strong>
        </p>
        <p class="soft">
          {state === "pending" ? (
            <>
              {said} {more} <noscript>{tested.reload}</noscript>{" "}
            </>
          ) : (
            raw !== "" && (
              <>
                {tested.answer} <code>{raw}</code>.{" "}
              </>
            )
          )}
          {fill(tested.at, <When view={view} at={test.createdAt} />)}
        </p>
      </div>
    </div>
  );
};

const LastPushes = ({ desk, seen, pushes, lanes }: DeviceProps): Safe => {
  const { view } = desk;
  const { devices: words } = view.texts;
  return (
    <section class="panel" id="device-pushes" data-live="delivery" aria-labelledby="device-pushes-h">
      <header>
        <h2 id="device-pushes-h">{words.pushes}</h2>
        <a href={deskLink(desk, "/-/deliveries", { device: deviceRef(seen.device.id) })}>{view.texts.shared.all}</a>
      </header>
      {pushes.length === 0 ? (
        <div class="in">
          <p class="soft">{words.noPushes}</p>
        </div>
      ) : (
        <ul class="rows">
          {pushes.map(({ delivery, message, topic, isLost }) => {
            const { said, more } = saidOf({ view, delivery, message, lanes, isLost });
            const heading = headingOf(view.texts, message);
            return (
              <li class="row told">
                <div>
                  {topic === undefined || message === undefined ? (
                    <span dir="auto">{heading}</span>
                  ) : (
                    <Link desk={desk} to={deliveriesOf(topic, message)} class="name" dir="auto" words={heading} />
                  )}
                </div>
                <p class="sub">
                  <When view={view} at={message?.createdAt ?? delivery.createdAt} />. {said} {more}
                </p>
                <StateWord view={view} delivery={delivery} />
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
};
