/** @jsxImportSource #jsx */
/** The button that sends a form. */
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import { Icon, type IconName } from "../layout.tsx";
import type { View } from "../view.ts";

interface SubmitProps {
  words: Child;
  /** With `icon`, which stands before the words. */
  view?: View;
  icon?: IconName | undefined;
  class?: string;
  /** What the form says of the button that was pressed. */
  name?: string;
  value?: string;
  autofocus?: boolean;
  "aria-label"?: string;
}

export const Submit = ({ words, view, icon, class: classes = "btn", ...rest }: SubmitProps): Safe => (
  <button class={classes} type="submit" {...rest}>
    {view !== undefined && icon !== undefined && <Icon view={view} name={icon} />}
    {words}
  </button>
);
