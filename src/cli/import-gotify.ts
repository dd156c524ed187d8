/** `peal import gotify`: applications as topics with hooks, and their messages, over its API. */
import { Type } from "@sinclair/typebox";
import type { MoveRecord } from "../moves/record.ts";
import { distinct, topicNamed } from "../moves/sources/foreign.ts";
import { type Application, GotifyApplication, GotifyMessage, messageOf, recordsOf } from "../moves/sources/gotify.ts";
import { isGotifyToken } from "../hooks/token.ts";
import { systemClock } from "../util/clock.ts";
import type { Command } from "./command.ts";
import { ask, readToken, serverOf, targetFlags, targetOf, URL_FLAG } from "./import-ask.ts";
import { IMPORT_FLAGS, runImport } from "./import.ts";

const Page = Type.Object({
  messages: Type.Array(GotifyMessage),
  paging: Type.Object({ next: Type.Optional(Type.String()), since: Type.Integer() }),
});

export const importGotify: Command = {
  name: "import gotify",
  args: [],
  summary: "Import Gotify's applications and messages over its API; without --apply, only say what would be imported.",
  about:
    "Each application becomes a topic with a hook that takes the same token: whatever sends to Gotify's /message only needs the new host " +
    "name. The token of a client (Gotify: Clients, Create client) comes from PEAL_IMPORT_TOKEN, the file PEAL_IMPORT_TOKEN_FILE or " +
    "standard input.",
  flags: [URL_FLAG, ...targetFlags, ...IMPORT_FLAGS],
  examples: [
    "PEAL_IMPORT_TOKEN=C… peal import gotify --url https://gotify.example.com",
    "peal import gotify --url https://gotify.example.com --apply < token",
  ],
  run: async (invocation) => {
    const server = serverOf(invocation.values);
    const namespace = await targetOf(invocation);
    const headers = { "X-Gotify-Key": await readToken("the token of a Gotify client") };
    const found = await ask(`${server}/application`, headers, Type.Array(GotifyApplication));
    const free = distinct();
    const applications = found
      .toSorted((a, b) => a.id - b.id)
      .map((application): Application => ({ ...application, topic: free(topicNamed(application.name)) }));
    async function* records(): AsyncGenerator<MoveRecord> {
      for (const application of applications) {
        yield* recordsOf(application, namespace, systemClock.now());
        const messages = await messagesOf(server, headers, application.id);
        for (const message of messages) yield messageOf(message, namespace, application.topic);
      }
    }
    const notes = applications
      .filter(({ token }) => !isGotifyToken(token))
      .map(
        ({ name }) => `the application ${name} has a token of another form: give its senders the token of its new hook`,
      );
    return runImport(invocation, { records: records(), notes: () => notes });
  },
};

/** The oldest first; Gotify gives the newest first. */
async function messagesOf(server: string, headers: Record<string, string>, id: number): Promise<GotifyMessage[]> {
  const found: GotifyMessage[] = [];
  for (let since = 0; ;) {
    const query = since === 0 ? "" : `&since=${since}`;
    const { messages, paging } = await ask(`${server}/application/${id}/message?limit=200${query}`, headers, Page);
    found.push(...messages);
    // a server that gives the same page again would keep us here for ever
    if (messages.length === 0 || paging.next === undefined || paging.since === since) return found.reverse();
    since = paging.since;
  }
}
