/** @jsxImportSource #jsx */
/** How to publish to a topic: here in a form, from a command line, or from a tool. */
import type { ApiKey } from "../../../../keys/key.ts";
import { LEVELS, PRIORITIES } from "../../../../drafts/draft.ts";
import { type Faults, Field, Labelled } from "../../../elements/field.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Select } from "../../../elements/select.tsx";
import { SnippetTabs } from "../../../publishing/snippets.tsx";
import { ToolSettings } from "../../../publishing/tool-settings.tsx";
import { KEY_TOOLS } from "../../../publishing/tools.ts";
import { deskLink } from "../../frame/filter.ts";
import { HooksPanel, type HooksProps } from "../../hooks/panel.tsx";
import { topicPath } from "../glance.ts";
import { TopicFrame, type TopicProps } from "../topic.tsx";

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

export const PublishTab = ({ desk, glance, hooked, keys, chosen, given, faults }: Props): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { topic } = glance;
  const namespace = `${view.url}/${topic.namespace}`;
  const secret = chosen && `${chosen.prefix}…`;
  const filled = secret === undefined ? {} : { secret };
  const about = (name: string) => ({ view, name, wrong: faults?.get(name) });
  return (
    <TopicFrame desk={desk} glance={glance} tab="publish">
      <HooksPanel desk={desk} topic={topic} {...hooked} />
      <section class="panel" aria-labelledby="publish">
        <header>
          <h2 id="publish">{texts.publish.title}</h2>
        </header>
        <div class="in stack">
          <SnippetTabs
            view={view}
            target={{ url: `${namespace}/${topic.name}`, text: view.texts.setup.itWorks, ...filled }}
          />
          <div class="tight">
            <p class="hint">
              {texts.publish.needsKey(topic.namespace)} <a href={deskLink(desk, "/-/keys")}>{texts.publish.makeKey}</a>
            </p>
            {keys.length > 0 && (
              <form class="line" action={view.base + topicPath(topic, "/publish")}>
                {desk.chosen !== undefined && <input type="hidden" name="ns" value={desk.chosen.name} />}
                <label for="key">{texts.publish.withKey}</label>
                <select id="key" name="key" class="fit">
                  <option value="">{texts.publish.anyKey}</option>
                  {keys.map(({ id, prefix, name }) => (
                    <option value={id} selected={id === chosen?.id}>
                      {name === undefined ? `${prefix}…` : `${prefix}… ${name}`}
                    </option>
                  ))}
                </select>
                <button class="btn" type="submit">
                  {texts.publish.useKey}
                </button>
              </form>
            )}
            {secret !== undefined && <p class="hint">{texts.publish.placeholder(secret)}</p>}
          </div>
          <form class="stack" method="post" action={deskLink(desk, topicPath(topic, "/publish"))}>
            <Labelled {...about("message")} label={texts.publish.write}>
              {(tied) => (
                <textarea {...tied} rows="3" dir="auto" required>
                  {given?.get("message")}
                </textarea>
              )}
            </Labelled>
            <div class="halves">
              <Field {...about("title")} label={texts.publish.title2} value={given?.get("title")} isOptional />
              <div class="line">
                <Select
                  {...about("level")}
                  label={texts.publish.level}
                  chosen={given?.get("level") ?? "info"}
                  choices={LEVELS.map((level) => [level, view.texts.level[level]])}
                  class="fit"
                />
                <Select
                  {...about("priority")}
                  label={texts.publish.priority}
                  chosen={given?.get("priority") ?? "normal"}
                  choices={PRIORITIES.map((priority) => [priority, texts.publish.priorities[priority]])}
                  class="fit"
                />
              </div>
            </div>
            <p>
              <button class="btn main" type="submit">
                <Icon view={view} name="send" />
                {texts.publish.send}
              </button>
            </p>
          </form>
        </div>
      </section>
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
