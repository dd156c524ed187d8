/** @jsxImportSource #jsx */
/** The settings of a topic, and the form of a new one. */
import type { Config } from "../../../../config/config.ts";
import { type Faults, Field } from "../../../elements/field.tsx";
import type { Safe } from "../../../jsx/jsx-runtime.ts";
import { Icon } from "../../../layout.tsx";
import { Select } from "../../../elements/select.tsx";
import type { View } from "../../../view.ts";
import type { Desk } from "../../signed-in.ts";
import { deskLink, shownNamespaces } from "../../frame/filter.ts";
import { MARK, StaleNote } from "../../stale.tsx";
import { Desktop } from "../../frame/frame.tsx";
import { topicPath } from "../glance.ts";
import { MUTE_SHOWN } from "./form-body.ts";
import { TopicFrame, type TopicProps } from "../topic.tsx";
import { Submit } from "../../../elements/submit.tsx";
import { Link } from "../../frame/link.tsx";
import { Panel } from "../../../elements/panel.tsx";

interface Form {
  view: View;
  given: URLSearchParams;
  faults?: Faults | undefined;
}

/** A field by its name in the API. */
const fields =
  ({ view, given, faults }: Form) =>
  (
    name: string,
    label: string,
    hint?: string,
    rest: Partial<Pick<Parameters<typeof Field>[0], "type" | "inputmode">> = {},
  ): Safe => (
    <Field
      {...{ view, label, name, hint, value: given.get(name), wrong: faults?.get(name) }}
      isOptional={name !== "name"}
      {...rest}
    />
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
  const field = fields({ view, ...form });
  const isArchived = topic.archivedAt !== undefined;
  return (
    <TopicFrame desk={desk} glance={glance} tab="settings">
      <Panel heading="settings" title={texts.title}>
        <form class="in stack" method="post" action={deskLink(desk, topicPath(topic, "/settings"))}>
          {[MUTE_SHOWN, MARK].map((name) => (
            <input type="hidden" name={name} value={form.given.get(name)} />
          ))}
          {form.faults?.has(MARK) === true && <StaleNote desk={desk} to={topicPath(topic, "/settings")} />}
          <div class="halves">
            {field("name", view.texts.shared.name, texts.nameHint)}
            {field("description", texts.description, texts.descriptionHint)}
            {field("retention_days", texts.retention, texts.retentionHint(retention.days))}
            {field("retention_messages", texts.most, texts.mostHint(retention.messages), { inputmode: "numeric" })}
            {field("muted_until", texts.mute, texts.muteHint(view.zone), { type: "datetime-local" })}
          </div>
          <div class="line">
            <Submit class="btn main" words={view.texts.shared.save} />
          </div>
        </form>
        <form class="in" method="post" action={deskLink(desk, topicPath(topic, "/archive"))}>
          <input type="hidden" name="archived" value={isArchived ? "false" : "true"} />
          <div class="line">
            <Submit words={isArchived ? texts.unarchive : texts.archive} />
            <span class="hint">{texts.archiveHint}</span>
            <a class="btn risk bare apart" href={deskLink(desk, topicPath(topic, "/delete"))}>
              <Icon view={view} name="trash" />
              {texts.delete}
            </a>
          </div>
        </form>
      </Panel>
    </TopicFrame>
  );
};

export const NewTopicPage = ({ desk, given, faults }: { desk: Desk } & Omit<Form, "view">): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { settings } = texts;
  const field = fields({ view, given, faults });
  return (
    <Desktop desk={desk} title={texts.newOne} current="topics">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, "/-/topics")}>{view.texts.desk.entries.topics}</a>
          </p>
          <h1>{texts.newOne}</h1>
        </div>
      </div>
      <form class="panel" method="post" action={deskLink(desk, "/-/topics/new")}>
        <div class="in stack">
          <div class="halves">
            {field("name", view.texts.shared.name, settings.nameHint)}
            <Select
              {...{ view, label: view.texts.shared.namespace, name: "namespace", wrong: faults?.get("namespace") }}
              chosen={given.get("namespace") ?? shownNamespaces(desk)[0]?.name ?? ""}
              choices={desk.namespaces.map(({ name }) => [name, name])}
            />
          </div>
          {field("description", settings.description, settings.descriptionHint)}
          <div class="line">
            <Submit class="btn main" words={settings.create} />
            <Link desk={desk} to="/-/topics" class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </div>
      </form>
    </Desktop>
  );
};
