/** @jsxImportSource #jsx */
/** The settings of tools that can post, or run a command for every event. */
import { said, type Setting } from "../../rewrites/tool-setup.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Code } from "../layout.tsx";
import type { View } from "../view.ts";
import { HOOK_TOOLS, type KEY_TOOLS, MANUAL_TOOLS, type Shown } from "./tools.ts";
import { Panel } from "../elements/panel.tsx";
import { Said } from "../elements/said.tsx";

/** `url`: of a namespace, then each tool has its own topic; with `topic` they all post to that one. */
export const ToolSettings = ({
  view,
  url,
  topic,
  secret = "$KEY",
  hookUrl,
  tools = MANUAL_TOOLS,
  title = view.texts.tools.title,
}: {
  view: View;
  url: string;
  topic?: string;
  secret?: string;
  /** A hook of the topic: tools that take only a URL get this one. */
  hookUrl?: string | undefined;
  tools?: typeof KEY_TOOLS;
  title?: string;
}): Safe => (
  <Panel heading="tools" title={title}>
    {tools
      .filter(({ withHook }) => hookUrl === undefined || withHook === undefined)
      .map((tool) => (
        <ToolSetting
          view={view}
          tool={tool}
          settings={tool.withKey(`${url}/${topic ?? tool.manual?.topic ?? tool.name}`, secret)}
        />
      ))}
    {hookUrl !== undefined && <HookTools view={view} url={hookUrl} />}
  </Panel>
);

/** For a page on which the URL of a hook is pasted. */
export const HookToolSettings = ({ view, url, title }: { view: View; url: string; title: string }): Safe => (
  <Panel heading="tools" title={title}>
    <HookTools view={view} url={url} />
  </Panel>
);

const HookTools = ({ view, url }: { view: View; url: string }): Safe => (
  <>
    {HOOK_TOOLS.map((tool) => (
      <ToolSetting view={view} tool={tool} settings={tool.withHook(url)} />
    ))}
  </>
);

const ToolSetting = ({
  view,
  tool: { title, place },
  settings,
}: {
  view: View;
  tool: Pick<Shown, "title" | "place">;
  settings: readonly Setting[];
}): Safe => (
  <details class="acc">
    <summary>{title}</summary>
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
            <Code view={view} label={`${title}, ${said(label, view.language)}`} text={value} wrap />
          </div>
        ),
      )}
    </div>
  </details>
);
