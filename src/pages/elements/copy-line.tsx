/** @jsxImportSource #jsx */
/** Texts that are copied by a click. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { CopyButton, Icon } from "../layout.tsx";
import type { View } from "../view.ts";

interface CopyProps {
  view: View;
  text: string;
  /** What the button does. */
  label: string;
}

/** With a button that says so. */
export const CopyText = ({ view, text, label }: CopyProps): Safe => (
  <div class="copy">
    <code>{text}</code>
    <CopyButton view={view} label={label} />
  </div>
);

export const CopyLine = ({ view, text, label }: CopyProps): Safe => (
  <div class="copy">
    <code>{text}</code>
    <button class="btn bare only js" type="button" data-copy data-done={view.texts.copy.done} aria-label={label}>
      <Icon view={view} name="copy" />
    </button>
  </div>
);
