/** @jsxImportSource #jsx */
/** Where the visitor is signed in, and their password. */
import { NewPasswordField } from "../signin/fields.tsx";
import type { PasswordFault } from "../../../names/person.ts";
import type { Session } from "../../../accounts/session.ts";
import { fill } from "../../elements/fill.ts";
import type { Safe } from "../../jsx/jsx-runtime.ts";
import { Ago, yearWords } from "../../elements/times.tsx";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { Desktop } from "../frame/frame.tsx";
import { sessionName } from "./own.ts";
import { Panel } from "../../elements/panel.tsx";
import { Row } from "./section.tsx";
import { Submit } from "../../elements/submit.tsx";
import { Link } from "../frame/link.tsx";

export const SessionsPanel = ({ desk, sessions }: { desk: Desk; sessions: readonly Session[] }): Safe => {
  const { view, visitor } = desk;
  const { sessions: words } = view.texts.settings;
  const hasOthers = sessions.some(({ id }) => id !== visitor.sessionId);
  return (
    <Panel
      id="sessions"
      title={words.title}
      live="person"
      end={
        hasOthers && (
          <form method="post" action={deskLink(desk, "/-/settings/sessions/end-others")}>
            <Submit class="btn bare" words={words.others} />
          </form>
        )
      }
    >
      {visitor.sessionId === undefined && <p class="in soft">{words.proxied}</p>}
      <ul class="rows">
        {sessions.map((session) => (
          <SessionRow desk={desk} session={session} />
        ))}
      </ul>
      <div class="in">
        <div>
          <Link desk={desk} to="/-/settings/password" class="btn" words={view.texts.shared.changePassword} />
        </div>
      </div>
    </Panel>
  );
};

const SessionRow = ({ desk, session }: { desk: Desk; session: Session }): Safe => {
  const { view, visitor } = desk;
  const { sessions: words } = view.texts.settings;
  const name = sessionName(view, session);
  const since = yearWords(view, session.createdAt);
  if (session.id === visitor.sessionId)
    return <Row name={name} note={words.this} sub={fill(words.since, since, session.address)} />;
  const last = <Ago view={view} at={session.seenAt} />;
  return (
    <Row
      name={name}
      sub={fill(words.used, since, last, session.address)}
      end={
        <form method="post" action={deskLink(desk, `/-/settings/sessions/${session.id}/end`)}>
          <Submit aria-label={words.signOutName(name)} words={view.texts.shared.signOut} />
        </form>
      }
    />
  );
};

export const OwnPasswordPage = ({ desk, fault }: { desk: Desk; fault?: PasswordFault }): Safe => {
  const { view, visitor } = desk;
  const { password: words } = view.texts.settings;
  return (
    <Desktop desk={desk} title={words.title} current="settings">
      <div class="head">
        <div class="tight">
          <h1>{words.title}</h1>
          <p class="soft">{visitor.sessionId === undefined ? words.proxied : words.text}</p>
        </div>
      </div>
      <section class="panel" aria-label={words.title}>
        <form class="in" method="post" action={deskLink(desk, "/-/settings/password")}>
          <NewPasswordField {...{ view, label: view.texts.shared.newPassword, fault, hint: words.hint }} autofocus />
          <div class="line">
            <Submit class="btn main" words={view.texts.shared.changePassword} />
            <Link desk={desk} to="/-/settings#sessions" class="btn bare" words={view.texts.shared.cancel} />
          </div>
        </form>
      </section>
    </Desktop>
  );
};
