/** The server of this data directory, asked over its socket; or, when none runs, its own code on the opened database. */
import { localSocket } from "../config/config.ts";
import type { FieldError } from "../http/problem.ts";
import { ownOrigin } from "../http/urls.ts";
import { StoreError } from "../store/store.ts";
import { CommandFailed, type Invocation } from "./command.ts";
import { databaseIn } from "./identity.ts";

interface ProblemJson {
  code: string;
  detail: string;
  errors?: FieldError[];
}

export interface Local extends AsyncDisposable {
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

/** Anybody who may open `peal.sock`, or the database itself, administers the server: no key is sent. */
export async function openLocal(load: Invocation["load"]): Promise<Local> {
  const { config } = await load();
  const socket = localSocket(config);
  if (await answers(socket)) return local(NOBODY, async (request) => fetch(request, { unix: socket }));
  databaseIn(config.dataDir);
  const { createHandler } = await import("../server/serve.ts");
  const opened = await createHandler(config).catch((error: unknown) => {
    if (error instanceof StoreError) throw new CommandFailed(error.message, { cause: error });
    throw error;
  });
  return local(
    ownOrigin(config.listen) ?? NOBODY,
    async (request) => opened.handle(request),
    async () => opened.close(),
  );
}

/** False when nobody listens there: no socket, or one that a killed server left. */
const answers = async (socket: string): Promise<boolean> =>
  fetch("http://localhost/health", { unix: socket }).then(
    () => true,
    () => false,
  );

/** `origin`: of the URLs in answers, where PEAL_BASE_URL does not say it and no server runs that does. */
function local(
  origin: string,
  send: (request: Request) => Promise<Response>,
  close = async (): Promise<void> => {},
): Local {
  const sent = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await send(new Request(`${origin}${path}`, init));
    if (response.ok) return response;
    const { code, detail, errors } = (await response.json()) as ProblemJson;
    throw new Refused(code, detail, errors);
  };
  return {
    ask: async <T>(method: string, path: string, body?: object): Promise<T> => {
      const headers = { "content-type": "application/json" };
      const init: RequestInit = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
      const text = await (await sent(path, init)).text();
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
    read: async (path) => (await sent(path, {})).bytes(),
    [Symbol.asyncDispose]: async () => close(),
  };
}
