/** @jsxImportSource #jsx */
/** The form of a check that is new or changed: all of its settings, what is wrong at its field, and the slots to come. */
import type { Schedule } from "../../../../checks/check.ts";
import { ALERT_LOOKS } from "../../../../checks/alerts/compose.ts";
import { DEFAULT_TOPIC } from "../../../../checks/settings.ts";
import { LEVELS, PRIORITIES } from "../../../../drafts/draft.ts";
import type { Millis } from "../../../../util/clock.ts";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { type Faults, Field } from "../../../elements/field.tsx";
import { Icon } from "../../../layout.tsx";
import { Select } from "../../../elements/select.tsx";
import { Time } from "../../../elements/times.tsx";
import type { Desk } from "../../signed-in.ts";
import { deskLink } from "../../frame/filter.ts";
import { Desktop } from "../../frame/frame.tsx";
import { MARK, StaleNote } from "../../stale.tsx";
import { Submit } from "../../../elements/submit.tsx";
import { Link } from "../../frame/link.tsx";

/** A schedule, and its slots to come. */
export interface Coming {
  schedule: Schedule;
  slots: readonly Millis[];
}

export interface FormProps {
  desk: Desk;
  /** As it was filled in. */
  given: URLSearchParams;
  faults: Faults;
  /** The slots to see before it is saved; absent if nobody asked. */
  coming?: Coming;
  /** The path it is sent to, below the base path. */
  action: string;
  /** The name of the check that is changed; absent: it is new. */
  name?: string;
  /** Where the reader goes without sending it. */
  back: string;
}

export const CheckFormPage = (props: FormProps): Safe => {
  const { desk, given, faults, action, name, back } = props;
  const { view, namespaces } = desk;
  const { checks: texts } = view.texts;
  const say = texts.form;
  const title = name === undefined ? view.texts.checks.newOne : view.texts.shared.settingsOf(name);
  const field = fields(props);
  return (
    <Desktop desk={desk} title={title} current="checks">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, "/-/checks")}>{view.texts.desk.entries.checks}</a>
          </p>
          <h1 dir="auto">{title}</h1>
        </div>
      </div>
      <form class="panel" method="post" action={deskLink(desk, action)} novalidate>
        <div class="in stack">
          {faults.has(MARK) && <StaleNote desk={desk} to={action} />}
          {faults.size > 0 && !faults.has(MARK) && (
            <div class="note error" role="alert">
              <Icon view={view} name="error" large />
              <div>
                <p>{texts.problems.get(faults.get("") ?? "") ?? say.wrong}</p>
              </div>
            </div>
          )}
          <input type="hidden" name={MARK} value={given.get(MARK)} />
          <div class="halves">
            {field("name", view.texts.shared.name, say.nameHint)}
            {name === undefined &&
              field(
                "ns",
                view.texts.shared.namespace,
                undefined,
                namespaces.map(({ name }) => [name, name]),
              )}
          </div>
          <PlanFields {...props} />
          <AlertFields {...props} />
          <MoreFields {...props} />
          <div class="line">
            <Submit class="btn main" words={name === undefined ? say.create : view.texts.shared.save} />
            <Submit name="preview" value="1" words={say.preview} />
            <Link desk={desk} to={back} class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </div>
      </form>
    </Desktop>
  );
};

/** How a check hears of its job, and the slots to come. */
const PlanFields = (props: FormProps): Safe => {
  const { desk, given, coming } = props;
  const { form: say, plan } = desk.view.texts.checks;
  const field = fields(props);
  const pick = (kind: string, words: string) => (
    <label class="pick">
      <input type="radio" name="kind" value={kind} checked={given.get("kind") === kind} />
      {words}
    </label>
  );
  return (
    <fieldset class="stack plan">
      <legend>{say.how}</legend>
      <div class="line">
        {pick("every", say.every)}
        {pick("cron", say.cron)}
        {pick("manual", say.manual)}
      </div>
      <div class="halves">
        <div class="if-every">{field("every", say.everyField, say.everyHint)}</div>
        <div class="if-cron">{field("cron", say.cronField, say.cronHint)}</div>
        <div class="if-cron">{field("timezone", desk.view.texts.shared.timezone, say.timezoneHint)}</div>
        <div class="if-slots">{field("grace", desk.view.texts.shared.grace, say.graceHint)}</div>
      </div>
      {coming !== undefined && coming.slots.length > 0 && (
        <div class="tight if-slots">
          <h2>{plan.next}</h2>
          <Slots desk={desk} {...coming} />
        </div>
      )}
    </fieldset>
  );
};

