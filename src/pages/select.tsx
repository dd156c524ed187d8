/** @jsxImportSource #jsx */
/** A choice of a few, in a form. */
import type { Safe } from "./jsx/jsx-runtime.ts";
import { Icon } from "./layout.tsx";
import type { View } from "./view.ts";

interface SelectProps {
  view: View;
  label: string;
  /** Also its id: one of a name on a page. */
  name: string;
  chosen: string;
  /** Value and words. */
  choices: readonly (readonly [string, string])[];
  wrong?: string | undefined;
}

export const Select = ({ view, label, name, chosen, choices, wrong }: SelectProps): Safe => (
  <div class={wrong === undefined ? "field" : "field bad"}>
    <label for={name}>{label}</label>
    <select
      id={name}
      name={name}
      aria-invalid={wrong !== undefined && "true"}
      aria-describedby={wrong !== undefined && `${name}-e`}
    >
      {choices.map(([value, words]) => (
        <option value={value} selected={value === chosen}>
          {words}
        </option>
      ))}
    </select>
    {wrong !== undefined && (
      <p class="wrong" id={`${name}-e`}>
        <Icon view={view} name="error" />
        {wrong}
      </p>
    )}
  </div>
);
