/** @jsxImportSource #jsx */
/** Shown instead of the second and the third screen of the first run, if the topic that they are about is gone. */
import { fill } from "../pages/elements/fill.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import { Document, OWN_FORM } from "../pages/layout.tsx";
import type { View } from "../pages/view.ts";
import { Steps } from "./steps.tsx";
import { Submit } from "../pages/elements/submit.tsx";

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
      head={OWN_FORM}
      end={<Steps view={view} at={2} />}
    >
      <div class="tight">
        <h1>{words.firstTitle}</h1>
        <p class="lede">{fill(words.missing, ...names)}</p>
      </div>
      <form class="line" method="post" action={`${view.base}/-/setup/topic`}>
        <Submit view={view} icon="plus" class="btn main" words={words.makeTopic} />
        <a class="btn bare" href={`${view.base}/-/`}>
          {words.skip}
        </a>
      </form>
    </Document>
  );
};
