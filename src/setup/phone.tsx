/** @jsxImportSource #jsx */
/** Third screen of the first run: a phone that gets notifications (WEB.md §2). */
import type { Delivery } from "../delivery/delivery.ts";
import type { Deps } from "../deps.ts";
import type { Device } from "../devices/device.ts";
import { isOwnMachine, topicUrl } from "../http/urls.ts";
import { fill } from "../pages/elements/fill.ts";
import type { Child, Safe } from "../pages/jsx/jsx-runtime.ts";
import { Icon } from "../pages/layout.tsx";
import { Qr } from "../pages/elements/qr.tsx";
import type { View } from "../pages/view.ts";
import type { Topic } from "../topics/topic.ts";
import type { TlsStatus } from "../tls/tls.ts";
import type { Millis } from "../util/clock.ts";
import { Connected } from "./connected.tsx";
import { isWorking, OwnState, WaysToHttps } from "./https.tsx";
import { Screen } from "./steps.tsx";
import { Link } from "../pages/dashboard/frame/link.tsx";
import { CopyText } from "../pages/elements/copy-line.tsx";
import { canRead, hindrance, NtfyApp } from "../pages/elements/ntfy-app.tsx";
import { Panel } from "../pages/elements/panel.tsx";
import { Submit } from "../pages/elements/submit.tsx";
import { Waits } from "../pages/elements/waits.tsx";

interface PhoneProps {
  view: View;
  topic: Topic;
  now: Millis;
  /** The latest one that subscribed to the topic. */
  device?: Device;
  subscribedAt?: Millis;
  /** The last one that was sent to it. */
  test?: Delivery;
  lanes: Pick<Deps["delivery"], "lane" | "restsUntil">;
  /** Of peal's own https, if it is turned on, and the browser has not come over https and so shown that it works. */
  tls: TlsStatus | undefined;
  /** PEAL_NTFY_UPSTREAM. */
  upstream: string | undefined;
  /** Above all: what a form did. */
  note: Safe | undefined;
}

export const PhonePage = (props: PhoneProps): Safe => {
  const { view, topic, now, device, subscribedAt = now, tls, note, upstream } = props;
  const words = view.texts.setup;
  const kind = view.url.startsWith("https:") ? "phone" : isOwnMachine(view.url) ? "computer" : "page";
  const hasApp = canRead(view);
  const heads = {
    phone: [view.texts.phone.title, words.phoneLede],
    computer: [words.computerTitle, words.computerLede],
    page: [view.texts.phone.title, hasApp ? words.pageLedeApp : words.pageLede],
  } as const;
  const [title, lede] = heads[kind];
  const { app } = view.texts.phone;
  const isReady = kind !== "phone" || tls === undefined || isWorking(view, tls);
  return (
    <Screen view={view} step={3} title={words.step3} words={JSON.stringify(view.texts.live)} at={now}>
      {note}
      <div class="tight">
        <h1>{title}</h1>
        <p class="lede">{lede}</p>
      </div>
      {kind === "phone" && tls !== undefined && <OwnState view={view} tls={tls} />}
      {kind === "phone" && isReady && <Connect view={view} topic={topic} />}
      {kind === "page" && hasApp && (
        <>
          <ByApp {...{ view, topic, upstream }} title={app} opened />
          <h2>{words.pageTitle}</h2>
        </>
      )}
      {kind === "page" && <OpenThere view={view} topic={topic} />}
      {kind === "computer" && (
        <section class="panel" aria-label={words.computer}>
          <div class="in">
            <ComputerSteps view={view} topic={topic} />
          </div>
        </section>
      )}
      {kind !== "page" && (isReady || device !== undefined) && (
        <div id="device" role="status" data-live="device delivery">
          {device === undefined ? <Waiting view={view} /> : <Connected {...props} {...{ device, subscribedAt }} />}
        </div>
      )}
      <p class="wrong" role="alert" data-test-failed hidden>
        <Icon view={view} name="error" />
        {words.testFailed}
      </p>
      {kind === "phone" && isReady && hasApp && (
        <ByApp {...{ view, topic, upstream }} title={app} lede={words.appLede} />
      )}
      {kind === "computer" && hasApp && <ByApp {...{ view, topic, upstream }} title={view.texts.phone.title} />}
      {kind === "computer" && (
        <details class="acc">
          <summary>{words.httpsTitle}</summary>
          <div class="tight">
            <p>{words.httpsLede}</p>
            <WaysToHttps view={view} tls={tls} />
          </div>
        </details>
      )}
      {kind === "page" && (
        <>
          <div class="tight">
            <h2>{words.httpsTitle}</h2>
            <p class="lede">{words.httpsLede}</p>
          </div>
          <WaysToHttps view={view} tls={tls} />
        </>
      )}
      <div class="line go" id="go" data-live="device">
        <Link
          desk={{ view }}
          to="/-/"
          class={device === undefined ? "btn" : "btn main"}
          words={device === undefined ? words.later : words.toOverview}
        />
        <Link desk={{ view }} to="/-/setup/message" class="btn bare" words={view.texts.shared.back} />
      </div>
    </Screen>
  );
};

