/** The server of this data directory, asked over its socket; or, when none runs, its own code on the opened database. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { localSocket, type Config } from "../config/config.ts";
import { CommandFailed } from "./command.ts";

export interface Local extends AsyncDisposable {
  /** The JSON of the answer, undefined for 204. @throws Refused on any status of 400 and above */
  ask<T>(method: string, path: string, body?: object): Promise<T>;
}

/** The server said no; `code` is the code of its problem. */
export class Refused extends CommandFailed {
  readonly code: string;
  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** Whoever may open `peal.sock`, or the database itself, administers the server: no key is sent. */
export async function openLocal(config: Config): Promise<Local> {
  const socket = localSocket(config);
  if (await answers(socket)) return local(async (request) => fetch(request, { unix: socket }));
  if (!existsSync(join(config.dataDir, "peal.db")))
    throw new CommandFailed(
      `there is no database in ${config.dataDir}; name its directory with --data-dir or start \`peal serve\``,
    );
  const { createHandler } = await import("../server/serve.ts");
  const opened = await createHandler(config);
  return local(
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

const local = (send: (request: Request) => Promise<Response>, close = async (): Promise<void> => {}): Local => ({
  ask: async <T>(method: string, path: string, body?: object): Promise<T> => {
    const headers = { "content-type": "application/json" };
    const init: RequestInit = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
    const response = await send(new Request(`http://localhost${path}`, init));
    const text = await response.text();
    if (response.ok) return (text === "" ? undefined : JSON.parse(text)) as T;
    const { code, detail } = JSON.parse(text) as { code: string; detail: string };
    throw new Refused(code, detail);
  },
  [Symbol.asyncDispose]: async () => close(),
});
