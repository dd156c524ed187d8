/** @jsxImportSource #jsx */
/** A choice of a few, in a form. */
import { Labelled, type LabelledProps } from "./field.tsx";
import type { Safe } from "../jsx/jsx-runtime.ts";

interface SelectProps extends LabelledProps {
  chosen: string;
  /** Value and words. */
  choices: readonly (readonly [string, string])[];
  class?: string;
}

export const Select = ({ chosen, choices, class: classes, ...labelled }: SelectProps): Safe => (
  <Labelled {...labelled}>
    {(tied) => (
      <select {...tied} class={classes}>
        {choices.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {words}
          </option>
        ))}
      </select>
    )}
  </Labelled>
);
