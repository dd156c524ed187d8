/** @jsxImportSource #jsx */
/** The fields of a kind of forward: what each is follows from its schema, and its words are the kind's. */
import type { Field as Described, Kind } from "../../../delivery/forwards/kind.ts";
import { said } from "../../../rewrites/tool-setup.ts";
import { type Faults, Field } from "../../elements/field.tsx";
import { Said } from "../../elements/said.tsx";
import { Select } from "../../elements/select.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";
import { controlOf, fieldOf, isNeeded, isSecret, longestOf, removalOf, typedIn } from "./form-body.ts";

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
    {Object.entries(props.kind.form).map(([setting, words]) =>
      isSecret(props.kind, setting) ? (
        <SecretField {...props} setting={setting} words={words} />
      ) : (
        <ShownField {...props} setting={setting} words={words} />
      ),
    )}
  </>
);

type OneProps = FieldsProps & { setting: string; words: Described };

const ShownField = ({ view, kind, given, faults, setting, words }: OneProps): Safe => {
  const name = fieldOf(setting);
  const control = controlOf(kind, setting);
  const value = given.get(name);
  const label = <Said view={view} words={words.label} />;
  const hint = words.hint && <Said view={view} words={words.hint} />;
  const isOptional = !isNeeded(kind, setting);
  const labelled = { view, label, name, wrong: faults.get(name), ...(hint !== undefined && { hint }) };
  if (typeof control !== "string")
    return (
      <Select
        {...labelled}
        chosen={value ?? ""}
        choices={[
          ...(isOptional ? [["", view.texts.forwards.asUsual] as const] : []),
          ...control.map((one) => [one, choiceWords(view, words, one)] as const),
        ]}
      />
    );
  return (
    <Field
      {...labelled}
      {...{ value, isOptional, ...limitsOf(kind, setting, words.example) }}
      autofocus={isFirst(faults, name)}
      {...(control === "number" && { inputmode: "numeric" as const })}
    />
  );
};

/** What is set is never shown, and stays where nothing is entered; what was typed is not shown either, and is typed again. */
const SecretField = ({ view, kind, given, faults, setting, words, set = [] }: OneProps): Safe => {
  const { forwards: say } = view.texts;
  const name = fieldOf(setting);
  const wrong = faults.get(name) ?? (typedIn(given, setting) === "" ? undefined : say.wrong.again);
  const isOptional = !isNeeded(kind, setting);
  const isSet = set.includes(setting);
  const hints = [words.hint && <Said view={view} words={words.hint} />, isSet && [" ", say.secretStays]];
  return (
    <>
      <Field
        {...{ view, name, label: <Said view={view} words={words.label} />, wrong }}
        {...((words.hint !== undefined || isSet) && { hint: hints })}
        type="password"
        // despite "off" browsers would enter the password of the dashboard, and the service would get it
        autocomplete="new-password"
        isOptional={isSet || isOptional}
        autofocus={isFirst(faults, name)}
        {...limitsOf(kind, setting, isSet ? undefined : words.example)}
      />
      {isSet && isOptional && (
        <label class="pick">
          <input type="checkbox" name={removalOf(setting)} checked={given.has(removalOf(setting))} autocomplete="off" />
          {say.removeSecret(said(words.label, view.language))}
        </label>
      )}
    </>
  );
};

/** The reader begins where the first fault is. */
const isFirst = (faults: Faults, name: string): boolean => [...faults.keys()][0] === name;

const choiceWords = ({ language }: View, { choices }: Described, one: string): string => {
  const words = choices?.[one];
  return words === undefined ? one : said(words, language);
};

function limitsOf(kind: Kind, setting: string, example?: string): { maxlength?: number; placeholder?: string } {
  const maxlength = longestOf(kind, setting);
  return {
    ...(maxlength !== undefined && { maxlength }),
    ...(example !== undefined && { placeholder: example }),
  };
}
