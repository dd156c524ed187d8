/** @jsxImportSource #jsx */
/** The way to the other languages, each by its own name. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { LANGUAGES, textsOf } from "../texts/languages.ts";
import type { View } from "../view.ts";

/** A form, which works without a script and whose URL does not contain the page's. Empty if the page cannot be fetched again. */
export const LanguageSwitch = ({ view }: { view: View }): Safe =>
  view.here === undefined ? (
    <></>
  ) : (
    <form method="post" action={`${view.base}/-/language`}>
      <input type="hidden" name="to" value={view.here} />
      {LANGUAGES.filter((one) => one !== view.language).map((one) => (
        <button class="btn bare" type="submit" name="lang" value={one} lang={one}>
          {textsOf(one).ownName}
        </button>
      ))}
    </form>
  );
