/** @jsxImportSource #jsx */
/** Shown instead of the second and the third screen of the first run, if the topic that they are about is gone. */
import { fill } from "../pages/elements/fill.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import { Document, Icon } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";
import { Steps } from "./steps.tsx";

/** `SetupStore.ensureFirst` makes it. */
const NAMES = ["hello", "home"];

export const MissingPage = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  const names = NAMES.map((name) => <strong>{name}</strong>);
  return (
    <Document
      view={view}
      title={`${words.step2} · peal`}
      frame="mid"
      script="page.js"
      head={<meta name="referrer" content="same-origin" />}
      end={<Steps view={view} at={2} />}
    >
      <div class="tight">
        <h1>{words.firstTitle}</h1>
        <p class="lede">{fill(words.missing, ...names)}</p>
      </div>
      <form class="line" method="post" action={`${view.base}/-/setup/topic`}>
        <button class="btn main" type="submit">
          <Icon view={view} name="plus" />
          {words.makeTopic}
        </button>
        <a class="btn bare" href={`${view.base}/-/`}>
          {words.skip}
        </a>
      </form>
    </Document>
  );
};
