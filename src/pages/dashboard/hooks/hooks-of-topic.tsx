/** @jsxImportSource #jsx */
/** The hooks of a topic, on the page that explains how to publish to it. The URL comes first. */
import type { Hook } from "../../../hooks/hook.ts";
import type { Topic } from "../../../topics/topic.ts";
import { type Faults, Field } from "../../elements/field.tsx";
import { sourceWord } from "../../feed/card.tsx";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ago } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { topicPath } from "../topics/glance.ts";
import { type HookUrls, nameOf, pathOf } from "./on-hook.ts";
import { Urls } from "./urls.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";
import { Panel } from "../../elements/panel.tsx";

export interface HooksProps {
  /** The topic's hooks, the newest first. */
  hooks: readonly Hook[];
  /** The URLs of the newest. */
  urls?: HookUrls | undefined;
  /** The form of a new one as it was filled in. */
  given?: URLSearchParams | undefined;
  faults?: Faults | undefined;
}

interface PanelProps extends HooksProps {
  desk: Desk;
  topic: Topic;
}

export const HooksPanel = (props: PanelProps): Safe => {
  const { desk, hooks, urls, faults } = props;
  const { hooks: say } = desk.view.texts;
  const [newest, ...others] = hooks;
  return (
    <Panel heading="hooks" title={say.title}>
      <div class="in s">
        <p>{newest === undefined ? say.ledeNone : say.lede}</p>
        {newest === undefined ? (
          <MakeForm {...props} />
        ) : (
          <>
            <div class="tight" id="topic-hook" data-live="message hook">
              <Use desk={desk} hook={newest} />
              <Urls view={desk.view} urls={urls} id={newest.id} />
            </div>
            {others.length > 0 && (
              <details class="past" id="more-hooks" data-live="message hook">
                <summary>{say.all(others.length)}</summary>
                <ul class="tight">
                  {others.map((hook) => (
                    <li>
                      <Use desk={desk} hook={hook} />
                    </li>
                  ))}
                </ul>
              </details>
            )}
            <details class="past" open={faults?.has("name")}>
              <summary>{say.another}</summary>
              <MakeForm {...props} />
            </details>
          </>
        )}
      </div>
    </Panel>
  );
};

const MakeForm = ({ desk, topic, given, faults }: PanelProps): Safe => {
  const { view } = desk;
  const { hooks: say } = view.texts;
  return (
    <form class="tight" method="post" action={deskLink(desk, topicPath(topic, "/hooks"))}>
      <Field
        {...{
          view,
          label: view.texts.shared.name,
          name: "name",
          id: "hook-name",
          hint: say.nameHint,
          value: given?.get("name"),
        }}
        wrong={faults?.get("name")}
        isOptional
        maxlength={100}
      />
      <p>
        <Submit class="btn main" words={say.make} />
      </p>
    </form>
  );
};

/** Its name, and when, from where and by what it was used last. */
const Use = ({ desk, hook }: { desk: Desk; hook: Hook }): Safe => (
  <p>
    <Link desk={desk} to={pathOf(hook)} dir="auto" words={nameOf(desk.view.texts, hook)} />{" "}
    <span class="dim">
      <LastUse desk={desk} hook={hook} />
    </span>
  </p>
);

export const LastUse = ({ desk: { view }, hook }: { desk: Desk; hook: Hook }): Safe => {
  const { hooks: say } = view.texts;
  const { lastUsedAt, lastUsedFrom, lastSource } = hook;
  if (lastUsedAt === undefined) return <>{say.never}</>;
  const rest = [
    ...(lastUsedFrom === undefined ? [] : [view.texts.shared.from(lastUsedFrom)]),
    ...(lastSource === undefined ? [] : [sourceWord(view, lastSource)]),
  ];
  return (
    <>
      {fill(view.texts.shared.used, <Ago view={view} at={lastUsedAt} />)} {rest.join(", ")}
    </>
  );
};
