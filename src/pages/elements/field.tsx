/** @jsxImportSource #jsx */
/** A field of a form: its label, what is wrong with what was typed, and a hint. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import type { View } from "../view.ts";

/** The faults of a form, by field, in words. */
export type Faults = ReadonlyMap<string, string>;

export interface LabelledProps {
  view: View;
  label: Child;
  name: string;
  /** The id of the control, unique on a page. Absent: its name. */
  id?: string | undefined;
  /** The fault in words; what was typed stays. */
  wrong?: string | undefined;
  /** The form says above what is wrong, and not with which field. */
  isRefused?: boolean | undefined;
  hint?: Child;
}

/** Attributes of a control that tie it to its label and to the words below it. */
interface Tied {
  id: string;
  name: string;
  "aria-describedby": string | false;
  "aria-invalid": "true" | false;
}

export const Labelled = ({
  view,
  label,
  name,
  id = name,
  wrong,
  isRefused,
  hint,
  children: control,
}: LabelledProps & { children: (tied: Tied) => Safe }): Safe => {
  const isWrong = wrong !== undefined;
  const words = [isWrong && `${id}-e`, hint !== undefined && `${id}-h`].filter((one) => one !== false);
  const tied: Tied = {
    ...{ id, name },
    "aria-describedby": words.length > 0 && words.join(" "),
    "aria-invalid": (isWrong || isRefused === true) && "true",
  };
  return (
    <div class={isWrong ? "field bad" : "field"}>
      <label for={id}>{label}</label>
      {control(tied)}
      {isWrong && (
        <p class="wrong" id={`${id}-e`}>
          <Icon view={view} name="error" />
          {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${id}-h`}>
          {hint}
        </p>
      )}
    </div>
  );
};

interface FieldProps extends LabelledProps {
  type?: "text" | "password" | "time" | "datetime-local";
  /** May be left empty. */
  isOptional?: boolean;
  /** Begins here: the first field that is wrong, or the only one. */
  autofocus?: boolean;
  /** Attributes beside these. */
  value?: string | null | undefined;
  autocomplete?: string;
  inputmode?: "numeric";
  minlength?: number;
  maxlength?: number;
  /** Beside the label, never instead of it. */
  placeholder?: string;
  class?: string;
}

export const Field = ({
  view,
  label,
  name,
  id,
  wrong,
  isRefused,
  hint,
  type = "text",
  isOptional,
  autofocus,
  autocomplete = "off",
  ...rest
}: FieldProps): Safe => (
  <Labelled {...{ view, label, name, id, wrong, isRefused, hint }}>
    {(tied) => (
      <input
        type={type}
        {...tied}
        dir={type === "text" && "auto"}
        autocomplete={autocomplete}
        spellcheck="false"
        autofocus={autofocus === true}
        required={isOptional !== true}
        {...rest}
      />
    )}
  </Labelled>
);
