/** @jsxImportSource #jsx */
/** Notifications of a topic for this browser, in all their states; the script shows the one that is (static/notify.ts). */
import type { Topic } from "../../topics/topic.ts";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { fill } from "../elements/fill.ts";
import { canRead, ON_PHONE } from "../elements/ntfy-app.tsx";
import { Icon, type IconName } from "../layout.tsx";
import type { View } from "../view.ts";

/** `data-when`: the states in which a part is shown. */
export const NotifyMe = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const words = view.texts.notify;
  const byApp = (text: string, withApp: string) =>
    canRead(view) ? fill(withApp, <a href={`#${ON_PHONE}`}>{words.ntfyApp}</a>) : text;
  return (
    <section
      class="notify js"
      aria-label={words.about}
      tabindex="-1"
      data-notify
      data-state="off"
      data-namespace={topic.namespace}
      data-topic={topic.key}
    >
      <div class="panel" data-when="off asking joining on lost failed home-screen">
        <div class="in">
          <State when="off" title={words.offTitle}>
            {words.off}
          </State>
          <State when="asking" title={words.askingTitle}>
            {words.asking}
          </State>
          <State when="joining" title={words.joiningTitle}>
            {words.joining}
          </State>
          <State when="on" title={words.onTitle} />
          <State when="lost" title={words.lostTitle}>
            {words.lost}
          </State>
          <State when="failed" title={words.failedTitle} />
          <State when="home-screen" title={words.homeScreenTitle}>
            {words.homeScreen}
          </State>
          <ol class="how" data-when="home-screen" hidden>
            <Step words={words.step1} icon={<Icon view={view} name="share" />} />
            <Step words={words.step2} />
            <Step words={words.step3} />
          </ol>
          <div class="line" data-when="off asking joining lost failed">
            <button class="btn main wide" type="button" data-start>
              <Icon view={view} name="bell" />
              <span data-when="off asking joining failed">{words.start}</span>
              <span data-when="lost" hidden>
                {words.startAgain}
              </span>
            </button>
          </div>
          <div class="line" data-when="on" hidden>
            <button class="btn" type="button" data-try>
              <Icon view={view} name="bell" />
              {view.texts.shared.sendTest}
            </button>
            <button class="btn" type="button" data-stop>
              {words.stop}
            </button>
          </div>
          <p class="hint" data-when="on" data-answer hidden></p>
        </div>
      </div>
      <Note view={view} when="blocked" tone="warning" icon="warning" title={words.blockedTitle} text={words.blocked} />
      <Note
        view={view}
        when="insecure"
        tone="info"
        icon="lock"
        title={words.insecureTitle}
        text={byApp(words.insecure, words.insecureApp)}
      />
      <Note
        view={view}
        when="unsupported"
        tone="info"
        icon="info"
        title={words.unsupportedTitle}
        text={byApp(words.unsupported, words.unsupportedApp)}
      />
    </section>
  );
};

/** Mutes the topic on this device; shown if the device gets notifications (static/quiet.ts). */
export const Quiet = ({ view }: { view: View }): Safe => {
  const words = view.texts.notify;
  return (
    <section class="panel" aria-label={words.quiet} data-quiet hidden>
      <div class="in" data-muted="no">
        <div class="tight">
          <h2>{words.quiet}</h2>
          <p class="soft">{words.quietWhat}</p>
        </div>
        <div class="line">
          <button class="btn" type="button" data-mute="hour">
            <Icon view={view} name="mute" />
            {words.quietHour}
          </button>
          <button class="btn" type="button" data-mute="tomorrow">
            {words.quietTomorrow}
          </button>
        </div>
      </div>
      <div class="in" data-muted="yes" hidden>
        <div class="tight">
          <h2 data-until></h2>
          <p class="soft">{words.mutedWhat}</p>
        </div>
        <div>
          <button class="btn" type="button">
            <Icon view={view} name="bell" />
            {view.texts.shared.unmute}
          </button>
        </div>
      </div>
      <p class="in wrong" role="alert" hidden></p>
    </section>
  );
};

/** It has no text: the script writes one. */
const State = ({ when, title, children }: { when: string; title: string; children?: Child }): Safe => (
  <div class="tight" data-when={when} hidden={when !== "off"}>
    <h2>{title}</h2>
    <p class="soft" data-text={children === undefined && when}>
      {children}
    </p>
  </div>
);

const Step = ({
  words: { before, what, after },
  icon,
}: {
  words: { before: string; what: string; after: string };
  icon?: Child;
}): Safe => (
  <li>
    <span>
      {before}
      {icon} <strong>{what}</strong>
      {after}
    </span>
  </li>
);

interface NoteProps {
  view: View;
  when: string;
  tone: "info" | "warning";
  icon: IconName;
  title: string;
  text: Child;
}
const Note = ({ view, when, tone, icon, title, text }: NoteProps): Safe => (
  <div class={`note ${tone}`} data-when={when} hidden>
    <Icon view={view} name={icon} large />
    <div>
      <h2>{title}</h2>
      <p class="soft">{text}</p>
    </div>
  </div>
);
