/** @jsxImportSource #jsx */
/** The settings of a topic, and the form of a new one. */
import type { Config } from "../../../config/config.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";
import type { Desk } from "../desk.ts";
import { deskLink, shownNamespaces } from "../filter.ts";
import { Desktop } from "../frame.tsx";
import { type Faults, Labelled } from "./form.tsx";
import { topicPath } from "./seen.ts";
import { TopicFrame, type TopicProps } from "./topic.tsx";

interface Form {
  view: View;
  given: URLSearchParams;
  faults?: Faults | undefined;
}

interface TextProps extends Form {
  name: string;
  label: string;
  hint?: string;
  type?: "text" | "datetime-local";
  numeric?: boolean;
}

const Text = ({ view, given, faults, name, label, hint, type = "text", numeric }: TextProps): Safe => (
  <Labelled view={view} name={name} label={label} faults={faults} hint={hint}>
    {(described) => (
      <input
        type={type}
        id={name}
        name={name}
        value={given.get(name)}
        dir={type === "text" && "auto"}
        autocomplete="off"
        spellcheck="false"
        inputmode={numeric === true && "numeric"}
        {...described}
      />
    )}
  </Labelled>
);

export const SettingsTab = ({
  desk,
  glance,
  retention,
  ...form
}: TopicProps & Omit<Form, "view"> & Pick<Config, "retention">): Safe => {
  const { view } = desk;
  const { settings: texts } = view.texts.topics;
  const { topic } = glance;
  const text = { view, ...form };
  const isArchived = topic.archivedAt !== undefined;
  return (
    <TopicFrame desk={desk} glance={glance} tab="settings">
      <section class="panel" aria-labelledby="settings">
        <header>
          <h2 id="settings">{texts.title}</h2>
        </header>
        <form class="in stack" method="post" action={view.base + topicPath(topic, "/settings")}>
          <div class="halves">
            <Text {...text} name="name" label={texts.name} hint={texts.nameHint} />
            <Text {...text} name="description" label={texts.description} hint={texts.descriptionHint} />
            <Text {...text} name="retention_days" label={texts.retention} hint={texts.retentionHint(retention.days)} />
            <Text
              {...text}
              name="retention_messages"
              label={texts.most}
              hint={texts.mostHint(retention.messages)}
              numeric
            />
            <Text
              {...text}
              name="muted_until"
              label={texts.mute}
              hint={texts.muteHint(view.zone)}
              type="datetime-local"
            />
          </div>
          <div class="line">
            <button class="btn main" type="submit">
              {texts.save}
            </button>
            <a class="btn risk bare apart" href={view.base + topicPath(topic, "/delete")}>
              <Icon view={view} name="trash" />
              {texts.delete}
            </a>
          </div>
        </form>
        <form class="in" method="post" action={view.base + topicPath(topic, "/archive")}>
          <input type="hidden" name="archived" value={isArchived ? "false" : "true"} />
          <p class="line">
            <button class="btn" type="submit">
              {isArchived ? texts.unarchive : texts.archive}
            </button>
            <span class="hint">{texts.archiveHint}</span>
          </p>
        </form>
      </section>
    </TopicFrame>
  );
};

export const NewTopicPage = ({ desk, given, faults }: { desk: Desk } & Omit<Form, "view">): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { settings } = texts;
  const text = { view, given, faults };
  const namespaces = desk.namespaces;
  const chosen = given.get("namespace") ?? shownNamespaces(desk)[0]?.name;
  return (
    <Desktop desk={desk} title={texts.newOne} current="topics">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, "/-/topics")}>{texts.title}</a>
          </p>
          <h1>{texts.newOne}</h1>
        </div>
      </div>
      <form class="panel" method="post" action={`${view.base}/-/topics/new`}>
        <div class="in stack">
          <div class="halves">
            <Text {...text} name="name" label={settings.name} hint={settings.nameHint} />
            <Labelled view={view} name="namespace" label={settings.namespace} faults={faults}>
              {(described) => (
                <select id="namespace" name="namespace" {...described}>
                  {namespaces.map(({ name }) => (
                    <option value={name} selected={name === chosen}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Labelled>
          </div>
          <Text {...text} name="description" label={settings.description} hint={settings.descriptionHint} />
          <div class="line">
            <button class="btn main" type="submit">
              {settings.create}
            </button>
            <a class="btn" href={deskLink(desk, "/-/topics")}>
              {settings.cancel}
            </a>
          </div>
        </div>
      </form>
    </Desktop>
  );
};
