/** @jsxImportSource #jsx */
/** The three screens of the first run, and which one this is. */
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import { Icon } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";

export const Steps = ({ view, at }: { view: View; at: 1 | 2 | 3 }): Safe => {
  const words = view.texts.setup;
  return (
    <ol class="steps" aria-label={words.steps}>
      {[words.step1, words.step2, words.step3].map((step, n) => (
        <li aria-current={n + 1 === at && "step"}>
          {n + 1 < at ? <Icon view={view} name="check" /> : n + 1} <span>{step}</span>
        </li>
      ))}
    </ol>
  );
};
