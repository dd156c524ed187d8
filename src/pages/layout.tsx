/** @jsxImportSource #jsx */
/** The frame of every page, and the signs in it. */
import { assetPath, type AssetName } from "./assets.ts";
import type { Child, Safe } from "./jsx/jsx-runtime.ts";
import { LanguageSwitch } from "./language/switch.tsx";
import type { Millis } from "../util/clock.ts";
import type { View } from "./view.ts";

/** The symbols of `static/icons.svg`. */
export const ICONS = [
  "mark",
  "overview",
  "messages",
  "topics",
  "checks",
  "devices",
  "keys",
  "deliveries",
  "settings",
  "more",
  "info",
  "success",
  "warning",
  "error",
  "urgent",
  "bell",
  "mute",
  "late",
  "down",
  "up",
  "paused",
  "running",
  "new",
  "search",
  "open",
  "copy",
  "share",
  "link",
  "feed",
  "right",
  "plus",
  "x",
  "rotate",
  "trash",
  "sun",
  "send",
  "image",
  "lock",
  "top",
  "download",
  "laptop",
  "check",
  "undo",
  "offline",
  "user",
  "moon",
] as const;
export type IconName = (typeof ICONS)[number];

interface ShellProps {
  view: View;
  title: string;
  script: AssetName & `${string}.js`;
  /** The words of the script. */
  words?: string;
  /** The page shows the state at this time; for pages that are live. */
  at?: Millis;
  /** More of `<head>`. */
  head?: Child;
  children?: Child;
}

interface DocumentProps extends ShellProps {
  /** Width: `public` has a side column, `mid` is for text, `narrow` for forms. */
  frame: "public" | "mid" | "narrow";
  /** At the end of the page's header; absent: the button for the theme. */
  end?: Child;
}

/** The document around every frame. `sign`: of the window; `body`: the class of `<body>`. */
export const Shell = (props: ShellProps & { sign?: "down"; body?: string }): Safe => {
  const { view, title, script, words, at, head, sign, body, children } = props;
  return (
    <html lang={view.language} data-theme={view.theme} data-base={view.base} data-words={words} data-at={at}>
      <head>
        <meta charset="utf-8" />
        <title>{title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#f7f6f3" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#131211" />
        <link
          rel="icon"
          href={assetPath(view.base, sign === "down" ? "favicon-down.svg" : "favicon.svg")}
          type="image/svg+xml"
          data-unread={assetPath(view.base, "favicon-unread.svg")}
        />
        <link rel="stylesheet" href={assetPath(view.base, "peal.css")} />
        {head}
        <script type="module" src={assetPath(view.base, script)}></script>
      </head>
      <body class={body}>
        <a class="skip" href="#main">
          {view.texts.skip}
        </a>
        {children}
      </body>
    </html>
  );
};

/** A page that is not part of the dashboard: feed, set-up, errors. */
export const Document = ({ frame, end, children, ...shell }: DocumentProps): Safe => (
  <Shell {...shell}>
    <div class={frame}>
      <header>
        <Brand view={shell.view} />
        {end ?? (
          <div class="end">
            <ThemeButton view={shell.view} />
          </div>
        )}
      </header>
      <main id="main" tabindex="-1" class="stack">
        {children}
      </main>
      <footer>
        <LanguageSwitch view={shell.view} />
      </footer>
    </div>
  </Shell>
);

/** A page that asks for one thing: its form is all that is on it. */
export const AskDocument = ({ view, title, children }: Pick<ShellProps, "view" | "title" | "children">): Safe => (
  <Document view={view} title={`${title} · peal`} frame="narrow" script="page.js" head={OWN_FORM}>
    {children}
  </Document>
);

/** With our `no-referrer` a browser sends `Origin: null`, and without https no Sec-Fetch-Site: nothing to tell our form by. */
export const OWN_FORM = <meta name="referrer" content="same-origin" />;

/** Our sign and name, which lead to the start. `label`: if the name may be hidden. */
export const Brand = ({ view, label }: { view: View; label?: string }): Safe => (
  <a class="brand" href={`${view.base}/-/`} aria-label={label}>
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <use href={`${assetPath(view.base, "icons.svg")}#mark`}></use>
    </svg>
    <span>peal</span>
  </a>
);

export const Icon = ({ view, name, large }: { view: View; name: IconName; large?: boolean }): Safe => (
  <svg class={large === true ? "icon" : "icon s"} viewBox="0 0 20 20" aria-hidden="true">
    <use href={`${assetPath(view.base, "icons.svg")}#${name}`}></use>
  </svg>
);

/** Shown by the script only: a reader without it follows the system's theme. */
export const ThemeButton = ({ view }: { view: View }): Safe => (
  <button
    class="btn bare only js"
    type="button"
    aria-label={view.texts.theme.toDark}
    data-theme-button
    data-to-dark={view.texts.theme.toDark}
    data-to-light={view.texts.theme.toLight}
  >
    <svg class="icon s" viewBox="0 0 20 20" aria-hidden="true">
      <use href={`${assetPath(view.base, "icons.svg")}#moon`}></use>
    </svg>
  </button>
);

/** A command, with a button that copies it once the script runs. */
export const Code = ({ view, label, text, wrap }: { view: View; label: string; text: Child; wrap?: boolean }): Safe => (
  <div class={wrap === true ? "code wrap" : "code"}>
    <pre tabindex="0" role="group" aria-label={label}>
      <code>{text}</code>
    </pre>
    <CopyButton view={view} label={view.texts.copy.command} />
  </div>
);

/** Copies the text of the element before it. */
export const CopyButton = ({ view, label }: { view: View; label: string }): Safe => (
  <button class="btn js" type="button" data-copy data-done={view.texts.copy.done} aria-label={label}>
    <Icon view={view} name="copy" />
    <span>{view.texts.copy.copy}</span>
  </button>
);