/** The fields for what alerts look like, and for other messages. */
const AlertFields = (props: FormProps): Safe => {
  const { desk, given, name } = props;
  const { texts } = desk.view;
  const { form: say } = texts.checks;
  const { priorities } = texts.topics.publish;
  const field = fields(props);
  return (
    <fieldset class="stack">
      <legend>{say.alarm}</legend>
      <div class="halves three">
        {field("topic", say.topic, name === undefined ? say.newTopicHint(DEFAULT_TOPIC) : say.topicHint)}
        {field("level", texts.topics.publish.level, undefined, [
          ["", say.usual(texts.level[ALERT_LOOKS.down.level])],
          ...LEVELS.map((level): [string, string] => [level, texts.level[level]]),
        ])}
        {field("priority", texts.shared.priority, undefined, [
          ["", say.usual(priorities[ALERT_LOOKS.down.priority])],
          ...PRIORITIES.map((priority): [string, string] => [priority, priorities[priority]]),
        ])}
      </div>
      <div class="tight">
        <Box given={given} name="armed" words={say.armed} />
        <Box given={given} name="notify_late" words={say.notifyLate} />
        <Box given={given} name="notify_success" words={say.notifySuccess} />
      </div>
    </fieldset>
  );
};

const MoreFields = (props: FormProps): Safe => {
  const { desk, given, faults } = props;
  const { form: say } = desk.view.texts.checks;
  const field = fields(props);
  return (
    <details class="past" open={MORE.some((one) => faults.has(one))}>
      <summary>{say.more}</summary>
      <div class="halves three">
        {field("tags", desk.view.texts.shared.tags, desk.view.texts.shared.tagsHint)}
        {field("slug", say.slug, say.slugHint)}
        {field("max_run", say.maxRun, say.maxRunHint)}
        {field("early", say.early, say.earlyHint)}
        {field("fail_after", say.failAfter)}
        {field("recover_after", say.recoverAfter)}
        {field("remind_every", say.remindEvery, say.remindEveryHint)}
        {field("remind_max", say.remindMax, say.remindMaxHint)}
      </div>
      <div class="tight">
        <Box given={given} name="post_only" words={say.postOnly} />
        <Box given={given} name="resume_by_ping" words={say.resumeByPing} />
      </div>
    </details>
  );
};

const Box = ({ given, name, words }: Pick<FormProps, "given"> & { name: string; words: string }): Safe => (
  <label class="pick">
    <input type="checkbox" name={name} checked={given.has(name)} />
    {words}
  </label>
);

const MORE = ["tags", "slug", "max_run", "early", "fail_after", "recover_after", "remind_every", "remind_max"];

/** Times of slots, in order, in the reader's zone, which is named if the schedule's is another. */
export const Slots = ({ desk: { view }, slots, schedule }: Coming & { desk: Desk }): Safe => (
  <>
    <ol class="tight soft">
      {slots.map((at) => (
        <li>
          <Time view={view} at={at} dated />
        </li>
      ))}
    </ol>
    {schedule.kind === "cron" && schedule.timezone !== view.zone && (
      <p class="hint">{view.texts.checks.plan.zoneOfTimes(view.zone)}</p>
    )}
  </>
);

/** A field by its name in the API: its label, what is wrong with it, what may be in it. `choices`: value and words of each. */
function fields({ desk: { view }, given, faults }: FormProps) {
  const { refused } = view.texts.checks.form;
  return (name: string, label: string, hint?: string, choices?: readonly [value: string, words: string][]): Safe => {
    const value = given.get(name) ?? "";
    const fault = faults.get(name);
    const labelled = { view, label, name, hint, wrong: fault === undefined ? undefined : refused(name, fault) };
    return choices === undefined ? (
      <Field {...labelled} value={value} isOptional={name !== "name"} autofocus={[...faults.keys()][0] === name} />
    ) : (
      <Select {...labelled} chosen={value} choices={choices} />
    );
  };
}
