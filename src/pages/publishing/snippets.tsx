/** @jsxImportSource #jsx */
/** How to publish: ready commands, each in a tab. The tabs are radio buttons, so that they turn without a script. */
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Code } from "../layout.tsx";
import type { View } from "../view.ts";
import { snippets, type Target } from "./commands.ts";

export const SnippetTabs = ({ view, target }: { view: View; target: Target }): Safe => (
  <div class="langs" role="group" aria-label={view.texts.commandLanguage}>
    {snippets(target).map(({ name, command }, i) => (
      <>
        <input class="sr" type="radio" name="lang" id={`lang-${name}`} checked={i === 0} autocomplete="off" />
        <label for={`lang-${name}`}>{name}</label>
        <Code view={view} label={`${view.texts.command}, ${name}`} text={command} wrap />
      </>
    ))}
  </div>
);
