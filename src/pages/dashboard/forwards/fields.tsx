/** @jsxImportSource #jsx */
/** The fields of a kind of forward: what each is follows from its schema, and its words are the kind's. */
import type { Field as Described, Kind } from "../../../delivery/forwards/kind.ts";
import { said } from "../../../rewrites/tool-setup.ts";
import { type Faults, Field } from "../../elements/field.tsx";
import { Said } from "../../elements/said.tsx";
import { Select } from "../../elements/select.tsx";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";
import { controlOf, fieldOf, isNeeded, isSecret, removalOf } from "./form-body.ts";

interface FieldsProps {
  view: View;
  kind: Kind;
  given: URLSearchParams;
  faults: Faults;
  /** The secrets that are set, in a change. */
  set?: readonly string[];
}

export const KindFields = (props: FieldsProps): Safe => (
  <>
    {Object.entries(props.kind.form).map(([setting, words]) => (
      <OneField {...props} setting={setting} words={words} />
    ))}
  </>
);

type OneProps = FieldsProps & { setting: string; words: Described };

const OneField = (props: OneProps): Safe => {
  const { view, kind, given, faults, setting, words } = props;
  const name = fieldOf(setting);
  const schema = kind.settings.properties[setting] ?? {};
  const control = controlOf(schema);
  const label = <Said view={view} words={words.label} />;
  const hint = words.hint !== undefined && <Said view={view} words={words.hint} />;
  const labelled = { view, label, name, wrong: faults.get(name), ...(hint !== false && { hint }) };
  const value = given.get(name);
  if (isSecret(kind, setting)) return <SecretField {...props} labelled={labelled} />;
  if (control === "box")
    return (
      <div class="tight">
        <label class="pick">
          <input type="checkbox" name={name} checked={value !== null} autocomplete="off" />
          {label}
        </label>
        {hint !== false && <p class="hint">{hint}</p>}
      </div>
    );
  const isOptional = !isNeeded(kind, setting);
  if (Array.isArray(control))
    return (
      <Select
        {...labelled}
        chosen={value ?? ""}
        choices={[
          ...(isOptional ? [["", view.texts.forwards.asUsual] as const] : []),
          ...(control as string[]).map((one) => [one, choiceWords(view, words, one)] as const),
        ]}
      />
    );
  return (
    <Field
      {...labelled}
      {...{ value, isOptional, ...limitOf(schema) }}
      {...(control === "number" && { inputmode: "numeric" })}
      {...(words.example !== undefined && { placeholder: words.example })}
    />
  );
};

/** What is set is never shown, and stays where nothing is entered. */
const SecretField = ({ view, kind, setting, words, set = [], labelled }: OneProps & { labelled: Labels }): Safe => {
  const { forwards: say } = view.texts;
  const schema = kind.settings.properties[setting] ?? {};
  const isOptional = !isNeeded(kind, setting);
  const isSet = set.includes(setting);
  const hint: Child = isSet ? [labelled.hint, " ", say.secretStays] : labelled.hint;
  return (
    <>
      <Field
        {...labelled}
        {...(hint !== undefined && { hint })}
        {...{ type: "password", isOptional: isSet || isOptional, ...limitOf(schema) }}
        {...(words.example !== undefined && { placeholder: words.example })}
      />
      {isSet && isOptional && (
        <label class="pick">
          <input type="checkbox" name={removalOf(setting)} autocomplete="off" />
          {say.removeSecret(said(words.label, view.language))}
        </label>
      )}
    </>
  );
};

interface Labels {
  label: Child;
  name: string;
  wrong: string | undefined;
  hint?: Child;
}

const choiceWords = ({ language }: View, { choices }: Described, one: string): string => {
  const words = choices?.[one];
  return words === undefined ? one : said(words, language);
};

const limitOf = (schema: object): { maxlength?: number } => {
  const { maxLength } = schema as { maxLength?: number };
  return maxLength === undefined ? {} : { maxlength: maxLength };
};
