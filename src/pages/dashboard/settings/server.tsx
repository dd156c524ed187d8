/** @jsxImportSource #jsx */
/** What admins see of the server: its address, whether phones get pushes, mutes, its health. */
import type { Config } from "../../../config/config.ts";
import { isOwnMachine } from "../../../http/urls.ts";
import { VERSION } from "../../../util/version.ts";
import { sizeWords } from "../../elements/bytes.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { Code, Icon, type IconName } from "../../layout.tsx";
import { BriefTime, Time } from "../../elements/times.tsx";
import type { TlsStatus } from "../../../tls/tls.ts";
import type { View } from "../../view.ts";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import type { ServerGathered } from "./gather.ts";
import { mutedOf, MUTE_CHOICES } from "./mutes.ts";
import { Panel } from "../../elements/panel.tsx";
import { Row } from "./section.tsx";
import type { Answer } from "./pushes.ts";
import { Submit } from "../../elements/submit.tsx";

interface ServerProps {
  desk: Desk;
  config: Config;
  server: ServerGathered;
  /** The address that the browser used: `https://host`, with the base path. */
  seen: string;
}

type AddressProps = Omit<ServerProps, "server"> & { tls: TlsStatus | undefined };

export const AddressPanel = ({ desk: { view }, config: { baseUrl }, seen, tls }: AddressProps): Safe => {
  const { address: words } = view.texts.settings;
  const isSame = baseUrl === seen;
  const isHere = isOwnMachine(seen);
  return (
    <Panel id="address" title={words.title}>
      <div class="in">
        <dl class="kv">
          <dt>{words.configured}</dt>
          <dd>{baseUrl === undefined ? words.notConfigured : <code>{baseUrl}</code>}</dd>
          <dt>{words.browser}</dt>
          <dd>
            <code>{seen}</code>
          </dd>
          {tls !== undefined && <CertificateRows view={view} tls={tls} />}
        </dl>
        <p class="soft">
          {baseUrl !== undefined ? (isSame ? words.same : words.other) : isHere ? words.setHere : words.set}
        </p>
        {(baseUrl === undefined || (!isSame && !isHere)) && (
          <Code view={view} label={view.texts.command} text={`PEAL_BASE_URL=${isHere ? EXAMPLE : seen}`} />
        )}
      </div>
    </Panel>
  );
};

/** peal's own https: the certificate in use, and why there is no other. */
const CertificateRows = ({
  view,
  tls: { kind, certificate, renewAt, problem },
}: {
  view: View;
  tls: TlsStatus;
}): Safe => {
  const { address: words } = view.texts.settings;
  return (
    <>
      {certificate !== undefined && (
        <>
          <dt>{words.certificate}</dt>
          <dd>
            <code>{certificate.names.join(", ")}</code>
          </dd>
          <dt>{words.issuer}</dt>
          <dd>{certificate.issuer}</dd>
          <dt>{words.validUntil}</dt>
          <dd>
            <Time view={view} at={certificate.until} dated />
          </dd>
          <dt>{words.renewal}</dt>
          <dd>
            {renewAt !== undefined ? (
              <BriefTime view={view} at={renewAt} />
            ) : kind === "tailscale" ? (
              words.byTailscale
            ) : (
              words.byYou
            )}
          </dd>
        </>
      )}
      {problem !== undefined && (
        <>
          <dt>{words.trouble}</dt>
          <dd>
            <p class="wrong">
              <Icon view={view} name="error" />
              <span lang="en">{problem}</span>
            </p>
          </dd>
        </>
      )}
    </>
  );
};

const METRICS = "/metrics";
const DOCS = "/docs";
/** Shown instead of an address that only this machine has. */
const EXAMPLE = "https://peal.example.org";

const SIGNS: Record<Answer["is"], { icon: IconName; state: string }> = {
  yes: { icon: "up", state: "up" },
  no: { icon: "down", state: "down" },
  unknown: { icon: "info", state: "new" },
  off: { icon: "paused", state: "paused" },
};

export const PushPanel = ({ desk: { view }, server }: Pick<ServerProps, "desk" | "server">): Safe => {
  const { push: words } = view.texts.settings;
  return (
    <Panel id="push" title={words.title}>
      <ul class="rows">
        {server.push.map(({ title, text, is }) => (
          <Row
            name={title}
            sub={text}
            end={
              <span class={`st ${SIGNS[is].state}`}>
                <Icon view={view} name={SIGNS[is].icon} />
                {words[is]}
              </span>
            }
          />
        ))}
      </ul>
    </Panel>
  );
};

export const MutePanel = ({ desk }: { desk: Desk }): Safe => {
  const { view, namespaces, now } = desk;
  const { mute: words } = view.texts.settings;
  const muted = mutedOf(namespaces, now);
  return (
    <Panel id="mute" title={words.title} live="namespace">
      <form class="in s" method="post" action={deskLink(desk, "/-/settings/mute")}>
        <p class="soft">{words.text}</p>
        {muted !== undefined && (
          <p>
            {muted.until === undefined
              ? words.some(muted.names.join(", "))
              : fill(words.until, <BriefTime view={view} at={muted.until} />)}
          </p>
        )}
        <div class="line">
          {MUTE_CHOICES.map((choice, n) => (
            <button class="btn" type="submit" name="for" value={choice}>
              {n === 0 && <Icon view={view} name="mute" />}
              {words[choice]}
            </button>
          ))}
          {muted !== undefined && (
            <Submit view={view} icon="bell" name="for" value="off" words={view.texts.shared.unmute} />
          )}
        </div>
      </form>
    </Panel>
  );
};

export const AboutPanel = ({ desk: { view }, config, server }: Partial<ServerProps> & { desk: Desk }): Safe => {
  const { about: words } = view.texts.settings;
  return (
    <Panel id="about" title={words.title}>
      <div class="in">
        <dl class="kv">
          <dt>{words.version}</dt>
          <dd>{words.upFor(VERSION)}</dd>
          {server !== undefined && config !== undefined && (
            <>
              <dt>{words.health}</dt>
              <dd>{health(words, server)}</dd>
              <dt>{words.store}</dt>
              <dd>
                {words.bytes(
                  sizeWords(view, server.stats.databaseBytes + server.stats.walBytes),
                  sizeWords(view, server.disk.free),
                )}
              </dd>
              <dt>{words.metrics}</dt>
              <dd>
                <a href={`${view.base}${METRICS}`}>{METRICS}</a>
                {metricsWords(words, config)}
              </dd>
            </>
          )}
          <dt>{words.api}</dt>
          <dd>
            <a href={`${view.base}${DOCS}`}>{DOCS}</a>
          </dd>
          <dt>{words.source}</dt>
          <dd>{words.licence}</dd>
        </dl>
      </div>
    </Panel>
  );
};

type Words = Desk["view"]["texts"]["settings"]["about"];

function health(words: Words, { alerter, disk, problems }: ServerGathered): Child {
  const told = [
    ...problems.map((text) => <p lang="en">{text}</p>), // as /health has them
    alerter === "failing" && <p>{words.alerterFailing}</p>,
    disk.status === "low" && <p>{words.diskLow}</p>,
  ].filter((one) => one !== false);
  return told.length === 0 ? words.well : told;
}

const metricsWords = (words: Words, { metrics }: Config): string =>
  metrics === "off" ? words.metricsOff : metrics === "loopback" ? words.metricsLoopback : words.metricsToken;
