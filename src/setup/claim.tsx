/** @jsxImportSource #jsx */
/** The pages of the first run: claim the server, send the first message (WEB.md §2). */
import { MIN_PASSWORD, type PasswordFault } from "../accounts/person.ts";
import { feedUrl, topicUrl } from "../http/urls.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import type { Topic } from "../topics/topic.ts";
import { passwordFaultWords } from "../pages/dashboard/signin/faults.ts";
import { Field } from "../pages/field.tsx";
import { Document, Icon } from "../pages/layout.tsx";
import { SnippetTabs, ToolSettings } from "../pages/snippets.tsx";
import type { View } from "../pages/view.ts";

const Steps = ({ view, done }: { view: View; done: boolean }): Safe => {
  const words = view.texts.setup;
  return (
    <ol class="steps" aria-label={words.steps}>
      <li aria-current={!done && "step"}>
        {done ? <Icon view={view} name="check" /> : "1"} <span>{words.step1}</span>
      </li>
      <li aria-current={done && "step"}>
        2 <span>{words.step2}</span>
      </li>
    </ol>
  );
};

/** What is wrong with which field. */
export interface ClaimFaults {
  code?: "wrong";
  name?: "wrong" | "taken";
  password?: PasswordFault;
}

interface ClaimProps {
  view: View;
  typed?: { code: string; name: string };
  wrong?: ClaimFaults;
}

/** With `wrong`, what was typed comes back with the reason at its field. */
export const ClaimPage = ({ view, typed, wrong }: ClaimProps): Safe => {
  const words = view.texts.setup;
  const { fault } = view.texts.signin;
  return (
    <Document
      view={view}
      title={`${words.title} · peal`}
      frame="narrow"
      script="setup.js"
      // with our `no-referrer` a browser sends `Origin: null`, and without https no Sec-Fetch-Site: nothing to tell our form by
      head={<meta name="referrer" content="same-origin" />}
      end={<Steps view={view} done={false} />}
    >
      <div class="tight">
        <h1>{words.title}</h1>
        <p class="lede">{words.lede}</p>
      </div>
      <form class="stack" method="post" action={`${view.base}/-/setup`}>
        <Field
          view={view}
          label={words.code}
          name="code"
          class="code-in"
          value={typed?.code}
          autocomplete="off"
          wrong={wrong?.code && words.wrong}
          autofocus={wrong?.code !== undefined}
          hint={[
            <span data-filled hidden>
              {words.filled}{" "}
            </span>,
            words.whereBefore,
            <code>data/setup-code</code>,
            words.whereBetween,
            <code>peal setup-code</code>,
            words.whereAfter,
          ]}
        />
        <Field
          view={view}
          label={words.name}
          name="name"
          value={typed?.name}
          autocomplete="username"
          wrong={wrong?.name && (wrong.name === "taken" ? fault.nameTaken : fault.nameWrong)}
          autofocus={wrong?.name !== undefined}
        />
        <Field
          view={view}
          label={view.texts.signin.password}
          name="password"
          type="password"
          autocomplete="new-password"
          minlength={MIN_PASSWORD}
          wrong={wrong?.password && passwordFaultWords(view, wrong.password)}
          hint={words.passwordHint}
          autofocus={wrong?.password !== undefined}
        />
        <div>
          <button class="btn main wide" type="submit">
            {words.claim}
          </button>
        </div>
      </form>
      <p class="hint">
        {words.noBrowserBefore}
        <code>peal admin create</code>
        {words.noBrowserAfter}
      </p>
    </Document>
  );
};

/** Shows `secret`: this once. */
export const FirstMessagePage = ({ view, topic, secret }: { view: View; topic: Topic; secret: string }): Safe => {
  const words = view.texts.setup;
  const feed = topicUrl(view.base, topic);
  const publish = `/${topic.namespace}/${topic.name}?level=success`;
  return (
    <Document
      view={view}
      title={`${words.step2} · peal`}
      frame="mid"
      script="setup.js"
      words={JSON.stringify(view.texts.live)}
      end={<Steps view={view} done />}
    >
      <div class="tight">
        <h1>{words.firstTitle}</h1>
        <p class="lede">
          {words.readyBefore}
          <strong>{topic.namespace}</strong>
          {words.readyBetween}
          <strong>{topic.name}</strong>
          {words.readyAfter}
        </p>
      </div>
      <section class="panel" aria-label={view.texts.command}>
        <div class="in">
          <SnippetTabs view={view} target={{ url: view.url + publish, text: words.itWorks, secret }} />
          <div class="note warning">
            <Icon view={view} name="keys" large />
            <p>
              {words.onlyNowBefore}
              <strong>{words.onlyNow}</strong>
              {words.onlyNowAfter}
            </p>
          </div>
        </div>
      </section>
      <div class="wait" role="status" data-wait={feedUrl(view.base, topic)}>
        <span class="dot running"></span>
        <div>
          <strong>{words.waiting}</strong>
          <br />
          <span class="hint">{words.waitingHint}</span>
        </div>
      </div>
      <div class="got" role="status" data-got hidden>
        <p class="in">
          <span class="st up">
            <Icon view={view} name="up" />
            {words.arrived}
          </span>
        </p>
      </div>
      <p class="wrong" role="alert" data-test-failed hidden>
        <Icon view={view} name="error" />
        {words.testFailed}
      </p>
      <div class="line go">
        <a class="btn main" href={feed}>
          {words.openTopic}
        </a>
        <button
          class="btn js"
          type="button"
          data-test={view.base + publish}
          data-text={words.itWorks}
          data-secret={secret}
        >
          <Icon view={view} name="send" />
          {words.sendTest}
        </button>
      </div>
      <p class="hint">{words.shareHint}</p>
      <ToolSettings view={view} url={`${view.url}/${topic.namespace}`} secret={secret} />
    </Document>
  );
};

export const AlreadyClaimedPage = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  return (
    <Document view={view} title={`${words.claimedTitle} · peal`} frame="mid" script="page.js">
      <div class="tight">
        <h1 class="big">{words.claimedTitle}</h1>
        <p class="lede">
          {words.claimedBefore}
          <code>peal keys create</code>
          {words.claimedAfter}
        </p>
      </div>
      <p class="line">
        <a class="btn" href={`${view.base}/-/`}>
          {view.texts.error.toStart}
        </a>
      </p>
    </Document>
  );
};
