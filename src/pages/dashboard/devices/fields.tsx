/** @jsxImportSource #jsx */
/** Fields of a device's forms. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import type { View } from "../../view.ts";

/** A control with its label, and what is wrong with it. `id`: of the control. */
export const Labelled = ({
  view,
  id,
  label,
  wrong,
  hint,
  children,
}: {
  view: View;
  id: string;
  label: string;
  wrong?: string | undefined;
  hint?: string;
  children?: Child;
}): Safe => (
  <div class={wrong === undefined ? "field" : "field bad"}>
    <label for={id}>{label}</label>
    {children}
    {wrong !== undefined && (
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

/** `aria-describedby` of a control in it. */
export const describedBy = (
  id: string,
  { wrong, hint }: { wrong?: string | undefined; hint?: string },
): string | false => {
  const ids = [wrong !== undefined && `${id}-e`, hint !== undefined && `${id}-h`].filter((one) => one !== false);
  return ids.length > 0 && ids.join(" ");
};

export const Options = ({
  options,
  chosen,
}: {
  options: readonly (readonly [string, string])[];
  chosen: string;
}): Safe => (
  <>
    {options.map(([value, text]) => (
      <option value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </>
);
