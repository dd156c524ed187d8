/** Proves a name by an answer on its port 80 (RFC 8555 §8.3). */
import type { Server } from "bun";
import type { TcpAddress } from "../../config/config.ts";
import { CHALLENGE } from "../tls.ts";
import type { Prover } from "./order.ts";

/** `answers`: by token; peal's own http port reads them too. */
export function http01(address: TcpAddress | undefined, answers: Map<string, string>): Prover {
  /** Why it could not listen; undefined: it could, or was not to. */
  let closed: string | undefined;

  function open(): Server<unknown> | undefined {
    if (address === undefined) return undefined;
    const { host, port } = address;
    for (const hostname of host === "::" ? ["::", "0.0.0.0"] : [host])
      try {
        const server = Bun.serve({ hostname, port, reusePort: false, development: false, fetch: answer });
        closed = undefined;
        return server;
      } catch (error) {
        closed = error instanceof Error && "code" in error ? String(error.code) : String(error);
      }
    return undefined;
  }
  /** peal's own http may be what has the port, and then answers itself. */
  function closedWords(): string {
    if (closed === undefined || address === undefined) return "";
    if (closed === "EADDRINUSE") return ` Something listens on port ${address.port} here already: it has to be peal.`;
    return closed === "EACCES"
      ? ` This user may not listen on port ${address.port}, which PEAL_ACME_LISTEN names.`
      : ` peal could not listen on port ${address.port} itself (${closed}).`;
  }
  const answer = ({ url }: Request): Response => {
    const { pathname } = new URL(url);
    const text = pathname.startsWith(CHALLENGE) ? answers.get(pathname.slice(CHALLENGE.length)) : undefined;
    return text === undefined ? new Response(null, { status: 404 }) : new Response(text);
  };
  return {
    type: "http-01",
    prove: async ({ token, keyAuthorization }) => {
      answers.set(token, keyAuthorization);
      const server = await Promise.resolve(open());
      return {
        withdraw: async () => {
          answers.delete(token);
          await server?.stop(true);
        },
      };
    },
    advice: (name) => `It looks at http://${name}${CHALLENGE}…: port 80 of that name has to lead here.${closedWords()}`,
  };
}
