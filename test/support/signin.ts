/** People of the dashboard, as tests sign them in. */
import { answer } from "./client.ts";
import type { TestServer } from "./server.ts";

export const PASSWORD = "correct horse battery";

/** What a form of ours is told by. */
export const SAME_SITE = { "sec-fetch-site": "same-origin" };

interface Spec {
  name?: string;
  password?: string;
  /** Absent: an admin, who sees all. */
  namespaces?: readonly string[];
}

/** Makes a person; its id. */
export async function person(
  peal: Pick<TestServer, "local">,
  { name = "mara", password = PASSWORD, namespaces }: Spec = {},
): Promise<string> {
  const body = JSON.stringify({ name, password, admin: namespaces === undefined, namespaces });
  const made = await peal.local("/-/local/people", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return (await answer<{ id: string }>(201, made)).id;
}

/** Posts the login form. */
export const login = async (
  peal: Pick<TestServer, "request">,
  { name = "mara", password = PASSWORD }: Spec = {},
  init: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> =>
  peal.request(init.path ?? "/-/login", {
    method: "POST",
    headers: { accept: "text/html", ...(init.headers ?? SAME_SITE) },
    body: new URLSearchParams({ name, password }),
  });

/** The cookie that an answer sets, as a request brings it; without its attributes. */
export function cookieOf(response: Response): string {
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  if (!/=./.test(cookie)) throw new Error(`${response.status} sets no cookie`);
  return cookie;
}

/** A person who has just signed in: the cookie that their requests bring. */
export async function signedIn(peal: Pick<TestServer, "local" | "request">, spec: Spec = {}): Promise<string> {
  await person(peal, spec);
  return cookieOf(await login(peal, spec));
}
