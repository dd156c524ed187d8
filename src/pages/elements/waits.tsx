/** @jsxImportSource #jsx */
/** Says what a page waits for; its scripts notice that it came. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import type { View } from "../view.ts";

interface Props {
  view: View;
  words: string;
  hint: Safe;
  /** Where to look again without scripts. */
  again: string;
  /** The feed whose first message a script waits for. */
  feed?: string;
}

export const Waits = ({ view, words, hint, again, feed }: Props): Safe => (
  <div class="wait" role="status" data-wait={feed}>
    <span class="dot running"></span>
    <div>
      <strong>{words}</strong>
      <br />
      {hint}
      <noscript>
        <p class="hint">
          <a href={again}>{view.texts.shared.lookAgain}</a>
        </p>
      </noscript>
    </div>
  </div>
);
