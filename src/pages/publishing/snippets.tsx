/** @jsxImportSource #jsx */
/**
 * How to publish: ready commands, each in a tab (the tabs are radio buttons, so that they turn without a script), and what to
 * set in tools that post by themselves.
 */
import { HOOK_TOOLS } from "./hook-tools.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Code } from "../layout.tsx";
import { snippets, type Target } from "./recipes.ts";
import { TOOLS, said, type Setting, type Tool, type Words } from "./tools.ts";
import type { View } from "../view.ts";

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

/** `url`: of a namespace, then each tool has its own topic; with `topic` they all post to that one. */
export const ToolSettings = ({
  view,
  url,
  topic,
  secret = "$KEY",
  hookUrl,
  tools = TOOLS,
  title = view.texts.tools.title,
}: {
  view: View;
  url: string;
  topic?: string;
  secret?: string;
  /** Of the topic: tools that take only a URL are given this one. */
  hookUrl?: string | undefined;
  tools?: readonly Tool[];
  title?: string;
}): Safe => (
  <section class="panel" aria-labelledby="tools">
    <header>
      <h2 id="tools">{title}</h2>
    </header>
    {tools
      .filter(({ name }) => hookUrl === undefined || !HOOKED.has(name))
      .map((tool) => (
        <ToolSetting view={view} tool={tool} settings={tool.settings(`${url}/${topic ?? tool.topic}`, secret)} />
      ))}
    {hookUrl !== undefined && <HookTools view={view} url={hookUrl} />}
  </section>
);

/** Where the URL of a hook is pasted. */
export const HookToolSettings = ({ view, url, title }: { view: View; url: string; title: string }): Safe => (
  <section class="panel" aria-labelledby="tools">
    <header>
      <h2 id="tools">{title}</h2>
    </header>
    <HookTools view={view} url={url} />
  </section>
);

const HOOKED: ReadonlySet<string> = new Set(HOOK_TOOLS.map(({ name }) => name));

const HookTools = ({ view, url }: { view: View; url: string }): Safe => (
  <>
    {HOOK_TOOLS.map((tool) => (
      <ToolSetting view={view} tool={tool} settings={tool.settings(url)} />
    ))}
  </>
);

const ToolSetting = ({
  view,
  tool: { name, place },
  settings,
}: {
  view: View;
  tool: Pick<Tool, "name" | "place">;
  settings: readonly Setting[];
}): Safe => (
  <details class="acc">
    <summary>{name}</summary>
    <div class="tight">
      <p class="hint">
        <Said view={view} words={place} />
      </p>
      {settings.map(({ label, value, isChoice }) =>
        isChoice === true ? (
          <p>
            <Said view={view} words={label} />: <strong lang="en">{value}</strong>
          </p>
        ) : (
          <div>
            <p>
              <Said view={view} words={label} />:
            </p>
            <Code view={view} label={`${name}, ${said(label, view.texts.recipes)}`} text={value} wrap />
          </div>
        ),
      )}
    </div>
  </details>
);

/** What a tool calls something is English in every language. */
const Said = ({ view, words }: { view: View; words: Words }): Safe => (
  <span lang={typeof words === "string" ? "en" : undefined}>{said(words, view.texts.recipes)}</span>
);
