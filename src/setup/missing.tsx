/** @jsxImportSource #jsx */
/** Shown instead of the second and the third screen of the first run, if the topic that they are about is gone. */
import { fill } from "../pages/elements/fill.ts";
import type { Safe } from "../pages/jsx/jsx-runtime.ts";
import type { View } from "../pages/view.ts";
import { Screen } from "./steps.tsx";
import { Submit } from "../pages/elements/submit.tsx";
import { Link } from "../pages/dashboard/frame/link.tsx";

/** `SetupStore.ensureFirst` makes it. */
const NAMES = ["hello", "home"];

export const MissingPage = ({ view }: { view: View }): Safe => {
  const words = view.texts.setup;
  const names = NAMES.map((name) => <strong>{name}</strong>);
  return (
    <Screen view={view} step={2} title={words.step2} script="page.js">
      <div class="tight">
        <h1>{words.firstTitle}</h1>
        <p class="lede">{fill(words.missing, ...names)}</p>
      </div>
      <form class="line" method="post" action={`${view.base}/-/setup/topic`}>
        <Submit view={view} icon="plus" class="btn main" words={words.makeTopic} />
        <Link desk={{ view }} to="/-/" class="btn bare" words={words.skip} />
      </form>
    </Screen>
  );
};
