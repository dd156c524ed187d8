/** The dashboard's people, and how tests sign them in. */
import { answer } from "./client.ts";
import type { InProcess, TestServer } from "./server.ts";

export const PASSWORD = "correct horse battery";

/** The header by which the server's own forms are recognized. */
export const SAME_SITE = { "sec-fetch-site": "same-origin" };

interface Spec {
  name?: string;
  password?: string;
  /** Absent: an admin, who sees everything. */
  namespaces?: readonly string[];
}

/** Hashing is as cheap as possible on a server inside the test; test/contract/sign-in.test.ts tests its real cost. */
const CHEAP = { algorithm: "argon2id", memoryCost: 8, timeCost: 1 } as const;

type Place = Pick<TestServer, "local"> & Partial<Pick<InProcess, "running">>;

/** Makes a person, and returns their id. */
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

/** The cookie that an answer sets, in the form of a request, without its attributes. */
export function cookieOf(response: Response): string {
  const [cookie = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  if (!/=./.test(cookie)) throw new Error(`${response.status} sets no cookie`);
  return cookie;
}

/** Makes a person and signs them in; returns the cookie for their requests. */
export async function signedIn(peal: Place & Pick<TestServer, "request">, spec: Spec = {}): Promise<string> {
  await person(peal, spec);
  return cookieOf(await login(peal, spec));
}
