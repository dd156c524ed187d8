/** @jsxImportSource #jsx */
/** The share link of a topic: to copy, to scan, to replace. */
import type { Device } from "../../../devices/device.ts";
import { deviceRef } from "../../../util/ids.ts";
import { isOwnMachine, topicUrl } from "../../../http/urls.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Qr } from "../../elements/qr.tsx";
import { Ask } from "../ask.tsx";
import { nameOf } from "../devices/device-words.tsx";
import { topicPath } from "./glance.ts";
import { TopicFrame, type TopicProps } from "./topic.tsx";
import { Link } from "../frame/link.tsx";
import { OnPhone } from "../../elements/ntfy-app.tsx";
import { Panel } from "../../elements/panel.tsx";
import { CopyText } from "../../elements/copy-line.tsx";

export const ShareTab = ({ desk, glance, upstream }: TopicProps & { upstream: string | undefined }): Safe => {
  const { view } = desk;
  const { share } = view.texts.topics;
  const { topic, subscribers } = glance;
  const url = topicUrl(view.url, topic);
  return (
    <TopicFrame desk={desk} glance={glance} tab="share">
      <Panel heading="share" title={view.texts.topics.tabs.share}>
        <div class="in">
          <div class="side">
            <Qr text={url} label={view.texts.shared.shareQr(topic.name)} />
            <div class="stack">
              <p>{share.text}</p>
              {isOwnMachine(url) && <p>{share.ownMachine}</p>}
              <CopyText view={view} text={url} label={view.texts.shared.copyShareLink} />
              <div class="tight">
                <h3>{share.replaceTitle}</h3>
                <p class="soft">{share.replaceText(subscribers)}</p>
                <div>
                  <Link desk={desk} to={topicPath(topic, "/replace")} class="btn" icon="rotate" words={share.replace} />
                </div>
              </div>
            </div>
          </div>
        </div>
      </Panel>
      {!isOwnMachine(url) && <OnPhone {...{ view, topic, upstream }} />}
    </TopicFrame>
  );
};

/** How many devices are named one by one. */
export const NAMED = 100;

/** `devices`: the first of them. */
export const AskReplace = ({ desk, glance, devices }: TopicProps & { devices: readonly Device[] }): Safe => {
  const { view } = desk;
  const { replace } = view.texts.topics;
  const { topic, subscribers } = glance;
  return (
    <Ask
      desk={desk}
      question={replace.question(topic.name)}
      lede={replace.lede}
      action={topicPath(topic, "/replace")}
      button={replace.button}
      icon="rotate"
      isMild
      keep={{ text: replace.back, to: topicPath(topic, "/share") }}
    >
      {subscribers > 0 && (
        <fieldset>
          <legend>{replace.keep}</legend>
          {devices.length < subscribers ? (
            <>
              <label class="pick">
                <input type="radio" name="keep" value="all" checked />
                {replace.keepAll(subscribers)}
              </label>
              <label class="pick">
                <input type="radio" name="keep" value="none" />
                {replace.keepNone}
              </label>
            </>
          ) : (
            devices.map((device) => (
              <label class="pick">
                <input type="checkbox" name="keep" value={deviceRef(device.id)} checked={device.lost === undefined} />
                <span dir="auto">{nameOf(view.texts, device)}</span>
              </label>
            ))
          )}
        </fieldset>
      )}
    </Ask>
  );
};
