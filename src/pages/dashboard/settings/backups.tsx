/** @jsxImportSource #jsx */
/** Backups: make one, those that are kept, download. */
import type { Config } from "../../../config/config.ts";
import { KEPT_BACKUPS } from "../../../ops/backups.ts";
import { sizeWords } from "../../elements/bytes.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Icon } from "../../layout.tsx";
import { Ago, momentWords } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import type { ServerGathered } from "./gather.ts";
import { Panel } from "../../elements/panel.tsx";
import { Submit } from "../../elements/submit.tsx";

interface BackupsProps {
  desk: Desk;
  server: Pick<ServerGathered, "backups" | "isBackingUp">;
  config: Pick<Config, "backup">;
}

export const BackupsPanel = ({ desk, config, server: { backups, isBackingUp } }: BackupsProps): Safe => {
  const { view } = desk;
  const { backups: words } = view.texts.settings;
  return (
    <Panel
      id="backups"
      title={words.title}
      live="" // nothing hints at them: the script looks once a minute
      end={
        !isBackingUp && (
          <form method="post" action={deskLink(desk, "/-/settings/backups")}>
            <Submit view={view} icon="download" words={words.now} />
          </form>
        )
      }
    >
      <div class="in s">
        <p class="soft">
          {words.kept(KEPT_BACKUPS, config.backup?.kept)}
          <code>backups/</code>
          {words.keptAfter}
          <code>peal restore</code>. {words.secret} <code>secret</code>
          {words.notIn}
        </p>
        {isBackingUp && <p role="status">{words.running}</p>}
      </div>
      {backups.length === 0 && !isBackingUp && (
        <div class="empty">
          <h3>{words.none}</h3>
          <p class="soft">{words.noneText}</p>
        </div>
      )}
      <ul class="rows">
        {backups.map(({ name, bytes, madeAt, kind, before }) => (
          <li class="row">
            <div>
              <strong>
                <Ago view={view} at={madeAt} />
              </strong>
              <p class="sub">
                {sizeWords(view, bytes)},{" "}
                {before !== undefined ? words.before(before) : kind === "nightly" ? words.nightly : words.checked}
              </p>
            </div>
            <a
              class="btn"
              href={`${view.base}/-/settings/backups/${name}`}
              aria-label={words.downloadName(momentWords(view, madeAt))}
            >
              <Icon view={view} name="download" />
              {words.download}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
};
