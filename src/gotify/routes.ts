/**
 * Gotify's client API, as far as its Android app calls it, at the root and below `/v1/gotify` (API.md §10): who asks, topics as
 * applications, messages, and the stream. Publishing is in hooks/receive.ts.
 */
import type { Deps } from "../deps.ts";
import { jsonBody } from "../http/endpoint.ts";
import { Problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { tokensOf } from "../tokens/secret.ts";
import { applicationAt, applications } from "./applications.ts";
import { endClient, listClients, makeClient, NewClient } from "./clients.ts";
import { userJson } from "./json.ts";
import { allMessages, PAGING, topicMessages } from "./pages.ts";
import { readerOf, type ReaderDeps } from "./reader.ts";
import { openStream } from "./stream.ts";

type GotifyDeps = ReaderDeps & Pick<Deps, "answers" | "bus" | "streams">;

const endpoint = endpointsOf<GotifyDeps>();
/** Gotify's own documents describe these routes. */
const asked = { scope: "gotify client", find: readerOf } as const;

const user = endpoint(["GET /current/user", "GET /v1/gotify/current/user"], {
  ...asked,
  handle: ({ found: reader }) => json(userJson(reader), 200, NO_STORE),
});

const signIn = endpoint(["POST /client", "POST /v1/gotify/client"], {
  ...asked,
  body: jsonBody(NewClient),
  handle: async ({ deps, request, found: reader, body: { name } }) =>
    json(await makeClient(deps, request, reader, name), 200, NO_STORE),
});

const clients = endpoint(["GET /client", "GET /v1/gotify/client"], {
  ...asked,
  handle: async ({ deps, found: reader }) => json(await listClients(deps, reader), 200, NO_STORE),
});

const endNamed = endpoint(["DELETE /client/:id", "DELETE /v1/gotify/client/:id"], {
  ...asked,
  handle: async ({ deps, found: reader, params: { id } }) => {
    await endClient(deps, reader, id);
    return new Response(null, { status: 200 });
  },
});

/** The app signs out by it from 2.10 on, and by `endNamed` where this is 404. */
const signOut = endpoint(["POST /auth/logout", "POST /v1/gotify/auth/logout"], {
  ...asked,
  handle: async ({ deps, found: reader }) => {
    await endClient(deps, reader);
    return new Response(null, { status: 200 });
  },
});

const topics = endpoint(["GET /application", "GET /v1/gotify/application"], {
  ...asked,
  handle: async ({ deps, request, found: reader }) => applications(deps, request, reader),
});

const messages = endpoint(["GET /message", "GET /v1/gotify/message"], {
  ...asked,
  query: PAGING,
  handle: async ({ deps, request, found: reader, query }) => allMessages(deps, request, reader, query),
});

const ofTopic = endpoint(["GET /application/:id/message", "GET /v1/gotify/application/:id/message"], {
  ...asked,
  query: PAGING,
  handle: async ({ deps, request, found: reader, params: { id }, query }) =>
    topicMessages(deps, request, await applicationAt(deps, reader, id), query),
});

/** A swipe on one phone must not take a message from everybody else who reads the topic. */
const deletions = endpoint(
  [
    ...(["DELETE /message", "DELETE /v1/gotify/message"] as const),
    ...(["DELETE /message/:id", "DELETE /v1/gotify/message/:id"] as const),
    ...(["DELETE /application/:id/message", "DELETE /v1/gotify/application/:id/message"] as const),
  ],
  {
    ...asked,
    handle: () => {
      throw new Problem(
        "insufficient_scope",
        "Messages stay for everyone who reads the topic. Delete them on the dashboard or with the API.",
      );
    },
  },
);

const stream = endpoint(["GET /stream", "GET /v1/gotify/stream"], {
  ...asked,
  handle: ({ deps, request, found: reader }) => openStream(deps, request, reader),
});

const ENDPOINTS = [user, signIn, clients, endNamed, signOut, topics, messages, ofTopic, deletions, stream];

export const gotifyRoutes = (deps: Omit<GotifyDeps, "tokens">) =>
  routesOf<GotifyDeps>({ ...deps, tokens: tokensOf(deps) }, ENDPOINTS);
