/** @jsxImportSource #jsx */
/** Settings: the server's for admins, their own for everybody. */
import type { Safe } from "../../jsx/jsx-runtime.ts";
import type { Desk } from "../signed-in.ts";
import { Desktop } from "../frame/frame.tsx";
import { BackupsPanel } from "./backups.tsx";
import type { Gathered } from "./gather.ts";
import { NamespacesPanel, type NameFault } from "./namespaces.tsx";
import { PeoplePanel } from "./people.tsx";
import { AboutPanel, AddressPanel, MutePanel, PushPanel } from "./server.tsx";
import { SessionsPanel } from "./sessions.tsx";

interface SettingsProps {
  desk: Desk;
  gathered: Gathered;
  /** The address that the browser used. */
  seen: string;
  nameFault?: NameFault;
}

export const SettingsPage = ({ desk, gathered, seen, nameFault }: SettingsProps): Safe => {
  const { config, sessions, server } = gathered;
  const { title } = desk.view.texts.settings;
  return (
    <Desktop desk={desk} title={title} current="settings">
      <div class="head">
        <h1>{title}</h1>
      </div>
      <Contents desk={desk} isWhole={server !== undefined} />
      {server !== undefined && (
        <>
          <AddressPanel desk={desk} config={config} seen={seen} tls={server.tls} />
          <PushPanel desk={desk} server={server} />
          <MutePanel desk={desk} />
          <NamespacesPanel desk={desk} server={server} fault={nameFault} />
          <PeoplePanel desk={desk} people={server.people} />
        </>
      )}
      <SessionsPanel desk={desk} sessions={sessions} />
      {server === undefined ? (
        <AboutPanel desk={desk} />
      ) : (
        <>
          <BackupsPanel desk={desk} config={config} server={server} />
          <AboutPanel desk={desk} config={config} server={server} />
        </>
      )}
    </Desktop>
  );
};

/** The contents of this long page: its sections in order, the server's for admins. */
const Contents = ({ desk: { view }, isWhole }: { desk: Desk; isWhole: boolean }): Safe => {
  const words = view.texts.settings;
  const ofServer = ["address", "push", "mute", "namespaces", "people", "sessions", "backups", "about"] as const;
  const own = ["sessions", "about"] as const;
  return (
    <nav class="chips" aria-label={words.onThisPage}>
      {(isWhole ? ofServer : own).map((id) => (
        <a class="chip" href={`#${id}`}>
          {words[id].title}
        </a>
      ))}
    </nav>
  );
};
