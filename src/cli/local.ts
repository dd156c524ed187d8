/**
 * The server that a command asks: one elsewhere, with a key (remote.ts); else that of this data directory, over its socket; or,
 * when none runs, its own code on the opened database.
 */
import { localSocket } from "../config/config.ts";
import type { FieldError } from "../http/problem.ts";
import { ownOrigin } from "../http/urls.ts";
import { StoreError } from "../store/store.ts";
import { exchange, problemIn, refused } from "./attempts.ts";
import { CommandFailed, NoServer, type Invocation } from "./command.ts";
import { databaseIn, handBack, reach } from "./identity.ts";
import { plainWarning, remoteOf, type Remote } from "./remote.ts";

interface ProblemJson {
  code: string;
  detail: string;
  errors?: FieldError[];
}

export interface Local extends AsyncDisposable {
  /** The namespace of the key that is used; absent: no key is, and any namespace can be named. */
  namespace?: string;
  /** The JSON of the answer, undefined for 204. @throws Refused on any status of 400 and above */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
  /** The bytes of the answer. @throws Refused */
  read(path: string): Promise<Uint8Array>;
}

/** The server said no; `code` is the code of its problem, `errors` what is wrong with which field. */
export class Refused extends CommandFailed {
  readonly code: string;
  readonly #errors: readonly FieldError[];
  constructor(code: string, detail: string, errors: readonly FieldError[] = []) {
    super(detail);
    this.code = code;
    this.#errors = errors;
  }

  /** The same with the names that the command line has for each field. */
  calling(names: Readonly<Record<string, string>>): Refused {
    const told = this.#errors.map(({ path, message }) => {
      const [, field = ""] = path.split("/");
      return `${names[field] ?? path}: ${message}`;
    });
    return told.length === 0 ? this : new Refused(this.code, told.join("; "), this.#errors);
  }
}

/** Instead of an origin: the running server knows its address. */
const NOBODY = "http://localhost";

/** Anybody who may open `peal.sock`, or the database itself, administers the server: no key is sent there. */
export async function openLocal(load: Invocation["load"]): Promise<Local> {
  const remote = await chosenRemote(load);
  if (remote !== undefined) return openRemote(remote);
  const { config, createHandler } = await load();
  const socket = localSocket(config);
  reach(config.dataDir, socket);
  if (await answers(socket)) return local(async (path, init) => fetch(`${NOBODY}${path}`, { ...init, unix: socket }));
  databaseIn(config.dataDir);
  const opened = await createHandler(config).catch((error: unknown) => {
    handBack(config.dataDir);
    if (error instanceof StoreError) throw new CommandFailed(error.message, { cause: error });
    throw error;
  });
  // of the URLs in answers, where PEAL_BASE_URL does not say it and no server runs that does
  const origin = ownOrigin(config.listen) ?? NOBODY;
  return local(
    async (path, init) => opened.handle(new Request(`${origin}${path}`, init)),
    async () => {
      await opened.close();
      handBack(config.dataDir);
    },
  );
}

/**
 * The server elsewhere, if one is chosen: by PEAL_KEY, or by `peal login` unless this command names a data directory. Says on
 * standard error if the key goes over plain http to a public place. @throws ConfigError
 */
export async function chosenRemote(load: Invocation["load"]): Promise<Remote | undefined> {
  const remote = remoteOf(process.env);
  if (remote === undefined || (!remote.isAsked && (await namesDataDir(load)))) return undefined;
  const warning = plainWarning(remote.url);
  if (warning !== undefined) console.error(`peal: ${warning}`);
  return remote;
}

async function namesDataDir(load: Invocation["load"]): Promise<boolean> {
  try {
    const { effective } = await load();
    return effective.some(({ name, source }) => name === "data_dir" && /^(?:command line|environment)/.test(source));
  } catch (error) {
    if (error instanceof NoServer) return false;
    throw error;
  }
}

/** False when nobody listens there: no socket, or one that a killed server left. */
const answers = async (socket: string): Promise<boolean> =>
  fetch(`${NOBODY}/health`, { unix: socket }).then(
    () => true,
    () => false,
  );

/** How long a server elsewhere may take to answer. */
const ANSWER_MS = 30_000;

/** What the key that asks is, and may do. */
export interface OwnKey {
  namespace: string;
  scope: string;
  name?: string;
  expires_at?: string;
}

/** @throws CommandFailed if the server cannot be reached or does not know the key */
export const ownKey = async (remote: Pick<Remote, "url" | "key">): Promise<OwnKey> =>
  local(sendTo(remote)).ask<OwnKey>("GET", "/v1/keys/self");

async function openRemote(remote: Remote): Promise<Local> {
  const { namespace } = await ownKey(remote);
  return { ...local(sendTo(remote)), namespace };
}

function sendTo({ url: base, key }: Pick<Remote, "url" | "key">): Send {
  return async (path, init) => {
    if (path.startsWith("/-/local/"))
      throw new CommandFailed(
        "this works only on the server itself, over its socket: run it there, without PEAL_KEY and `peal login`. A key administers its own namespace, not the server",
      );
    const url = new URL(`${base}${path}`);
    const { method, headers, body } = init;
    const response = await exchange(
      {
        ...{ url, method, headers: { ...headers, authorization: `Bearer ${key}` } },
        ...(body !== undefined && { body: Buffer.from(body) }),
      },
      AbortSignal.timeout(ANSWER_MS),
    );
    if (response instanceof Response) return response;
    throw new CommandFailed(response.reason);
  };
}

type Send = (
  path: string,
  init: { method: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

function local(send: Send, close = async (): Promise<void> => {}): Local {
  const sent = async (path: string, init: Parameters<Send>[1]): Promise<Response> => {
    const response = await send(path, init);
    if (response.ok) return response;
    const text = await response.text();
    const said = problemIn(response, text);
    // whatever stands in front of the server may answer anything
    if (said?.code === undefined)
      throw new CommandFailed(refused({ url: new URL(response.url || NOBODY) }, response, said).reason);
    const { code, detail, errors } = JSON.parse(text) as ProblemJson;
    throw new Refused(code, detail, errors);
  };
  return {
    ask: async <T>(method: string, path: string, body?: object): Promise<T> => {
      const headers = { "content-type": "application/json" };
      const response = await sent(
        path,
        body === undefined ? { method } : { method, headers, body: JSON.stringify(body) },
      );
      return parsed(response, await response.text()) as T;
    },
    read: async (path) => (await sent(path, { method: "GET" })).bytes(),
    [Symbol.asyncDispose]: async () => close(),
  };
}

function parsed({ url }: Response, text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (cause) {
    throw new CommandFailed(`${new URL(url || NOBODY).origin} answered with something that isn't from peal`, { cause });
  }
}
