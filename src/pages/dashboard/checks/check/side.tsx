/** @jsxImportSource #jsx */
/** Beside a check: its schedule with the next slots, and who is notified. */
import { ALERT_LOOKS } from "../../../../checks/alerts/compose.ts";
import { nextSlots } from "../../../../checks/schedule/preview.ts";
import { marginsNow } from "../../../../checks/schedule/schedule.ts";
import { fill } from "../../../elements/fill.ts";
import { CopyLine } from "../../../elements/copy-line.tsx";
import type { Child, Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Ago } from "../../../elements/times.tsx";
import { deliveriesOf } from "../../deliveries/links.ts";
import { nameOf } from "../../devices/device-words.tsx";
import { deskLink } from "../../frame/filter.ts";
import { topicPath } from "../../topics/glance.ts";
import { Slots } from "../form/form.tsx";
import { scheduleWords } from "../schedule-words.ts";
import { pathOf } from "../on-check.ts";
import { MOST_COUNTED, type Shown } from "./gather.ts";
import { Link } from "../../frame/link.tsx";
import { Terms } from "../../../elements/terms.tsx";

export const Plan = ({ desk, whole: { check, badgeUrl } }: Shown): Safe => {
  const { view, now } = desk;
  const { checks: texts } = view.texts;
  const { plan: say, lasting } = texts;
  const { standing } = check;
  const { schedule, tags } = standing.settings;
  const { graceMs, maxRunMs } = marginsNow(standing, now);
  const isExpected = schedule.kind !== "manual";
  const facts: [string, Child][] = [
    [
      say.runs,
      [
        scheduleWords(schedule, texts),
        schedule.kind === "cron" && (
          <>
            {" "}
            <span class="dim">
              (<code>{schedule.expression}</code>)
            </span>
          </>
        ),
      ],
    ],
    ...(schedule.kind === "cron" ? [[view.texts.shared.timezone, schedule.timezone] satisfies [string, Child]] : []),
    ...(isExpected
      ? [[view.texts.shared.grace, graceMs === 0 ? say.noGrace : lasting(graceMs)] satisfies [string, Child]]
      : []),
    [say.atMost, maxRunMs === 0 ? say.anyTime : say.perRun(lasting(maxRunMs))],
    ...(tags.length > 0
      ? [[view.texts.shared.tags, <span dir="auto">{tags.join(", ")}</span>] satisfies [string, Child]]
      : []),
  ];
  // with a period, the next slot is counted from the last success
  const { slotAt } = standing;
  const coming = schedule.kind === "every" && slotAt !== undefined && slotAt > now ? slotAt - schedule.everyMs : now;
  const slots = nextSlots(schedule, coming);
  return (
    <section class="panel" aria-labelledby="plan" id="check-plan" data-live="check">
      <header>
        <h2 id="plan">{say.title}</h2>
        <a href={deskLink(desk, `${pathOf(check)}/edit`)}>{view.texts.shared.edit}</a>
      </header>
      <div class="in">
        <Terms facts={facts} />
        {slots.length > 0 && (
          <div class="tight">
            <h3>{say.next}</h3>
            <Slots {...{ desk, slots, schedule }} />
          </div>
        )}
        <details class="past" id="badge">
          <summary>{say.badge}</summary>
          <p class="hint">{say.badgeHint}</p>
          <CopyLine view={view} text={badgeUrl} label={say.copyBadge} />
        </details>
      </div>
    </section>
  );
};

/** Devices that are named. */
const MOST_NAMED = 20;

export const Told = ({ desk, whole: { check, told, lastTest, lastAlarm } }: Shown): Safe => {
  const { view } = desk;
  const { told: say } = view.texts.checks;
  const { topic, standing } = check;
  const { reached, lost } = told;
  const named = [...reached, ...lost].slice(0, MOST_NAMED);
  const { level = ALERT_LOOKS.down.level, priority = ALERT_LOOKS.down.priority } = standing.settings;
  const tells = say.tells(say.devices(reached.length, reached.length === MOST_COUNTED));
  const link = <Link desk={desk} to={`/-/topics/${topic.key}`} dir="auto" words={topic.name} />;
  return (
    <section class="panel" aria-labelledby="told" id="check-told" data-live="check device">
      <header>
        <h2 id="told">{say.title}</h2>
        <a href={deskLink(desk, deliveriesOf(lastAlarm?.topic ?? topic, lastAlarm?.message))}>
          {view.texts.deliveries.whoWasTold}
        </a>
      </header>
      <div class="in s">
        {reached.length === 0 ? (
          <div class="note warning">
            <Icon view={view} name="warning" large />
            <div>
              <p>{fill(say.nobody, link)}</p>
              <div class="acts">
                <a class="btn main" href={deskLink(desk, topicPath(topic, "/share"))}>
                  {view.texts.checks.glance.addDevice}
                </a>
              </div>
            </div>
          </div>
        ) : (
          <p>{fill(tells, link)}</p>
        )}
        {named.length > 0 && (
          <ul class="tight soft">
            {named.map((device) => (
              <li>
                <span dir="auto">{nameOf(view.texts, device)}</span>
                {device.lost !== undefined && `, ${say.lost}`}
              </li>
            ))}
          </ul>
        )}
        <p class="soft">{say.as(view.texts.level[level], say.priority[priority])}</p>
        {lastTest !== undefined && <p class="soft">{fill(say.lastTest, <Ago view={view} at={lastTest.at} />)}</p>}
      </div>
    </section>
  );
};
