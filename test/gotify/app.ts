/**
 * Gotify's Android app as it speaks to its server (gotify/android 2.9.0 and 2.10.1): the requests of LoginActivity,
 * InitializationActivity, WebSocketService, MissedMessageUtil, MessageRequester and MessagesActivity, in the app's own order.
 */
import { eventually } from "../support/eventually.ts";
import * as decode from "./models.ts";
import type { GotifyMessage } from "./models.ts";

/** A refusal: what the app has of it, `ApiException`. */
export class Refused extends Error {
  readonly code: number;
  readonly description: string;
  readonly headers: Headers;
  constructor(response: Response, body: unknown) {
    const { errorDescription } = decode.refusal(body);
    super(`${response.status}: ${errorDescription}`);
    [this.code, this.description, this.headers] = [response.status, errorDescription, response.headers];
  }
}

/** OkHttp's, which each request has. */
const OKHTTP = { "user-agent": "okhttp/4.12.0", "accept-encoding": "gzip", connection: "Keep-Alive" };

export interface Credentials {
  name: string;
  password: string;
}

/** `Credentials.basic`: in ISO-8859-1, whatever the text has. */
const basic = ({ name, password }: Credentials) => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`, "latin1").toString("base64")}`,
});
const withToken = (token: string) => ({ "x-gotify-key": token });

export interface App {
  readonly token: string;
  currentUser(): Promise<ReturnType<typeof decode.user>>;
  applications(): Promise<decode.GotifyApplication[]>;
  clients(): Promise<decode.GotifyClient[]>;
  messages(query?: { limit?: number; since?: number; app?: number }): Promise<decode.PagedMessages>;
  /** The whole list as somebody scrolls down through it. */
  scrolled(limit: number, app?: number): Promise<GotifyMessage[]>;
  /** `MissedMessageUtil.missingMessages`, oldest first. */
  missing(till: number): Promise<GotifyMessage[]>;
  delete(path: string): Promise<void>;
  /** `MessagesActivity.deleteClientAndNavigateToLogin`; false: it did not find itself. */
  signOut(version?: "2.9.0" | "2.10.1"): Promise<boolean>;
  stream(): Promise<Streaming>;
}

/** `url`: as it is typed, whole. */
const address = (url: string): string => url.trim().replace(/\/+$/, "");

async function ask(url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...OKHTTP, ...headers } });
}

async function read<T>(model: (given: unknown) => T, answer: Promise<Response>): Promise<T> {
  const response = await answer;
  const body: unknown = await response.json();
  if (!response.ok) throw new Refused(response, body);
  return model(body);
}

/** `LoginViewModel.checkUrl` of 2.10.1; 2.9.0 asks for the version alone. */
export async function checkUrl(url: string): Promise<{ version: string }> {
  const info = await ask(`${address(url)}/gotifyinfo`, {});
  return read(decode.version, info.ok ? Promise.resolve(info) : ask(`${address(url)}/version`, {}));
}

/** `LoginActivity.doLogin` and, if that went well, `doCreateClient` with the name that the dialog proposes. */
export async function signIn(url: string, credentials: Credentials, name = "Pixel 9"): Promise<App> {
  const at = address(url);
  await checkUrl(url);
  await read(decode.user, ask(`${at}/current/user`, basic(credentials)));
  const { token } = await read(
    decode.client,
    ask(
      `${at}/client`,
      { ...basic(credentials), "content-type": "application/json; charset=UTF-8" },
      { method: "POST", body: JSON.stringify({ name }) },
    ),
  );
  if (token === undefined) throw new Error("a client without a token");
  return appWith(url, token);
}

export function appWith(url: string, token: string): App {
  const at = address(url);
  const get = async <T>(model: (given: unknown) => T, path: string): Promise<T> =>
    read(model, ask(`${at}/${path}`, withToken(token)));

  const messages: App["messages"] = async ({ limit, since, app } = {}) => {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set("limit", String(limit));
    if (since !== undefined) query.set("since", String(since));
    return get(decode.paged, `${app === undefined ? "message" : `application/${app}/message`}?${query.toString()}`);
  };
  const remove: App["delete"] = async (path) => {
    const response = await ask(`${at}/${path}`, withToken(token), { method: "DELETE" });
    if (!response.ok) throw new Refused(response, await response.json());
  };

  return {
    token,
    currentUser: async () => get(decode.user, "current/user"),
    applications: async () => get(decode.applications, "application"),
    clients: async () => get(decode.clients, "client"),
    messages,
    scrolled: async (limit, app) => {
      const all: GotifyMessage[] = [];
      let nextSince = 0; // MessageState
      for (;;) {
        const page = await messages({ limit, since: nextSince, ...(app !== undefined && { app }) });
        all.push(...page.messages);
        if (page.paging.next === undefined) return all;
        nextSince = page.paging.since;
      }
    },
    missing: async (till) => {
      const result: GotifyMessage[] = [];
      let since: number | undefined;
      for (;;) {
        const page = await messages({ limit: 10, ...(since !== undefined && { since }) });
        const end = page.messages.findIndex(({ id }) => id <= till);
        const newer = end < 0 ? page.messages : page.messages.slice(0, end);
        result.push(...newer);
        if (newer.length !== page.messages.length || page.messages.length === 0 || page.paging.next === undefined)
          break;
        ({ since } = page.paging);
      }
      return result.reverse();
    },
    delete: remove,
    signOut: async (version = "2.10.1") => {
      if (version === "2.10.1") {
        const response = await ask(`${at}/auth/logout`, withToken(token), { method: "POST" });
        if (response.ok) return true;
        // it goes on as 2.9.0 does only from here
        if (response.status !== 404) throw new Refused(response, await response.json());
      }
      const own = (await get(decode.clients, "client")).find((one) => one.token === token);
      if (own === undefined) return false;
      await remove(`client/${own.id}`);
      return true;
    },
    stream: async () => streaming(at, token),
  };
}

export interface Streaming {
  readonly messages: readonly GotifyMessage[];
  /** Waits for a message with this text. */
  heard(text: string): Promise<GotifyMessage>;
  /** The code with which it ended: 1006 without a close frame, which alone the app notices at once (`onFailure`). */
  readonly ended: Promise<number>;
  close(): void;
}

/** `WebSocketConnection`: the token is in the URL, and every text is decoded as a message. */
async function streaming(at: string, token: string): Promise<Streaming> {
  const url = new URL(`${at}/stream`);
  url.searchParams.set("token", token);
  const messages: GotifyMessage[] = [];
  let broken: Error | undefined;
  const socket = new WebSocket(url.href.replace(/^http/, "ws"));
  socket.addEventListener("message", ({ data }) => {
    try {
      messages.push(decode.message(JSON.parse(String(data))));
    } catch (error) {
      broken = error as Error;
    }
  });
  const ended = new Promise<number>((resolve) => {
    socket.addEventListener("close", ({ code }) => {
      resolve(code);
    });
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      resolve();
    });
    socket.addEventListener("error", () => {
      reject(new Error("the stream was refused"));
    });
  });
  return {
    messages,
    heard: async (text) =>
      eventually(`the message ${text} on the stream`, () => {
        if (broken !== undefined) throw broken;
        return messages.find(({ message }) => message === text);
      }),
    ended,
    close: () => {
      socket.close();
    },
  };
}
