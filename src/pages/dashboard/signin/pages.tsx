/** @jsxImportSource #jsx */
/** Pages on which a password is asked for. */
import { type Again, confirmPath } from "../../../accounts/visitor.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Field } from "../../elements/field.tsx";
import { AskDocument, Code, Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";
import { Submit } from "../../elements/submit.tsx";
import { PasswordField } from "./fields.tsx";

/** What did not match; `left`: how many tries are left at once. */
export interface Wrong {
  name: string;
  left?: number;
  /** Nobody looked at the password, by the code of the problem: the same may be tried again. */
  putOff?: PutOff;
}
export type PutOff = "rate_limited" | "sign_in_busy";

/** `to`: where it leads afterwards, a path of the dashboard without the base path. */
export const LoginPage = ({ view, to, wrong }: { view: View; to: string; wrong?: Wrong }): Safe => {
  const words = view.texts.signin;
  return (
    <AskDocument view={view} title={words.title}>
      <h1>{words.title}</h1>
      {wrong !== undefined && <Refusal view={view} title={words.refused} wrong={wrong} />}
      <form class="stack" method="post" action={`${view.base}/-/login?${new URLSearchParams({ to }).toString()}`}>
        <Field
          view={view}
          label={view.texts.shared.name}
          name="name"
          value={wrong?.name}
          autocomplete="username"
          isRefused={isRefused(wrong)}
          autofocus={wrong === undefined}
        />
        <PasswordField view={view} isRefused={isRefused(wrong)} autofocus={wrong !== undefined} />
        <Submit class="btn main wide" words={words.signIn} />
      </form>
      <p class="hint">
        {words.forgottenBefore}
        <code dir="auto">{command("password", wrong?.name || words.aName)}</code>
        {words.forgottenAfter}
      </p>
    </AskDocument>
  );
};

interface ConfirmProps {
  view: View;
  to: string;
  again: Again | undefined;
  name: string;
  wrong?: Wrong;
}

export const ConfirmPage = ({ view, to, again, name, wrong }: ConfirmProps): Safe => {
  const words = view.texts.signin;
  return (
    <AskDocument view={view} title={words.confirmTitle}>
      <div class="tight">
        <h1>{words.confirmTitle}</h1>
        <p class="lede">{words.confirmLede}</p>
      </div>
      {wrong !== undefined && <Refusal view={view} title={words.wrongPassword} wrong={wrong} />}
      <form class="stack" method="post" action={view.base + confirmPath(to, again)}>
        {/* whose password a manager is to fill in */}
        <input type="text" name="name" value={name} autocomplete="username" hidden />
        <PasswordField
          view={view}
          isRefused={isRefused(wrong)}
          hint={[words.confirmAs, <bdi>{name}</bdi>, !name.endsWith(".") && "."]}
          autofocus
        />
        <div class="line">
          <Submit class="btn main" words={words.confirm} />
          <a class="btn" href={`${view.base}/-/`}>
            {words.notNow}
          </a>
        </div>
      </form>
    </AskDocument>
  );
};

/** A trusted proxy has signed in somebody whom peal does not know. */
export const UnknownPage = ({ view, name }: { view: View; name: string }): Safe => {
  const words = view.texts.signin;
  return (
    <AskDocument view={view} title={words.unknownTitle(name)}>
      <div class="tight">
        <h1 class="big" dir="auto">
          {words.unknownTitle(name)}
        </h1>
        <p class="lede">{words.unknownText}</p>
        <p class="oops">403</p>
      </div>
      <Code view={view} label={view.texts.command} text={command("create --no-password --namespaces all", name)} wrap />
    </AskDocument>
  );
};

const isRefused = (wrong: Wrong | undefined): boolean => wrong !== undefined && wrong.putOff === undefined;

const Refusal = ({ view, title, wrong: { left, putOff } }: { view: View; title: string; wrong: Wrong }): Safe => {
  const { signin, error } = view.texts;
  const told =
    putOff === undefined ? { title, text: left === undefined ? undefined : signin.left(left) } : error.pages[putOff];
  const tone = putOff === undefined ? "error" : "warning";
  return (
    <div class={`note ${tone}`} role="alert">
      <Icon view={view} name={tone} large />
      <div>
        <p>
          <strong>{told.title}</strong>
        </p>
        {told.text !== undefined && <p class="soft">{told.text}</p>}
      </div>
    </div>
  );
};

/** Quoted for a shell: anybody may have typed the name. */
const command = (what: string, name: string): string =>
  `peal admin ${what} ${/^\w[\w.@+-]*$/.test(name) ? name : `-- '${name.replaceAll("'", `'\\''`)}'`}`;