/** The topic in ntfy's app, with a message to see whether it arrives there. */
const ByApp = ({ title, ...app }: { title: string } & Parameters<typeof NtfyApp>[0]): Safe => {
  const { view } = app;
  return (
    <Panel heading="app-h" title={title}>
      <NtfyApp {...app} />
      {hindrance(view) === undefined && (
        <form class="in" method="post" action={`${view.base}/-/setup/phone/message`}>
          <div>
            <Submit view={view} icon="send" words={view.texts.setup.sendToApp} />
          </div>
        </form>
      )}
    </Panel>
  );
};

const Waiting = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  const hint = view.url.startsWith("https:") ? (
    <span class="hint">{words.waitingDeviceHint}</span>
  ) : (
    <span class="hint js">{words.waitingDeviceHere}</span>
  );
  return <Waits view={view} words={words.waitingDevice} hint={hint} again={`${view.base}/-/setup/phone`} />;
};

const Connect = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const words = view.texts.setup;
  const strong = (texts: readonly string[]) => texts.map((text) => <strong>{text}</strong>);
  const share = <Icon view={view} name="share" />;
  return (
    <ByLink view={view} topic={topic} label={words.connect}>
      <details class="acc" name="phone" open>
        <summary>{words.iphone}</summary>
        <ol class="how">
          <Step>{fill(words.iphone1, ...strong(["Safari"]))}</Step>
          <Step>{fill(words.iphone2, share, ...strong(words.iphone2Taps))}</Step>
          <Step>{fill(words.iphone3, ...strong([view.texts.notify.start, words.allow]))}</Step>
        </ol>
      </details>
      <details class="acc" name="phone">
        <summary>Android</summary>
        <ol class="how">
          <Step>{words.android1}</Step>
          <Step>{fill(words.tap, ...strong([view.texts.notify.start]))}</Step>
          <Step>{fill(words.android3, ...strong([words.allow]))}</Step>
        </ol>
      </details>
      <details class="acc" name="phone">
        <summary>{words.computer}</summary>
        <ComputerSteps view={view} topic={topic} />
      </details>
    </ByLink>
  );
};

/** What a phone can do without https: its browser shows the page, and new messages on it. */
const OpenThere = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const words = view.texts.setup;
  return (
    <ByLink view={view} topic={topic} label={words.connect} isTight>
      <ol class="how">
        <Step>{words.page1}</Step>
        <Step>{words.page2}</Step>
      </ol>
    </ByLink>
  );
};

type Linked = Pick<PhoneProps, "view" | "topic"> & { label: string; isTight?: true; children: Child };

/** The share link to scan and to copy, with what to do with it. */
const ByLink = ({ view, topic, label, isTight, children }: Linked): Safe => {
  const link = topicUrl(view.url, topic);
  return (
    <section class="panel" aria-label={label}>
      <div class="in">
        <div class="side">
          <div class="tight">
            <Qr text={link} label={view.texts.shared.shareQr(topic.name)} />
            <p class="hint">{view.texts.setup.linkHint}</p>
          </div>
          <div class={isTight && "tight"}>
            {children}
            <CopyText view={view} text={link} label={view.texts.shared.copyShareLink} />
          </div>
        </div>
      </div>
    </section>
  );
};

const ComputerSteps = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const words = view.texts.setup;
  const open = (
    <a href={topicUrl(view.base, topic)} target="_blank" rel="noopener">
      {words.openTopic}
    </a>
  );
  return (
    <ol class="how">
      <Step>{fill(words.computer1, open)}</Step>
      <Step>{fill(words.computer2, <strong>{view.texts.notify.start}</strong>, <strong>{words.allow}</strong>)}</Step>
      <Step>{words.computer3}</Step>
    </ol>
  );
};

const Step = ({ children }: { children?: Child }): Safe => (
  <li>
    <span>{children}</span>
  </li>
);
