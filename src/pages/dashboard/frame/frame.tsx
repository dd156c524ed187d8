/** @jsxImportSource #jsx */
/** The frame of the dashboard: rail or bottom bar, header with the filter, what a form did, the live word. */
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Brand, Icon, Shell, ThemeButton, type IconName } from "../../layout.tsx";
import { LanguageSwitch } from "../../language/switch.tsx";
import { imagePath } from "../../assets.ts";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "./filter.ts";
import { FlashNote } from "./flash-note.tsx";
import { MANIFEST_PATH } from "./manifest.ts";
import { liveWords } from "./live-texts.ts";

/** Entries of the rail, in their order. On phones those behind the first four are behind "More". */
const ENTRIES = ["overview", "messages", "topics", "checks", "devices", "keys", "deliveries", "settings"] as const;
export type Entry = (typeof ENTRIES)[number];
const ON_PHONES = 4;
/** The path of an entry, below the base path. */
const pathOf = (entry: Entry = "overview"): string => (entry === "overview" ? "/-/" : `/-/${entry}`);

interface DesktopProps {
  desk: Desk;
  /** The page's title, without the product's name. */
  title: string;
  /** Absent: the page belongs to none. */
  current?: Entry;
  /** An error stays what it is: nothing is followed. */
  isError?: true;
  children?: Child;
}

export const Desktop = ({ desk, title, current, isError, children }: DesktopProps): Safe => {
  const { view, trouble } = desk;
  const { desk: words } = view.texts;
  const isDown = trouble.down > 0;
  return (
    <Shell
      view={view}
      title={`${isDown ? `${words.down(trouble.down)} · ` : ""}${title} · peal`}
      script="desk.js"
      words={JSON.stringify(liveWords(view.texts))}
      at={desk.now}
      // with our `no-referrer` a browser sends `Origin: null`, and without https no Sec-Fetch-Site: nothing to tell our forms by
      head={
        <>
          <meta name="referrer" content="same-origin" />
          {/* with the cookies: a proxy may guard all below `/-/`, and the language is in one */}
          <link rel="manifest" href={view.base + MANIFEST_PATH} crossorigin="use-credentials" />
          <link rel="apple-touch-icon" href={imagePath(view.base, "app-icon-180.png")} />
          <meta name="apple-mobile-web-app-title" content="peal" />
        </>
      }
      body="app"
      {...(isDown && { sign: "down" })}
    >
      <header class="top">
        <Brand view={view} label={words.home} />
        <NamespaceFilter desk={desk} current={current} />
        <div class="end">
          {isError !== true && (
            <p class="live js" role="status">
              <span class="dot busy"></span>
              <span data-connection>{view.texts.live.connecting}</span>
            </p>
          )}
          <ThemeButton view={view} />
        </div>
      </header>
      <Rail desk={desk} current={current} />
      <main id="main" tabindex="-1">
        {desk.flash !== undefined && <FlashNote desk={desk} flash={desk.flash} />}
        <div class="stack">{children}</div>
      </main>
    </Shell>
  );
};

/** A single namespace leaves nothing to choose: it is only shown. */
const NamespaceFilter = ({ desk, current }: { desk: Desk; current: Entry | undefined }): Safe => {
  const { view, namespaces, chosen } = desk;
  // a page of one object belongs to a namespace: choosing another leads to the list of such objects there
  const link = (ns: string | undefined) => deskLink(desk, pathOf(current), { ns });
  return (
    <nav class="ns" aria-label={view.texts.shared.namespace} id="ns-chosen" data-live="namespace">
      {namespaces.length > 1 && (
        <a href={link(undefined)} aria-current={chosen === undefined && "true"}>
          {view.texts.shared.all}
        </a>
      )}
      {namespaces.map(({ name }) => (
        <a href={link(name)} aria-current={(name === chosen?.name || namespaces.length === 1) && "true"}>
          {name}
        </a>
      ))}
    </nav>
  );
};

const Rail = ({ desk, current }: { desk: Desk; current: Entry | undefined }): Safe => {
  const { view, visitor } = desk;
  const { desk: words } = view.texts;
  const { name, isAdmin } = visitor.person;
  const link = (entry: Entry) => <EntryLink desk={desk} entry={entry} isCurrent={entry === current} />;
  return (
    <nav class="rail" aria-label={words.main} id="rail" data-live="check delivery">
      <Brand view={view} />
      <ul>
        {ENTRIES.map((entry, n) => (
          <li class={n < ON_PHONES ? undefined : "wide"}>{link(entry)}</li>
        ))}
        <li class="phone">
          <details>
            <summary>
              <Icon view={view} name="more" large />
              <span>{words.more}</span>
              <Trouble desk={desk} entry="deliveries" />
            </summary>
            <ul class="drop">
              {ENTRIES.slice(ON_PHONES).map((entry) => (
                <li>{link(entry)}</li>
              ))}
              <li>
                <LanguageSwitch view={view} />
              </li>
              {visitor.sessionId !== undefined && (
                <li>
                  <SignOut desk={desk} icon="lock" />
                </li>
              )}
            </ul>
          </details>
        </li>
      </ul>
      <div class="foot">
        <span dir="auto">{isAdmin ? words.admin(name) : name}</span>
        {visitor.sessionId !== undefined && <SignOut desk={desk} />}
        <LanguageSwitch view={view} />
      </div>
    </nav>
  );
};

const EntryLink = ({ desk, entry, isCurrent }: { desk: Desk; entry: Entry; isCurrent: boolean }): Safe => {
  const { view } = desk;
  return (
    <a href={deskLink(desk, pathOf(entry))} aria-current={isCurrent && "page"}>
      <Icon view={view} name={entry} large />
      <span>{view.texts.desk.entries[entry]}</span>
      <Trouble desk={desk} entry={entry} />
    </a>
  );
};

/** How much of an entry is in trouble, if anything is. */
const Trouble = ({ desk: { view, trouble }, entry }: { desk: Desk; entry: Entry }): Safe => {
  const { isDown, hasFailed } = view.texts.desk;
  const count = entry === "checks" ? trouble.down : entry === "deliveries" ? trouble.failed : 0;
  return (
    <>
      {count > 0 && (
        <span class="count">
          {count > MOST_COUNTED ? `${MOST_COUNTED}+` : count}
          <span class="sr"> {entry === "checks" ? isDown : hasFailed}</span>
        </span>
      )}
    </>
  );
};
const MOST_COUNTED = 99;

/** Absent for whom a proxy signs in: they would be signed in again at once. */
const SignOut = ({ desk: { view }, icon }: { desk: Desk; icon?: IconName }): Safe => (
  <form method="post" action={`${view.base}/-/logout`}>
    <button type="submit">
      {icon !== undefined && <Icon view={view} name={icon} large />}
      <span>{view.texts.shared.signOut}</span>
    </button>
  </form>
);
