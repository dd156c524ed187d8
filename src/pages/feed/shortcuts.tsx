/** @jsxImportSource #jsx */
/** The keys of the feed: which there are, and the switch for those whom they disturb (static/keys.ts). */
import { fill } from "../elements/fill.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import type { View } from "../view.ts";
import { Submit } from "../elements/submit.tsx";
import { Terms } from "../elements/terms.tsx";

export const KeysHint = ({ view }: { view: View }): Safe => {
  const words = view.texts.feed.keys;
  const shown = ["j", "k", "/", "m", "?"].map((key) => <kbd>{key}</kbd>);
  return (
    <div class="js broad">
      <p class="hint">
        {words.title}: {fill(words.short, ...shown)}{" "}
        <button class="link" type="button" data-show-keys>
          {words.show}
        </button>
      </p>
      <dialog class="keys" aria-labelledby="keys" data-keys>
        <form class="stack" method="dialog">
          <h2 id="keys">{words.title}</h2>
          <Terms facts={words.all.map(([key, what]) => [<kbd>{key}</kbd>, what])} />
          <label class="pick">
            <input type="checkbox" data-keys-on /> {words.on}
          </label>
          {/* else the focus would be on the first control, the switch that turns them off */}
          <Submit autofocus words={view.texts.shared.close} />
        </form>
      </dialog>
    </div>
  );
};
