/** @jsxImportSource #jsx */
/** First screen of the first run: claim the server (WEB.md §2). */
import type { PersonFaults } from "../accounts/people.ts";
import { MIN_PASSWORD } from "../names/person.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import { NameField, NewPasswordField } from "../pages/dashboard/signin/fields.tsx";
import { Field } from "../pages/elements/field.tsx";
import { Document, OWN_FORM } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";
import { Steps } from "./steps.tsx";
import { Submit } from "../pages/elements/submit.tsx";

/** The faults, by field. */
export interface ClaimFaults extends Pick<PersonFaults, "name" | "password"> {
  code?: "wrong";
}

interface ClaimProps {
  view: View;
  /** There is a key already: the start makes no code then. */
  hasKeys: boolean;
  typed?: { code: string; name: string };
  wrong?: ClaimFaults;
}

/** With `wrong`, what was typed is shown again with the reason at its field. */
export const ClaimPage = ({ view, hasKeys, typed, wrong }: ClaimProps): Safe => {
  const words = view.texts.setup;
  return (
    <Document
      view={view}
      title={`${words.title} · peal`}
      frame="narrow"
      script="setup.js"
      head={OWN_FORM}
      end={<Steps view={view} at={1} />}
    >
      <div class="tight">
        <h1>{words.title}</h1>
        <p class="lede">{words.what}</p>
        <p class="soft">{words.lede}</p>
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
          autofocus={wrong === undefined || wrong.code !== undefined}
          hint={[
            <span data-filled hidden>
              {words.filled}{" "}
            </span>,
            ...(hasKeys
              ? [words.askBefore, <code>peal setup-code</code>, words.askAfter]
              : [
                  words.whereBefore,
                  <code>data/setup-code</code>,
                  words.whereBetween,
                  <code>peal setup-code</code>,
                  words.whereAfter,
                ]),
          ]}
        />
        <NameField {...{ view, label: words.name, value: typed?.name, autocomplete: "username" }} fault={wrong?.name} />
        <NewPasswordField view={view} fault={wrong?.password} minlength={MIN_PASSWORD} hint={words.passwordHint} />
        <div>
          <Submit class="btn main wide" words={words.claim} />
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
        <a class="btn" href={`${view.base}/-/setup/message`}>
          {words.goOn}
        </a>
      </p>
    </Document>
  );
};
