/** @jsxImportSource #jsx */
/** The questions before a topic is muted or deleted. */
import type { Device } from "../../../devices/device.ts";
import { COUNTED, type Extent } from "../../../store/glances.ts";
import { type Faults, Field } from "../../elements/field.tsx";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { BriefTime } from "../../elements/times.tsx";
import { Ask } from "../ask.tsx";
import { nameOf } from "../devices/device-words.tsx";
import { Desktop } from "../frame/frame.tsx";
import { topicPath } from "./glance.ts";
import type { TopicProps } from "./topic.tsx";
import { Link } from "../frame/link.tsx";
import { DAY, HOUR } from "../../../util/clock.ts";

/** Keyed by the value of the choice. `until`: a time that is typed. */
export const MUTES = new Map([
  ["hour", HOUR],
  ["eight", 8 * HOUR],
  ["day", DAY],
  ["week", 7 * DAY],
]);
const CHOICES = ["hour", "eight", "day", "week", "until"] as const;

export const AskMute = ({
  desk,
  glance,
  given,
  faults,
}: TopicProps & { given: URLSearchParams; faults?: Faults }): Safe => {
  const { view } = desk;
  const { mute, settings } = view.texts.topics;
  const { topic, subscribers } = glance;
  const until = given.get("until") ?? "";
  const chosen = until === "" ? (given.get("for") ?? "hour") : "until";
  return (
    <Ask
      desk={desk}
      question={mute.question(topic.name)}
      lede={mute.lede(subscribers)}
      action={topicPath(topic, "/mute")}
      button={mute.button}
      icon="mute"
      isMild
      keep={{ text: mute.keep, to: topicPath(topic) }}
    >
      <fieldset>
        <legend>{mute.howLong}</legend>
        {CHOICES.map((choice) => (
          <label class="pick">
            <input type="radio" name="for" value={choice} checked={choice === chosen} />
            {mute[choice]}
          </label>
        ))}
      </fieldset>
      <Field
        {...{ view, label: settings.mute, name: "until", type: "datetime-local", value: until }}
        wrong={faults?.get("until")}
        hint={mute.untilHint(view.zone)}
        isOptional
      />
    </Ask>
  );
};

interface DeleteProps extends TopicProps {
  extent: Extent;
  /** The first of the devices. */
  devices: readonly Device[];
  typed?: string | undefined;
}

/** How many devices are named. */
export const NAMED_GONE = 5;

export const AskDelete = ({ desk, glance: { topic }, extent, devices, typed }: DeleteProps): Safe => {
  const { view } = desk;
  const texts = view.texts.topics.delete;
  const { messages, since, subscribers } = extent;
  const isMore = messages === COUNTED;
  const names = devices.map((device) => nameOf(view.texts, device)).join(", ");
  return (
    <Ask
      desk={desk}
      question={texts.question(topic.name)}
      lede={view.texts.shared.noUndo}
      facts={[
        {
          text:
            since === undefined ? (
              texts.noMessages
            ) : (
              <>
                <strong>{texts.messages(messages, isMore)}</strong>
                {fill(texts.areGone(messages), <BriefTime view={view} at={since} />)}
              </>
            ),
        },
        ...(subscribers === 0
          ? []
          : [
              {
                text: (
                  <>
                    <strong>{texts.devices(subscribers)}</strong>
                    {texts.stop(subscribers)}
                    {`: ${names}${devices.length < subscribers ? " …" : "."}`}
                  </>
                ),
              },
            ]),
        { text: texts.link },
        { text: fill(texts.remade, <code>{`${topic.namespace}/${topic.name}`}</code>), isNews: true },
      ]}
      action={topicPath(topic, "/delete")}
      name={{ value: topic.name, ...(typed !== undefined && { typed }) }}
      button={texts.button(messages, isMore)}
      keep={{ text: texts.keep, to: topicPath(topic, "/settings") }}
    />
  );
};

/** Instead of the question: why it cannot be deleted now. */
export const InUse = ({ desk, glance: { topic }, extent }: TopicProps & { extent: Extent }): Safe => {
  const { view } = desk;
  const texts = view.texts.topics.delete;
  return (
    <Desktop desk={desk} title={texts.inUse(topic.name)} current="topics">
      <div class="tight">
        <h1 class="big" dir="auto">
          {texts.inUse(topic.name)}
        </h1>
        <p class="lede">{texts.inUseText}</p>
      </div>
      <ul class="panel rows">
        {extent.checks.map(({ id, name }) => (
          <li class="row">
            <Link desk={desk} to={`/-/checks/${id}`} class="name" dir="auto" words={name} />
          </li>
        ))}
      </ul>
      <p>
        <Link desk={desk} to={topicPath(topic, "/settings")} class="btn" words={view.texts.shared.back} />
      </p>
    </Desktop>
  );
};
