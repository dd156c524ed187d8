/** @jsxImportSource #jsx */
/** One topic: its head, and the tabs below it. */
import type { Glance } from "../../../store/glances.ts";
import { feedUrl } from "../../../http/urls.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { BriefTime } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { mutedUntil, topicPath } from "./glance.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

const TABS = ["feed", "publish", "share", "devices", "settings"] as const;
type Tab = (typeof TABS)[number];

export interface TopicProps {
  desk: Desk;
  glance: Glance;
}

export const TopicFrame = ({ desk, glance, tab, children }: TopicProps & { tab: Tab; children?: Child }): Safe => {
  const { view } = desk;
  const { topics: texts } = view.texts;
  const { topic, subscribers } = glance;
  return (
    <Desktop desk={desk} title={topic.name} current="topics">
      <div class="head">
        <div>
          <p class="crumb">
            <a href={deskLink(desk, "/-/topics")}>{view.texts.desk.entries.topics}</a> / <bdi>{topic.namespace}</bdi>
          </p>
          <h1 dir="auto">{topic.name}</h1>
          <Muted desk={desk} glance={glance} />
        </div>
        <div class="line">
          {mutedUntil(topic, desk.now) === undefined ? (
            <Link desk={desk} to={topicPath(topic, "/mute")} class="btn" icon="mute" words={texts.mute.button} />
          ) : (
            <form method="post" action={deskLink(desk, topicPath(topic, "/unmute"))}>
              <Submit view={view} icon="bell" words={view.texts.shared.unmute} />
            </form>
          )}
          <a class="btn" href={feedUrl(view.base, topic)}>
            <Icon view={view} name="open" />
            {texts.openFeed}
          </a>
        </div>
      </div>
      <nav class="tabs" aria-label={texts.tabs.name}>
        {TABS.map((one) => (
          <a
            href={deskLink(desk, topicPath(topic, one === "feed" ? "" : `/${one}`))}
            aria-current={one === tab && "page"}
          >
            {texts.tabs[one]}
            {one === "devices" && subscribers > 0 && <span class="dim"> {subscribers}</span>}
          </a>
        ))}
      </nav>
      {children}
    </Desktop>
  );
};

/** Why nothing rings now. */
const Muted = ({ desk: { view, now, namespaces }, glance: { topic } }: TopicProps): Safe => {
  const { topics: texts } = view.texts;
  const own = mutedUntil(topic, now);
  const namespace = namespaces.find(({ id }) => id === topic.namespaceId);
  const all = namespace && mutedUntil(namespace, now);
  return (
    <>
      {topic.description !== undefined && (
        <p class="soft" dir="auto">
          {topic.description}
        </p>
      )}
      {own !== undefined && <p class="soft">{fill(texts.devicesTab.muted, <BriefTime view={view} at={own} />)}</p>}
      {all !== undefined && (
        <p class="soft">{fill(texts.mute.namespace(topic.namespace), <BriefTime view={view} at={all} />)}</p>
      )}
    </>
  );
};
