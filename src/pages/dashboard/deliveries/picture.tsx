/** @jsxImportSource #jsx */
/** The last 7 days of pushes: how many a day, and the share that each device accepted, hour by hour. */
import { deviceRef } from "../../../util/ids.ts";
import { OutcomeChart, OutcomeKey, type Outcomes, ShareChart } from "../../charts/outcomes.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { dayWords, momentWords, weekdayWords, Time } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { nameOf } from "../devices/device-words.tsx";
import { PATH } from "./links.ts";
import type { DeviceWeek, Week } from "./week.ts";
import { Link } from "../frame/link.tsx";
import { Panel } from "../../elements/panel.tsx";
import { HOUR } from "../../../util/clock.ts";

const HOURS_A_DAY = 24;
/** Hours in which something failed. */
const MOST_WRONG = 20;

export const WeekPicture = ({ desk, week }: { desk: Desk; week: Week }): Safe => {
  const { view } = desk;
  const { charts } = view.texts;
  const { week: words } = charts;
  const { days, devices, isCut } = week;
  const counted = days.map(({ from, to }) => {
    const sum = sumOf(devices, (hour) => hour * HOUR >= from && hour * HOUR < to);
    const said = words.outcome(sum.accepted, sum.failed);
    return { ...sum, name: weekdayWords(view, from), title: charts.at(dayWords(view, from), said) };
  });
  const total = sumOf(devices, () => true);
  return (
    <Panel heading="deliveries-days-h" title={words.title} end={<OutcomeKey good={words.good} bad={words.bad} />}>
      <div class="in">
        <div class="tight">
          <h3>{words.pushes}</h3>
          <OutcomeChart days={counted} label={charts.at(words.title, words.outcome(total.accepted, total.failed))} />
        </div>
        <div>
          <h3>{words.share}</h3>
          <ul>
            {devices.map((device) => (
              <DeviceLane desk={desk} week={week} of={device} />
            ))}
          </ul>
          <div class="lane" aria-hidden="true">
            <div></div>
            <div class="ticks dim">
              {counted.map(({ name }) => (
                <span>{name}</span>
              ))}
            </div>
          </div>
        </div>
        {isCut && <p class="hint">{words.newest(devices.length)}</p>}
      </div>
      <WrongHours desk={desk} devices={devices} />
    </Panel>
  );
};

const DeviceLane = ({ desk, week: { days }, of }: { desk: Desk; week: Week; of: DeviceWeek }): Safe => {
  const { view } = desk;
  const { device, hours, accepted, failed, medianMs } = of;
  const first = Math.floor((days[0]?.from ?? desk.now) / HOUR);
  return (
    <li class="lane">
      <p>
        <Link desk={desk} to={`${PATH}?device=${deviceRef(device.id)}`} dir="auto" words={nameOf(view.texts, device)} />{" "}
        <span class="soft">{sharedWords(view, { accepted, failed, medianMs })}</span>
      </p>
      <ShareChart
        hours={Array.from({ length: days.length * HOURS_A_DAY }, (_, n) => {
          const hour = hours.get(first + n) ?? NOTHING;
          const at = momentWords(view, (first + n) * HOUR);
          return { ...hour, title: view.texts.charts.at(at, sharedWords(view, hour)) };
        })}
      />
    </li>
  );
};

const NOTHING = { accepted: 0, failed: 0 };

/** `212 of 215 accepted, median 0.4 s` */
const sharedWords = (
  { texts }: Desk["view"],
  { accepted, failed, medianMs }: Outcomes & { medianMs?: number | undefined },
) => {
  const { week: words } = texts.charts;
  const share = words.accepted(accepted, accepted + failed);
  return medianMs === undefined ? share : `${share}, ${words.median(medianMs)}`;
};

/** The red parts of the picture as text, the latest first. */
const WrongHours = ({ desk: { view }, devices }: { desk: Desk; devices: readonly DeviceWeek[] }): Safe | null => {
  const wrong = devices
    .flatMap(({ device, hours }) => [...hours].map(([hour, of]) => ({ device, hour, of })))
    .filter(({ of }) => of.failed > 0)
    .sort((a, b) => b.hour - a.hour)
    .slice(0, MOST_WRONG);
  if (wrong.length === 0) return null;
  return (
    <details class="acc">
      <summary>{view.texts.charts.week.wrong}</summary>
      <ol class="tight">
        {wrong.map(({ device, hour, of }) => (
          <li>
            <Time view={view} at={hour * HOUR} dated />, <bdi>{nameOf(view.texts, device)}</bdi>:{" "}
            {sharedWords(view, of)}
          </li>
        ))}
      </ol>
    </details>
  );
};

const sumOf = (devices: readonly DeviceWeek[], isWanted: (hour: number) => boolean): Outcomes => {
  const some = devices.flatMap(({ hours }) => [...hours].filter(([hour]) => isWanted(hour)).map(([, of]) => of));
  return {
    accepted: some.reduce((sum, { accepted }) => sum + accepted, 0),
    failed: some.reduce((sum, { failed }) => sum + failed, 0),
  };
};
