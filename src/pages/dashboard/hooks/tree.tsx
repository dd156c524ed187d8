/** @jsxImportSource #jsx */
/** The body of a request as a tree, each of its values with the path that a map writes for it. Bounded, whatever came. */
import { type Path, writtenPath } from "../../../hooks/template.ts";
import { levelOf } from "../../../drafts/words.ts";
import { scalar } from "../../../rewrites/fields.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import type { View } from "../../view.ts";

/** Limits of a tree: its entries, its depth, and the lengths of a value and of a name. */
const MAX_ENTRIES = 500;
const MAX_DEPTH = 24;
const MAX_VALUE = 500;
const MAX_NAME = 120;
/** Entries of a list or an object that are open at first. */
const MAX_OPEN = 30;

interface Growing {
  view: View;
  /** How many entries may follow. */
  left: number;
}

/** `value`: parsed JSON, or the fields of a form. */
export const Tree = ({ view, value }: { view: View; value: object }): Safe => (
  <div class="tree" tabindex="0" role="group" aria-label={view.texts.hooks.body.title}>
    {branch({ view, left: MAX_ENTRIES }, value, [])}
  </div>
);

function branch(growing: Growing, value: object, path: Path): Safe {
  const entries: Child[] = [];
  const names = Object.keys(value);
  let shown = 0;
  for (const name of names) {
    if (growing.left <= 0) break;
    growing.left--;
    shown++;
    entries.push(<li>{entry(growing, name, (value as Record<string, unknown>)[name], [...path, name])}</li>);
  }
  const { body: say } = growing.view.texts.hooks;
  return (
    <ul>
      {entries}
      {names.length > shown && <li class="dim">{say.more(names.length - shown)}</li>}
    </ul>
  );
}

function entry(growing: Growing, name: string, value: unknown, path: Path): Safe {
  const { body: say } = growing.view.texts.hooks;
  const label = <bdi class="dim">{name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name}</bdi>;
  if (typeof value !== "object" || value === null)
    return (
      <>
        {label}: <Leaf value={value} path={path} />
      </>
    );
  const size = Object.keys(value).length;
  if (size === 0 || path.length >= MAX_DEPTH)
    return (
      <>
        {label} <span class="dim">{size === 0 ? say.empty : say.deeper}</span>
      </>
    );
  return (
    <details open={path.length < 4 && size <= MAX_OPEN}>
      <summary>
        {label} <span class="dim">{say.entries(size)}</span>
      </summary>
      {branch(growing, value, path)}
    </details>
  );
}

/** The script makes a button of an element with a path; without a script the path is shown, to be typed. */
const Leaf = ({ value, path }: { value: unknown; path: Path }): Safe => {
  const text = scalar(value);
  if (text === undefined) return <span class="dim">{JSON.stringify(value)}</span>;
  const written = writtenPath(path);
  return (
    <>
      <span class="v" dir="auto" data-path={written} data-level={levelOf(text)}>
        {text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE).toWellFormed()}…` : text}
      </span>
      <noscript>
        {" "}
        <code class="dim">{`{${written}}`}</code>
      </noscript>
    </>
  );
};

/** The most that is shown of a body that is text. */
const MAX_TEXT = 8_000;

export const Text = ({ view, text }: { view: View; text: string }): Safe => {
  const { body: say } = view.texts.hooks;
  return (
    <div class="code wrap">
      <pre tabindex="0" role="group" aria-label={say.title} dir="auto">
        <code>{text.slice(0, MAX_TEXT).toWellFormed()}</code>
      </pre>
      {text.length > MAX_TEXT && <p class="hint">{fill(say.cut, text.length - MAX_TEXT)}</p>}
    </div>
  );
};
