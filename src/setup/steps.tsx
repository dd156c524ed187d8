/** @jsxImportSource #jsx */
/** The frame of the three screens of the first run, which says which one this is. */
import type { Child, Safe } from "../pages/jsx/jsx-runtime.ts";
import { Document, Icon, OWN_FORM } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";
import type { Millis } from "../util/clock.ts";

interface ScreenProps {
  view: View;
  step: 1 | 2 | 3;
  title: string;
  frame?: "mid" | "narrow";
  script?: "setup.js" | "page.js";
  /** What the script says, where it has something to say. */
  words?: string;
  at?: Millis;
  children?: Child;
}

export const Screen = ({ view, step, title, frame = "mid", script = "setup.js", ...rest }: ScreenProps): Safe => (
  <Document
    {...{ view, title: `${title} · peal`, frame, script, head: OWN_FORM, ...rest }}
    end={<Steps view={view} at={step} />}
  />
);

const Steps = ({ view, at }: { view: View; at: 1 | 2 | 3 }): Safe => {
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
