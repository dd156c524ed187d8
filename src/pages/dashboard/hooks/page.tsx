/** @jsxImportSource #jsx */
/** One hook: its URL, its requests and what they became, and its settings. */
import { firstWords, sourceWord } from "../../feed/card.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Code, Icon } from "../../layout.tsx";
import { HookToolSettings } from "../../publishing/tool-settings.tsx";
import type { Millis } from "../../../util/clock.ts";
import { fill } from "../../elements/fill.ts";
import { Ago, BriefTime } from "../../elements/times.tsx";
import { sh } from "../../../util/text/quoting.ts";
import type { View } from "../../view.ts";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { topicPath } from "../topics/glance.ts";
import { Came } from "./came.tsx";
import { LastUse } from "./hooks-of-topic.tsx";
import { DIALECT_TITLES, nameOf, pathOf } from "./on-hook.ts";
import { Urls } from "./urls.tsx";
import type { Whole } from "./gather.tsx";
import { Link } from "../frame/link.tsx";
import { Panel } from "../../elements/panel.tsx";
import { Terms } from "../../elements/terms.tsx";
import { Waits } from "../../elements/waits.tsx";

interface Shown {
  desk: Desk;
  whole: Whole;
}

/** The way to a page of a hook, and its name. */
export const HookHead = ({ desk, hook, title }: { desk: Desk; hook: Whole["hook"]; title?: string }): Safe => {
  return (
    <div class="head">
      <div>
        <p class="crumb">
          <a href={deskLink(desk, "/-/topics")}>{desk.view.texts.desk.entries.topics}</a> / <bdi>{hook.namespace}</bdi>{" "}
          / <Link desk={desk} to={topicPath(hook.topic, "/publish")} dir="auto" words={hook.topic.name} />
          {title !== undefined && (
            <>
              {" / "}
              <Link desk={desk} to={pathOf(hook)} dir="auto" words={nameOf(desk.view.texts, hook)} />
            </>
          )}
        </p>
        <h1 dir="auto">{title ?? nameOf(desk.view.texts, hook)}</h1>
      </div>
    </div>
  );
};

export const HookPage = ({ desk, whole }: Shown): Safe => {
  const { view } = desk;
  const { hooks: say } = view.texts;
  const { hook, urls } = whole;
  return (
    <Desktop desk={desk} title={nameOf(view.texts, hook)} current="topics">
      <HookHead desk={desk} hook={hook} />
      <div class="cols">
        <div class="stack">
          <section class="panel" aria-labelledby="url">
            <header>
              <h2 id="url">{say.urlTitle}</h2>
              <span class="dim" id="hook-use" data-live="message hook">
                <LastUse desk={desk} hook={hook} />
              </span>
            </header>
            <div class="in">
              <Urls view={view} urls={urls} id={hook.id} />
            </div>
          </section>
          <Requests desk={desk} whole={whole} />
          {urls !== undefined && <HookToolSettings view={view} url={urls.url} title={say.whereTo} />}
        </div>
        <Side desk={desk} whole={whole} />
      </div>
    </Desktop>
  );
};

const Requests = ({ desk, whole }: Shown): Safe => {
  const { view } = desk;
  const { hooks: say } = view.texts;
  const { hook, requests, chosen, urls } = whole;
  if (chosen === undefined)
    return (
      <div class="tight" id="hook-requests" data-live="message hook">
        {hook.settings.isForgetful === true ? (
          <p class="soft">{say.notKept}</p>
        ) : (
          <Waits
            view={view}
            words={say.waiting}
            hint={<span class="hint">{say.waitingHint}</span>}
            again={deskLink(desk, pathOf(hook))}
          />
        )}
        {urls !== undefined && (
          <Code
            view={view}
            label={view.texts.command}
            text={`curl -d ${sh(view.texts.setup.itWorks)} ${sh(urls.url)}`}
            wrap
          />
        )}
      </div>
    );
  return (
    <section class="panel" aria-labelledby="came" id="hook-requests" data-live="message hook">
      <header>
        <h2 id="came">{say.kept(requests.length)}</h2>
        <a class="btn" href={deskLink(desk, pathOf(hook, "/map"), { r: String(chosen.request.n) })}>
          {say.map.open}
        </a>
      </header>
      <div class="in">
        <div class="becomes">
          <div class="tight">
            <h3>{say.came}</h3>
            <Came view={view} request={chosen.request} content={chosen.content} />
          </div>
          <div class="tight">
            <h3>{say.became}</h3>
            {chosen.card ?? (
              <p class="soft">
                <Missing view={view} waitsUntil={chosen.waitsUntil} />
              </p>
            )}
          </div>
        </div>
        <p class="hint">{say.keptFor}</p>
      </div>
      {requests.length > 1 && (
        <ul class="rows">
          {requests.map((one) => (
            <Row desk={desk} hook={hook} one={one} isChosen={one.request.n === chosen.request.n} />
          ))}
        </ul>
      )}
    </section>
  );
};

/** Why a request has no message. */
const Missing = ({ view, waitsUntil }: { view: View; waitsUntil: Millis | undefined }): Safe =>
  waitsUntil === undefined ? (
    <>{view.texts.hooks.gone}</>
  ) : (
    <>{fill(view.texts.hooks.waits, <BriefTime view={view} at={waitsUntil} />)}</>
  );

/** A request in one line: what it became, where it came from. */
const Row = ({
  desk,
  hook,
  one: { request, draft, waitsUntil },
  isChosen,
}: {
  desk: Desk;
  hook: Whole["hook"];
  one: Whole["requests"][number];
  isChosen: boolean;
}): Safe => {
  const { view } = desk;
  return (
    <li class="row dense">
      <div>
        <p>
          <a
            class="name"
            href={deskLink(desk, pathOf(hook), { r: String(request.n) })}
            aria-current={isChosen && "true"}
            dir="auto"
          >
            {draft === undefined ? <Missing view={view} waitsUntil={waitsUntil} /> : firstWords({ draft })}
          </a>
        </p>
        <p class="sub">
          {sourceWord(view, request.source)} {view.texts.shared.from(request.from)}
        </p>
      </div>
      <span class="dim num">
        <Ago view={view} at={request.at} />
      </span>
    </li>
  );
};

const Side = ({ desk, whole: { hook } }: Shown): Safe => {
  const { view } = desk;
  const { hooks: texts } = view.texts;
  const { settings: say } = texts;
  const { as, get, isForgetful, map } = hook.settings;
  const facts: [string, Child][] = [
    [say.as, as === undefined ? say.anything : DIALECT_TITLES[as]],
    [say.map, map === undefined ? say.mapOff : say.mapOn],
    [say.capture, isForgetful === true ? say.captureOff : say.captureOn],
    [say.get, get === true ? say.getOn : say.getOff],
    [say.created, <Ago view={view} at={hook.createdAt} />],
  ];
  return (
    <div class="stack">
      <Panel
        heading="settings"
        title={say.title}
        end={<a href={deskLink(desk, pathOf(hook, "/edit"))}>{view.texts.shared.edit}</a>}
      >
        <div class="in">
          <Terms facts={facts} />
        </div>
      </Panel>
      <section class="tight" aria-label={view.texts.checks.moreActs}>
        <div>
          <Link desk={desk} to={pathOf(hook, "/rotate")} class="btn bare" icon="rotate" words={texts.rotate.button} />
        </div>
        <div>
          <a class="btn risk bare" href={deskLink(desk, pathOf(hook, "/delete"))}>
            <Icon view={view} name="trash" />
            {texts.remove.button}
          </a>
        </div>
      </section>
    </div>
  );
};
