/** @jsxImportSource #jsx */
/** The page that asks before something that cannot be undone: it names the object and the consequences. */
import { Field } from "../elements/field.tsx";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { AskDocument, Icon, type IconName } from "../layout.tsx";
import type { Desk } from "./signed-in.ts";
import { deskLink } from "./frame/filter.ts";
import { Link } from "./frame/link.tsx";

interface AskProps {
  desk: Desk;
  /** The question, with the object's name: `Delete topic “nas”?` */
  question: string;
  /** A sentence below it: `This cannot be undone.` */
  lede?: string;
  /** The consequences, one a line. `isNews`: nothing is lost by it. */
  facts?: readonly { text: Child; isNews?: boolean }[];
  /** Path of the form, below the base path. */
  action: string;
  /** Has to be typed as it is; `typed`: what was typed instead, which is shown with the reason at the field. */
  name?: { value: string; typed?: string };
  hidden?: Readonly<Record<string, string>>;
  /** The words of the button, with the count: `Delete 1,204 messages`. */
  button: string;
  icon?: IconName;
  /** Nothing is lost that the reader may want back, so the button is not marked as risky. */
  isMild?: boolean;
  /** The way back: `Keep topic`. */
  keep: { text: string; to: string };
  /** More of the form, before its button: choices. */
  children?: Child;
}

/** Name of the field where `name` is typed. */
export const TYPED = "confirm";

export const Ask = (props: AskProps): Safe => {
  const { desk, question, lede, facts = [], action, name, hidden = {}, button, keep, isMild, children } = props;
  const { view } = desk;
  return (
    <AskDocument view={view} title={question}>
      <section class="ask stack" aria-labelledby="question">
        <div class="tight">
          <h1 class="big" id="question" dir="auto">
            {question}
          </h1>
          {lede !== undefined && <p class="soft">{lede}</p>}
        </div>
        {facts.length > 0 && (
          <ul class="facts tight">
            {facts.map(({ text, isNews }) => (
              <li>
                <Icon view={view} name={isNews === true ? "info" : "x"} />
                <span dir="auto">{text}</span>
              </li>
            ))}
          </ul>
        )}
        <form class="stack" method="post" action={deskLink(desk, action)}>
          {Object.entries(hidden).map(([key, value]) => (
            <input type="hidden" name={key} value={value} />
          ))}
          {children}
          {name !== undefined && <TypedName desk={desk} {...name} />}
          <div class="line">
            <button class={isMild === true ? "btn main" : "btn risk main"} type="submit">
              <Icon view={view} name={props.icon ?? "trash"} />
              {button}
            </button>
            <Link desk={desk} to={keep.to} class="btn" words={keep.text} />
          </div>
        </form>
      </section>
    </AskDocument>
  );
};

const TypedName = ({ desk: { view }, value, typed }: { desk: Desk; value: string; typed?: string }): Safe => {
  const { desk: words } = view.texts;
  const label = (
    <>
      {words.typeBefore}
      <strong dir="auto">{value}</strong>
      {words.typeAfter}
    </>
  );
  return (
    <Field
      {...{ view, label, name: TYPED, id: "typed", value: typed }}
      wrong={typed === undefined ? undefined : words.typedWrong(typed)}
      autofocus={typed !== undefined}
    />
  );
};
