/** Checks as their owner sees them, and pings as a job sends them. */
import { answer, type TestMessage } from "./client.ts";
import type { TestServer } from "./server.ts";

export interface TestCheck {
  id: string;
  ping_url: string;
  badge_url: string;
  state: string;
  topic: string;
  pings: number;
  [field: string]: unknown;
}
export interface TestEvent {
  n: number;
  kind: string;
  at: string;
  [field: string]: unknown;
}

/** Adds what must not appear in any log: its token. */
function known(peal: TestServer, check: TestCheck): TestCheck {
  peal.secrets.add(new URL(check.ping_url).pathname.split("/").at(-1) ?? "");
  return check;
}

/** Makes a check in namespace `home`, with a name when the body has none. */
export const newCheck = async (peal: TestServer, body: object = {}): Promise<TestCheck> =>
  known(peal, await answer<TestCheck>(201, await peal.api("POST", "/v1/home/checks", { name: "job", ...body })));

export const checkOf = async (peal: TestServer, id: string): Promise<TestCheck> =>
  answer<TestCheck>(200, await peal.api("GET", `/v1/home/checks/${id}`));

/** Changes the check by a PATCH; returns it, or the refusal. */
export const patched = async (peal: TestServer, id: string, body: object, status = 200): Promise<TestCheck> =>
  answer<TestCheck>(status, await peal.api("PATCH", `/v1/home/checks/${id}`, body));

/** The messages of the check's topic. */
export const alertsOf = async (peal: TestServer, { topic }: TestCheck): Promise<TestMessage[]> =>
  peal.history({ namespace: "home", key: topic });

/** Does `what` to the check (`pause`, `rotate` …), and returns it. */
export const actOn = async (peal: TestServer, id: string, what: string, body?: object): Promise<TestCheck> =>
  known(peal, await answer<TestCheck>(200, await peal.api("POST", `/v1/home/checks/${id}/${what}`, body)));

/** The latest 100 events of its log, oldest first. */
export async function eventsOf(peal: TestServer, id: string): Promise<TestEvent[]> {
  const path = `/v1/home/checks/${id}/events?limit=100`;
  return (await answer<{ events: TestEvent[] }>(200, await peal.api("GET", path))).events.toReversed();
}

export const kindsOf = async (peal: TestServer, id: string): Promise<string[]> =>
  (await eventsOf(peal, id)).map(({ kind }) => kind);

/** The URL prefix with the ping key of namespace `home`. */
export async function pingKeyUrl(peal: TestServer): Promise<string> {
  const made = await answer<{ ping_key: string; ping_url: string }>(200, await peal.api("GET", "/v1/home/ping-key"));
  peal.secrets.add(made.ping_key);
  return made.ping_url;
}

/** Pings, and returns the status and the text of the answer. */
export async function ping(peal: TestServer, url: string, init?: RequestInit): Promise<[number, string]> {
  const response = await peal.request(url, init);
  return [response.status, await response.text()];
}
