/** @jsxImportSource #jsx */
/** People: the list, the forms of a new and of a known one, what is asked before one is removed. */
import { NameField, NewPasswordField } from "../signin/fields.tsx";
import type { PersonFaults } from "../../../accounts/people.ts";
import type { Person } from "../../../accounts/person.ts";
import type { Namespace } from "../../../keys/namespace.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { Ago } from "../../elements/times.tsx";
import { Ask } from "../ask.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { Panel } from "../../elements/panel.tsx";
import { Row } from "./section.tsx";
import type { PersonForm } from "./person-form.ts";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

export const PeoplePanel = ({ desk, people }: { desk: Desk; people: readonly Person[] }): Safe => {
  const { view, visitor, namespaces } = desk;
  const { people: words } = view.texts.settings;
  const path = "/-/settings/people";
  return (
    <Panel
      id="people"
      title={words.title}
      live="person namespace"
      end={<Link desk={desk} to={`${path}/new`} class="btn" icon="user" words={words.add} />}
    >
      <ul class="rows">
        {people.map((person) => {
          const isSelf = person.id === visitor.person.id;
          const notes = [...(person.isAdmin ? [words.admin] : []), ...(isSelf ? [words.you] : [])];
          return (
            <Row
              name={person.name}
              {...(notes.length > 0 && { note: notes.join(", ") })}
              sub={[seenWords(desk, person, namespaces), !isSelf && [" ", lastHere(desk, person)]]}
              end={
                <a class="btn" href={deskLink(desk, `${path}/${person.id}`)} aria-label={words.editName(person.name)}>
                  {view.texts.shared.edit}
                </a>
              }
            />
          );
        })}
      </ul>
    </Panel>
  );
};

function seenWords(
  { view }: Desk,
  { isAdmin, namespaces: ids, hasPassword }: Person,
  all: readonly Namespace[],
): string {
  const { people: words } = view.texts.settings;
  const names = all.filter(({ id }) => ids?.includes(id) === true).map(({ name }) => name);
  const sees =
    isAdmin || ids === undefined ? words.seesAll : names.length === 0 ? words.seesNone : words.sees(names.join(", "));
  return hasPassword ? sees : `${sees} ${words.noPassword}`;
}

const lastHere = ({ view }: Desk, { lastSeenAt }: Person): Child =>
  lastSeenAt === undefined
    ? view.texts.settings.people.never
    : fill(view.texts.settings.people.lastHere, <Ago view={view} at={lastSeenAt} />);

interface FormProps {
  desk: Desk;
  form: PersonForm;
  faults?: PersonFaults;
  /** Whom a proxy may sign in needs no password. */
  isProxied: boolean;
}

export const NewPersonPage = ({ desk, form, faults = {}, isProxied }: FormProps): Safe => {
  const { people: words } = desk.view.texts.settings;
  return (
    <PersonPage desk={desk} title={words.newTitle}>
      <PersonFields desk={desk} form={form} faults={faults} action="/-/settings/people/new">
        <NewPasswordField
          view={desk.view}
          fault={faults.password}
          hint={isProxied ? `${words.passwordHint} ${words.passwordProxied}` : words.passwordHint}
          isOptional={isProxied}
        />
      </PersonFields>
    </PersonPage>
  );
};

interface EditProps extends Omit<FormProps, "isProxied"> {
  person: Person;
}

export const EditPersonPage = ({ desk, person, form, faults = {} }: EditProps): Safe => {
  const { view } = desk;
  const { people: words } = view.texts.settings;
  const path = `/-/settings/people/${person.id}`;
  return (
    <PersonPage desk={desk} title={words.editName(person.name)}>
      <PersonFields desk={desk} form={form} faults={faults} action={path} />
      <Panel id="password-of" title={view.texts.shared.newPassword}>
        <form class="in" method="post" action={deskLink(desk, `${path}/password`)}>
          <p class="soft">{words.setPasswordText(person.name)}</p>
          <NewPasswordField view={view} fault={faults.password} hint={words.passwordHint} />
          <div>
            <Submit words={words.setPassword} />
          </div>
        </form>
      </Panel>
      <p>
        <Link desk={desk} to={`${path}/remove`} class="btn risk bare" icon="trash" words={words.remove} />
      </p>
    </PersonPage>
  );
};

const PersonPage = ({ desk, title, children }: { desk: Desk; title: string; children?: Child }): Safe => (
  <Desktop desk={desk} title={title} current="settings">
    <div class="head">
      <h1 dir="auto">{title}</h1>
    </div>
    {children}
  </Desktop>
);

interface FieldsProps {
  desk: Desk;
  form: PersonForm;
  faults: PersonFaults;
  action: string;
  children?: Child;
}

const PersonFields = ({ desk, form, faults, action, children }: FieldsProps): Safe => {
  const { view, namespaces } = desk;
  const { people: words } = view.texts.settings;
  return (
    <section class="panel" aria-label={view.texts.shared.name}>
      <form class="in" method="post" action={deskLink(desk, action)}>
        <NameField view={view} fault={faults.name} value={form.name} />
        {children}
        <div class={faults.admin === undefined ? "field" : "field bad"}>
          <Pick type="checkbox" name="admin" value="yes" isOn={form.isAdmin} words={words.isAdmin} />
          {faults.admin !== undefined && <Wrong desk={desk} text={words.lastAdmin} />}
        </div>
        <fieldset aria-describedby={faults.namespaces && "sees-wrong"}>
          <legend>{words.namespaces}</legend>
          <Pick type="radio" name="sees" value="all" isOn={form.sees === "all"} words={words.all} />
          <Pick type="radio" name="sees" value="only" isOn={form.sees !== "all"} words={words.only} />
          {namespaces.map(({ name }) => (
            <Pick
              type="checkbox"
              name="namespace"
              value={name}
              isOn={form.sees !== "all" && form.sees.includes(name)}
              words={name}
            />
          ))}
          {faults.namespaces !== undefined && (
            <Wrong
              desk={desk}
              id="sees-wrong"
              text={
                faults.namespaces === "none" ? words.noneChosen : words.unknownNamespace(faults.namespaces.join(", "))
              }
            />
          )}
        </fieldset>
        <div class="line">
          <Submit class="btn main" words={view.texts.shared.save} />
          <Link desk={desk} to="/-/settings#people" class="btn bare" words={view.texts.shared.cancel} />
        </div>
      </form>
    </section>
  );
};

interface PickProps {
  type: "checkbox" | "radio";
  name: string;
  value: string;
  isOn: boolean;
  words: string;
}

const Pick = ({ type, name, value, isOn, words }: PickProps): Safe => (
  <label class="pick">
    <input type={type} name={name} value={value} checked={isOn} />
    <span dir="auto">{words}</span>
  </label>
);

const Wrong = ({ desk: { view }, id, text }: { desk: Desk; id?: string; text: string }): Safe => (
  <p class="wrong" role="alert" id={id}>
    <Icon view={view} name="error" />
    {text}
  </p>
);

export const RemovePersonAsk = ({ desk, person, isLast }: { desk: Desk; person: Person; isLast?: boolean }): Safe => {
  const { people: words } = desk.view.texts.settings;
  const path = `/-/settings/people/${person.id}`;
  return (
    <Ask
      desk={desk}
      question={words.question(person.name)}
      {...(isLast === true && { lede: words.lastAdmin })}
      facts={[{ text: words.signedOut }, { text: words.stays, isNews: true }]}
      action={`${path}/remove`}
      button={desk.view.texts.shared.removeOf(person.name)}
      keep={{ text: words.keep(person.name), to: path }}
    />
  );
};
