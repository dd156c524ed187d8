/** People of the dashboard, as tests sign them in. */
import { answer } from "./client.ts";
import type { InProcess, TestServer } from "./server.ts";

export const PASSWORD = "correct horse battery";

/** What a form of ours is told by. */
export const SAME_SITE = { "sec-fetch-site": "same-origin" };

interface Spec {
  name?: string;
  password?: string;
  /** Absent: an admin, who sees all. */
  namespaces?: readonly string[];
}

/** In a server inside the test a password costs as little as it can: what it has to is told by test/contract/sign-in. */
const CHEAP = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;

type Place = Pick<TestServer, "local"> & Partial<Pick<InProcess, "running">>;

/** Makes a person; its id. */
export async function person(
  { local, running }: Place,
  { name = "mara", password = PASSWORD, namespaces }: Spec = {},
): Promise<string> {
  const body = { name, admin: namespaces === undefined, namespaces, ...(running === undefined && { password }) };
  const made = await local("/-/local/people", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { id } = await answer<{ id: string }>(201, made);
  await running?.deps.store.accounts.setPassword(id, await Bun.password.hash(password, CHEAP));
  return id;
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
export async function signedIn(peal: Place & Pick<TestServer, "request">, spec: Spec = {}): Promise<string> {
  await person(peal, spec);
  return cookieOf(await login(peal, spec));
}
