/** @jsxImportSource #jsx */
/** Fields of who signs in, and of what they choose. */
import type { PersonFaults } from "../../../accounts/people.ts";
import { MIN_PASSWORD } from "../../../names/person.ts";
import { Field } from "../../elements/field.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";

type FieldProps = Parameters<typeof Field>[0];
/** Beside what such a field always says. */
type More = Pick<FieldProps, "view"> & Partial<FieldProps>;

export const NameField = ({ view, fault, ...more }: More & { fault: PersonFaults["name"] }): Safe => {
  const { nameTaken, nameWrong } = view.texts.signin.fault;
  return (
    <Field
      {...{ view, label: view.texts.shared.name, name: "name" }}
      wrong={fault && (fault === "taken" ? nameTaken : nameWrong)}
      autofocus={fault !== undefined}
      {...more}
    />
  );
};

/** The password that somebody has. */
export const PasswordField = ({ view, ...more }: More): Safe => (
  <Field
    {...{ view, label: view.texts.shared.password, name: "password", type: "password" }}
    autocomplete="current-password"
    {...more}
  />
);

/** One that they choose. */
export const NewPasswordField = ({ view, fault, ...more }: More & { fault: PersonFaults["password"] }): Safe => (
  <PasswordField
    view={view}
    autocomplete="new-password"
    wrong={fault && passwordFaultWords(view, fault)}
    autofocus={fault !== undefined}
    {...more}
  />
);

const passwordFaultWords = ({ texts: { signin } }: View, fault: NonNullable<PersonFaults["password"]>): string =>
  fault.kind === "long" ? signin.fault.long : signin.fault.short(fault.characters, MIN_PASSWORD - fault.characters);
