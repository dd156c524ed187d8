/** @jsxImportSource #jsx */
/** The topics that a device follows: what of each gets through, one more, one less. */
import type { Subscription } from "../../../devices/device.ts";
import { PRIORITIES } from "../../../drafts/draft.ts";
import { Field } from "../../elements/field.tsx";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Select } from "../../elements/select.tsx";
import { When } from "../deliveries/outcome-words.tsx";
import { deskLink } from "../frame/filter.ts";
import type { DeviceProps } from "./shown.ts";
import { isServers, pathOf } from "./seen-device.ts";
import { Submit } from "../../elements/submit.tsx";

/** How a mute changes: it ends, or lasts this many hours. */
export const MUTES = ["off", "1", "8", "24", "168"] as const;

type TopicsProps = DeviceProps & { name: string };

export const TopicsPanel = (props: TopicsProps): Safe => {
  const { desk, seen } = props;
  const { devices: words } = desk.view.texts;
  const { subscriptions, others } = seen;
  return (
    <section class="panel" id="device-topics" data-live="device" aria-labelledby="device-topics-h">
      <header>
        <h2 id="device-topics-h">{words.follows}</h2>
      </header>
      {subscriptions.length + others === 0 && (
        <div class="in">
          <p class="soft">{seen.device.forward === undefined ? words.noTopics : desk.view.texts.forwards.noTopics}</p>
        </div>
      )}
      <ul class="rows">
        {subscriptions.map((subscription) => (
          <TopicRow {...props} subscription={subscription} />
        ))}
      </ul>
      {(others > 0 || !isServers(seen.device)) && (
        <div class="in">
          {others > 0 && <p class="soft">{words.elsewhere(others)}</p>}
          {!isServers(seen.device) && <AddTopic {...props} />}
        </div>
      )}
    </section>
  );
};

const TopicRow = ({ desk, seen, name, subscription }: TopicsProps & { subscription: Subscription }): Safe => {
  const { view, now } = desk;
  const { devices: words } = view.texts;
  const { topic, mutedUntil = 0, minPriority } = subscription;
  const isMuted = mutedUntil > now;
  const path = `${pathOf(seen)}/topics/${topic.key}`;
  const mutes = (["keep", ...MUTES] as const).filter((one) => one !== "off" || isMuted);
  return (
    <li class="row">
      <div>
        <a class="plain" href={deskLink(desk, `/-/topics/${topic.key}`)} dir="auto">
          <strong>{topic.name}</strong>
        </a>{" "}
        <span class="dim">{topic.namespace}</span>
        <p class="sub">
          {minPriority === undefined ? words.asSet : words.ruled[minPriority]}
          {isMuted && <>. {fill(words.mutedUntil, <When view={view} at={mutedUntil} />)}</>}
        </p>
        <details class="past" id={`rule-${topic.key}`}>
          <summary aria-label={words.changeOf(topic.name)}>{words.change}</summary>
          <form class="in tight" method="post" action={deskLink(desk, path)}>
            <Select
              {...{ view, label: words.least, name: "min", id: `min-${topic.key}`, chosen: minPriority ?? "" }}
              choices={[["", words.asSet], ...PRIORITIES.map((one) => [one, words.ruled[one]] as const)]}
            />
            <Select
              {...{ view, label: words.mute, name: "mute", id: `mute-${topic.key}`, chosen: "keep" }}
              choices={mutes.map((one) => [one, words.mutes[one]])}
            />
            <div>
              <Submit words={view.texts.shared.save} />
            </div>
          </form>
        </details>
      </div>
      <form class="line" method="post" action={deskLink(desk, `${path}/remove`)}>
        <Submit class="btn bare" aria-label={words.removeTopicOf(topic.name, name)} words={words.remove} />
      </form>
    </li>
  );
};

const AddTopic = ({ desk, seen, topics, faulty }: TopicsProps): Safe => {
  const { view } = desk;
  const { devices: words } = view.texts;
  const wrong = faulty?.faults.get("topic");
  if (topics?.length === 0) return <p class="soft">{words.noTopicToAdd}</p>;
  const labelled = { view, label: words.topic, name: "topic", id: "device-topic", wrong };
  return (
    <form class="tight" method="post" action={deskLink(desk, `${pathOf(seen)}/topics`)}>
      {topics === undefined ? (
        <Field {...labelled} value={faulty?.given.get("topic")} hint={words.topicHint} />
      ) : (
        <Select
          {...labelled}
          choices={topics.map(({ key, namespace, name }) => [key, `${namespace} / ${name}`])}
          chosen=""
        />
      )}
      <div>
        <Submit view={view} icon="plus" words={words.add} />
      </div>
    </form>
  );
};
