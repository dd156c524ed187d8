/** The visitor's own sessions, in words. */
import { agentWords } from "../../../accounts/agent.ts";
import type { Session } from "../../../accounts/session.ts";
import type { Visitor } from "../../../accounts/visitor.ts";
import type { AccountStore } from "../../../store/accounts.ts";
import type { View } from "../../view.ts";

/** The one that is in use first. */
export async function sessionsOf(accounts: Pick<AccountStore, "sessions">, visitor: Visitor): Promise<Session[]> {
  const sessions = await accounts.sessions(visitor.person.id);
  return [
    ...sessions.filter(({ id }) => id === visitor.sessionId),
    ...sessions.filter(({ id }) => id !== visitor.sessionId),
  ];
}

/** `Firefox on Linux`. */
export function sessionName({ texts }: Pick<View, "texts">, { agent }: Pick<Session, "agent">): string {
  const { sessions: words } = texts.settings;
  const { browser = words.unknown, system } = agentWords(agent);
  return system === undefined ? browser : words.device(browser, system);
}
