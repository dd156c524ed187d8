/** @jsxImportSource #jsx */
/** How to publish to a topic: here in a form, from a command line, or from a tool. */
import type { ApiKey } from "../../../../keys/key.ts";
import { LEVELS, PRIORITIES } from "../../../../drafts/draft.ts";
import { type Faults, Field, Labelled } from "../../../elements/field.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { Select } from "../../../elements/select.tsx";
import { SnippetTabs } from "../../../publishing/snippets.tsx";
import { ToolSettings } from "../../../publishing/tool-settings.tsx";
import { KEY_TOOLS } from "../../../publishing/tools.ts";
import { deskLink } from "../../frame/filter.ts";
import { HooksPanel, type HooksProps } from "../../hooks/hooks-of-topic.tsx";
import { topicPath } from "../glance.ts";
import { TopicFrame, type TopicProps } from "../topic.tsx";
import { Submit } from "../../../elements/submit.tsx";
import { Panel } from "../../../elements/panel.tsx";

interface Props extends TopicProps {
  hooked: HooksProps;
  /** That may publish here. */
  keys: readonly ApiKey[];
  /** Chosen by the visitor. */
  chosen?: ApiKey;
  /** As it was filled in. */
  given?: URLSearchParams;
  faults?: Faults;
}

export const PublishTab = (props: Props): Safe => {
  const { desk, glance, hooked, chosen } = props;
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { topic } = glance;
  const namespace = `${view.url}/${topic.namespace}`;
  const filled = chosen === undefined ? {} : { secret: standInFor(chosen) };
  return (
    <TopicFrame desk={desk} glance={glance} tab="publish">
      <HooksPanel desk={desk} topic={topic} {...hooked} />
      <Panel heading="publish" title={texts.publish.title}>
        <div class="in stack">
          <SnippetTabs
            view={view}
            target={{ url: `${namespace}/${topic.name}`, text: view.texts.setup.itWorks, ...filled }}
          />
          <KeyChoice {...props} />
          <PublishForm {...props} />
        </div>
      </Panel>
      <ToolSettings
        view={view}
        url={namespace}
        topic={topic.name}
        tools={KEY_TOOLS}
        title={texts.publish.tools}
        hookUrl={hooked.urls?.url}
        {...filled}
      />
    </TopicFrame>
  );
};

/** Stands for a key that is no longer known in full. */
const standInFor = ({ prefix }: ApiKey): string => `${prefix}…`;

/** Which key the commands have in them. */
const KeyChoice = ({ desk, glance: { topic }, keys, chosen }: Props): Safe => {
  const { view } = desk;
  const { publish: say } = view.texts.topics;
  return (
    <div class="tight">
      <p class="hint">
        {say.needsKey(topic.namespace)} <a href={deskLink(desk, "/-/keys")}>{say.makeKey}</a>
      </p>
      {keys.length > 0 && (
        <form class="line" action={view.base + topicPath(topic, "/publish")}>
          {desk.chosen !== undefined && <input type="hidden" name="ns" value={desk.chosen.name} />}
          <label for="key">{say.withKey}</label>
          <select id="key" name="key" class="fit">
            <option value="">{say.anyKey}</option>
            {keys.map(({ id, prefix, name }) => (
              <option value={id} selected={id === chosen?.id}>
                {name === undefined ? `${prefix}…` : `${prefix}… ${name}`}
              </option>
            ))}
          </select>
          <Submit words={say.useKey} />
        </form>
      )}
      {chosen !== undefined && <p class="hint">{say.placeholder(standInFor(chosen))}</p>}
    </div>
  );
};

const PublishForm = ({ desk, glance: { topic }, given, faults }: Props): Safe => {
  const { view } = desk;
  const { publish: say } = view.texts.topics;
  const about = (name: string) => ({ view, name, wrong: faults?.get(name) });
  return (
    <form class="stack" method="post" action={deskLink(desk, topicPath(topic, "/publish"))}>
      <Labelled {...about("message")} label={say.write}>
        {(tied) => (
          <textarea {...tied} rows="3" dir="auto" required>
            {given?.get("message")}
          </textarea>
        )}
      </Labelled>
      <div class="halves">
        <Field {...about("title")} label={say.title2} value={given?.get("title")} isOptional />
        <div class="line">
          <Select
            {...about("level")}
            label={say.level}
            chosen={given?.get("level") ?? "info"}
            choices={LEVELS.map((level) => [level, view.texts.level[level]])}
            class="fit"
          />
          <Select
            {...about("priority")}
            label={view.texts.shared.priority}
            chosen={given?.get("priority") ?? "normal"}
            choices={PRIORITIES.map((priority) => [priority, say.priorities[priority]])}
            class="fit"
          />
        </div>
      </div>
      <p>
        <Submit view={view} icon="send" class="btn main" words={say.send} />
      </p>
    </form>
  );
};
