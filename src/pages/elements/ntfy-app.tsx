/** @jsxImportSource #jsx */
/**
 * A topic in ntfy's apps, where their users find it: server and topic to enter, and for Android a link and a QR code. The app for
 * iPhones knows no links (ntfy-ios has no URL type), and neither takes an address with a path (ntfy-android, `validBaseUrl`).
 */
import { isOwnMachine, ntfyUrl } from "../../http/urls.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Child, Safe } from "../jsx/jsx-runtime.ts";
import type { View } from "../view.ts";
import { CopyLine } from "./copy-line.tsx";
import { fill } from "./fill.ts";
import { Panel } from "./panel.tsx";
import { Qr } from "./qr.tsx";

interface Props {
  view: View;
  topic: Topic;
  /** PEAL_NTFY_UPSTREAM: wakes the app on iPhones. */
  upstream: string | undefined;
}

/** Why no phone can read this address in the app; absent if it can. */
export const hindrance = ({ url, base, texts: { phone: words } }: View): Child => {
  if (base !== "") return fill(words.withPath, <code>{base}</code>);
  if (!isOwnMachine(url)) return undefined;
  const elsewhere = new URL(url);
  elsewhere.hostname = words.machine;
  return fill(words.ownMachine, <code>{url}</code>, <code>{elsewhere.origin}</code>);
};

/** Whether the app can read the topics of this server at all. */
export const canRead = ({ base }: Pick<View, "base">): boolean => base === "";

/** "Get it on your phone", where the page itself is the other way. */
export const OnPhone = (props: Props): Safe => {
  const { view } = props;
  const { phone: words, notify } = view.texts;
  const isSecure = view.url.startsWith("https:");
  return (
    <Panel id={ON_PHONE} title={words.title}>
      <NtfyApp {...props} lede={isSecure ? fill(words.beside, <strong>{notify.start}</strong>) : words.instead} />
    </Panel>
  );
};
/** The id of that panel. */
export const ON_PHONE = "phone";

/** The inside of a panel: what to know, and a part that opens for each app. `opened`: the first of them is. */
export const NtfyApp = ({ opened, lede, ...props }: Props & { opened?: true; lede?: Child }): Safe => {
  const { view } = props;
  const { phone: words } = view.texts;
  const hindered = hindrance(view);
  if (hindered !== undefined)
    return (
      <div class="in">
        <p class="soft">{hindered}</p>
      </div>
    );
  return (
    <>
      <div class="in tight">
        {lede !== undefined && <p>{lede}</p>}
        <p class="hint">{words.direct}</p>
      </div>
      <details class="acc" name="ntfy" open={opened}>
        <summary>{words.onAndroid}</summary>
        <Android {...props} />
      </details>
      <details class="acc" name="ntfy">
        <summary>{words.onIphone}</summary>
        <Iphone {...props} />
      </details>
    </>
  );
};

const Android = ({ view, topic }: Props): Safe => {
  const { phone: words } = view.texts;
  const link = ntfyUrl(view.url, topic);
  return (
    <ol class="how">
      <Step words={fill(words.androidInstall, <Store of="play" />, <Store of="fdroid" />)} />
      <Step words={fill(words.androidOpen, <a href={link}>{words.openIn}</a>)}>
        <Qr text={link} label={words.qr(topic.name)} />
        <p class="hint">{fill(words.androidType, <Strong words="+" />, <Strong words={words.androidAnother} />)}</p>
        <Server view={view} />
        <Key view={view} topic={topic} />
      </Step>
      <Step words={words.androidAllow} />
    </ol>
  );
};

/** The app speaks English only. */
const Iphone = ({ view, topic, upstream }: Props): Safe => {
  const { phone: words } = view.texts;
  return (
    <>
      <ol class="how">
        <Step words={fill(words.iphoneInstall, <Store of="apple" />)} />
        <Step words={fill(words.iphoneServer, <Strong words={DEFAULT_SERVER} lang="en" />)}>
          <Server view={view} />
        </Step>
        <Step words={fill(words.iphoneTopic, <Strong words="+" />)}>
          <Key view={view} topic={topic} />
        </Step>
      </ol>
      <p class="hint">
        {upstream === undefined
          ? fill(words.iphoneLate, <code>PEAL_NTFY_UPSTREAM</code>)
          : words.iphoneAtOnce(new URL(upstream).host)}
      </p>
    </>
  );
};

const Server = ({ view }: Pick<Props, "view">): Safe => (
  <Labelled words={view.texts.phone.server}>
    <CopyLine view={view} text={view.url} label={view.texts.phone.copyServer} />
  </Labelled>
);

const Key = ({ view, topic }: Pick<Props, "view" | "topic">): Safe => (
  <Labelled words={view.texts.phone.topic}>
    <CopyLine view={view} text={topic.key} label={view.texts.phone.copyTopic} />
  </Labelled>
);

const Labelled = ({ words, children }: { words: string; children?: Child }): Safe => (
  <div>
    <p class="hint">{words}</p>
    {children}
  </div>
);

const Step = ({ words, children }: { words: Child; children?: Child }): Safe => (
  <li>
    <div class="tight">
      <p>{words}</p>
      {children}
    </div>
  </li>
);

const Strong = ({ words, lang }: { words: string; lang?: "en" }): Safe => <strong lang={lang}>{words}</strong>;

/** A word of the app's settings. */
const DEFAULT_SERVER = "Default server";

const STORES = {
  play: ["Google Play", "https://play.google.com/store/apps/details?id=io.heckel.ntfy"],
  fdroid: ["F\u2011Droid", "https://f-droid.org/packages/io.heckel.ntfy/"],
  apple: ["App Store", "https://apps.apple.com/app/ntfy/id1625396347"],
} as const;

const Store = ({ of }: { of: keyof typeof STORES }): Safe => {
  const [name, address] = STORES[of];
  return (
    <a href={address} rel="noreferrer">
      {name}
    </a>
  );
};
