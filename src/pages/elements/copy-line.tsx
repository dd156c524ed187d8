/** @jsxImportSource #jsx */
/** A text that is copied by a click. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import type { View } from "../view.ts";

export const CopyLine = ({ view, text, label }: { view: View; text: string; label: string }): Safe => (
  <div class="copy">
    <code>{text}</code>
    <button class="btn bare only js" type="button" data-copy data-done={view.texts.copy.done} aria-label={label}>
      <Icon view={view} name="copy" />
    </button>
  </div>
);
