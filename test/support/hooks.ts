/** Hooks as their owner sees them, and what tools send to them. */
import { answer, type TestMessage } from "./client.ts";
import type { TestServer } from "./server.ts";

export interface TestHook {
  id: string;
  url: string;
  discord_url: string;
  apprise_url: string;
  gotify_token: string;
  topic: string;
  topic_name: string;
  requests: number;
  [field: string]: unknown;
}
export interface TestRequest {
  n: number;
  source: string;
  body_bytes: number;
  [field: string]: unknown;
}

/** Adds what must not appear in any log: its tokens. */
function known(peal: TestServer, hook: TestHook): TestHook {
  peal.secrets.add(hook.gotify_token).add(tokenOf(hook));
  return hook;
}

export const tokenOf = ({ url }: TestHook): string => url.split("/").at(-1) ?? "";

/** Makes a hook in namespace `home`, to topic `hooked` when the body names none. */
export const newHook = async (peal: TestServer, body: object = {}): Promise<TestHook> =>
  known(peal, await answer<TestHook>(201, await peal.api("POST", "/v1/home/hooks", { topic: "hooked", ...body })));

export const hookOf = async (peal: TestServer, id: string): Promise<TestHook> =>
  answer<TestHook>(200, await peal.api("GET", `/v1/home/hooks/${id}`));

/** Changes the hook by a PATCH; returns it, or the refusal. */
export const patchedHook = async (peal: TestServer, id: string, body: object, status = 200): Promise<TestHook> =>
  answer<TestHook>(status, await peal.api("PATCH", `/v1/home/hooks/${id}`, body));

export const rotatedHook = async (peal: TestServer, id: string, body?: object): Promise<TestHook> =>
  known(peal, await answer<TestHook>(200, await peal.api("POST", `/v1/home/hooks/${id}/rotate`, body)));

/** The requests to a hook, newest first. */
export const requestsOf = async (peal: TestServer, id: string): Promise<TestRequest[]> =>
  (await answer<{ requests: TestRequest[] }>(200, await peal.api("GET", `/v1/home/hooks/${id}/requests`))).requests;

/** The messages of its topic, oldest first. */
export const messagesBy = async (peal: TestServer, { topic }: TestHook): Promise<TestMessage[]> =>
  peal.history({ namespace: "home", key: topic });

/** Posts JSON, or text unchanged. */
export const post = async (
  peal: TestServer,
  url: string,
  body: object | string | Uint8Array = { message: "hello" },
  headers: Record<string, string> = {},
): Promise<Response> =>
  peal.request(url, {
    method: "POST",
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
    headers: { ...(typeof body === "object" && { "content-type": "application/json" }), ...headers },
  });

/** The status of the answer, and its text. */
export async function said(response: Response | Promise<Response>): Promise<[number, string]> {
  const { status } = await response;
  return [status, await (await response).text()];
}
