/** @jsxImportSource #jsx */
/** A field of a form: its label, what is wrong with what was typed, and a hint. */
import type { Child, Safe } from "./jsx/jsx-runtime.ts";
import { Icon } from "./layout.tsx";
import type { View } from "./view.ts";

interface FieldProps {
  view: View;
  label: string;
  /** Also its id: one of a name on a page. */
  name: string;
  type?: "text" | "password";
  value?: string | undefined;
  autocomplete: string;
  /** In words; what was typed stays. */
  wrong?: string | undefined;
  /** The form says above what is wrong, and not with which field. */
  isRefused?: boolean;
  hint?: Child;
  /** May be left empty. */
  isOptional?: boolean;
  /** Attributes beside these. */
  minlength?: number;
  /** Beside the label, never in its place. */
  placeholder?: string;
  class?: string;
  /** Begins here: the first field that is wrong, or the only one. */
  autofocus?: boolean;
}

export const Field = ({
  view,
  label,
  name,
  type = "text",
  wrong,
  isRefused,
  hint,
  autofocus,
  isOptional,
  ...rest
}: FieldProps): Safe => {
  const isWrong = wrong !== undefined;
  const described = [isWrong && `${name}-e`, hint !== undefined && `${name}-h`].filter((id) => id !== false);
  return (
    <div class={isWrong ? "field bad" : "field"}>
      <label for={name}>{label}</label>
      <input
        type={type}
        id={name}
        name={name}
        dir={type === "text" && "auto"}
        spellcheck="false"
        aria-describedby={described.length > 0 && described.join(" ")}
        aria-invalid={(isWrong || isRefused === true) && "true"}
        autofocus={autofocus === true}
        required={isOptional !== true}
        {...rest}
      />
      {isWrong && (
        <p class="wrong" id={`${name}-e`}>
          <Icon view={view} name="error" />
          {wrong}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-h`}>
          {hint}
        </p>
      )}
    </div>
  );
};
