/** @jsxImportSource #jsx */
/** Second screen of the first run: the first message, live (WEB.md §2). */
import { feedUrl } from "../http/urls.ts";
import { CopyLine } from "../pages/elements/copy-line.tsx";
import { fill } from "../pages/elements/fill.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import { Icon } from "../pages/layout.tsx";
import { SnippetTabs } from "../pages/publishing/snippets.tsx";
import { ToolSettings } from "../pages/publishing/tool-settings.tsx";
import type { View } from "../pages/view.ts";
import type { Topic } from "../topics/topic.ts";
import { Screen } from "./steps.tsx";
import { Submit } from "../pages/elements/submit.tsx";
import { Panel } from "../pages/elements/panel.tsx";
import { Waits } from "../pages/elements/waits.tsx";
import { Link } from "../pages/dashboard/frame/link.tsx";

/** A key that can publish, as it is shown: this once. */
export interface ShownKey {
  secret: string;
}

interface FirstMessageProps {
  view: View;
  topic: Topic;
  /** Absent: it was shown before. */
  made?: ShownKey;
  /** The URL of a hook; absent if there is none. */
  hookUrl?: string | undefined;
  /** The newest message, as the feed shows it. */
  card?: Safe;
  /** Above all: what a form did. */
  note?: Safe | undefined;
}

/** Below the base path. */
const HERE = "/-/setup/message";

export const FirstMessagePage = ({ view, topic, made, hookUrl, card, note }: FirstMessageProps): Safe => {
  const words = view.texts.setup;
  const here = view.base + HERE;
  const publish = `${view.url}/${topic.namespace}/${topic.name}?level=success`;
  const target = { url: publish, text: words.itWorks, ...(made && { secret: made.secret }) };
  const names = [<strong>{topic.namespace}</strong>, <strong>{topic.name}</strong>];
  return (
    <Screen view={view} step={2} title={words.step2} words={JSON.stringify(view.texts.live)}>
      {note}
      <div class="tight">
        <h1>{words.firstTitle}</h1>
        <p class="lede">{fill(made ? words.ready : words.readyBefore, ...names)}</p>
      </div>
      <HookUrl view={view} url={hookUrl} mayLeave={made === undefined} />
      <Panel heading="with-key" title={words.withKey}>
        <div class="in">
          <SnippetTabs view={view} target={target} />
          {made ? <OnlyNow view={view} /> : <KeyAgain view={view} to={here} />}
        </div>
      </Panel>
      {card === undefined && (
        <Waits
          {...{ view, words: words.waiting, again: here, feed: feedUrl(view.base, topic) }}
          hint={<span class="hint js">{words.waitingHint}</span>}
        />
      )}
      <div class="got" role="status" data-got hidden={card === undefined}>
        <h2>
          <span class="st up">
            <Icon view={view} name="up" />
            {words.arrived}
          </span>
        </h2>
        {card}
      </div>
      <p class="wrong" role="alert" data-test-failed hidden>
        <Icon view={view} name="error" />
        {words.testFailed}
      </p>
      <div class="line go" data-here={here}>
        <Link desk={{ view }} to="/-/setup/phone" class="btn main" words={words.next} />
        {card === undefined && <TillGot view={view} made={made} />}
      </div>
      <ToolSettings
        view={view}
        url={`${view.url}/${topic.namespace}`}
        hookUrl={hookUrl}
        {...(made && { secret: made.secret })}
      />
    </Screen>
  );
};

/** What can be done until a message has come. */
const TillGot = ({ view, made }: { view: View; made: ShownKey | undefined }): Safe => {
  const words = view.texts.setup;
  return (
    <>
      {/* without a script the page would go, and the key with it */}
      <form class={made && "js"} method="post" action={`${view.base}/-/setup/test`} data-test data-till-got>
        <Submit view={view} icon="send" words={words.sendTest} />
      </form>
      <a class="btn bare" href={`${view.base}/-/`} data-till-got>
        {words.skip}
      </a>
    </>
  );
};

/** `mayLeave`: nothing on the page is shown this once. */
const HookUrl = ({ view, url, mayLeave }: { view: View; url: string | undefined; mayLeave: boolean }): Safe => {
  const { hooks: say } = view.texts;
  if (url === undefined && !mayLeave) return <></>;
  return (
    <Panel heading="hook" title={say.title}>
      <div class="in">
        <p>{url === undefined ? say.ledeNone : say.lede}</p>
        {url === undefined ? (
          <form method="post" action={`${view.base}/-/setup/hook`}>
            <Submit words={say.make} />
          </form>
        ) : (
          <>
            <CopyLine view={view} text={url} label={say.copy} />
            <p class="hint">{say.secret}</p>
          </>
        )}
      </div>
    </Panel>
  );
};

const OnlyNow = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  return (
    <div class="note warning">
      <Icon view={view} name="keys" large />
      <p>{fill(words.onlyNow, <strong>{words.onlyNowStrong}</strong>)}</p>
    </div>
  );
};

const KeyAgain = ({ view, to }: { view: View; to: string }): Safe => {
  const words = view.texts.setup;
  return (
    <form class="note info" method="post" action={to}>
      <Icon view={view} name="keys" large />
      <div class="tight">
        <p>{fill(words.keyAgain, <code>$KEY</code>)}</p>
        <div>
          <Submit words={words.makeKey} />
        </div>
      </div>
    </form>
  );
};
