/** @jsxImportSource #jsx */
/** The URL of a hook, and the same in the forms of others. */
import { CopyLine } from "../../elements/copy-line.tsx";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";
import type { HookUrls } from "./on-hook.ts";

export const Urls = ({ view, urls, id }: { view: View; urls: HookUrls | undefined; id: string }): Safe => {
  const { hooks: say } = view.texts;
  if (urls === undefined) return <p>{say.lost}</p>;
  return (
    <>
      <CopyLine view={view} text={urls.url} label={say.copy} />
      <p class="hint">{say.secret}</p>
      <details class="past" id={`others-${id}`}>
        <summary>{say.others}</summary>
        <div class="tight">
          <p class="hint">{say.othersHint}</p>
          {urls.others.map(([name, text]) => (
            <div>
              <p>{say.dialects[name]}</p>
              <CopyLine view={view} text={text} label={say.copyOf(say.dialects[name])} />
            </div>
          ))}
        </div>
      </details>
    </>
  );
};
