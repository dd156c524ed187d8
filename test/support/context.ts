/** The context of a request that came through no listener. */
import type { Server } from "bun";
import { setContext, type RequestContext } from "../../src/http/context.ts";

/** Gives it to `request`, with whatever a test says otherwise. */
export function withContext(
  request: Request,
  given: Partial<Omit<RequestContext, "server">> & { server?: Pick<Server<unknown>, "timeout"> } = {},
): Request {
  const flags = { local: false, head: false, isProxied: false, mayName: false, isBare: false };
  const from = { id: "test", cameAt: 0, peer: "", address: "", origin: "" };
  const charging = { chargeTo: () => undefined, charge: () => undefined };
  setContext(request, { ...flags, ...from, ...charging, ...given, server: given.server as Server<unknown> });
  return request;
}
