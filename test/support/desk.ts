/** The dashboard over HTTP, as a browser without a script asks for it. */
import type { TestServer } from "./server.ts";
import { SAME_SITE } from "./signin.ts";

export interface Shown {
  status: number;
  html: string;
  /** The page without its tags. */
  text: string;
  location: string | null;
  /** What the form did: the cookie of its flash. */
  said: string;
  response: Response;
}

export interface DeskClient {
  get(path: string): Promise<Shown>;
  post(path: string, form?: Record<string, string> | [string, string][]): Promise<Shown>;
}

export function deskAs(peal: Pick<TestServer, "request">, cookie: string): DeskClient {
  const headers = { cookie, accept: "text/html" };
  return {
    get: async (path) => shown(await peal.request(path, { headers })),
    post: async (path, form = {}) =>
      shown(
        await peal.request(path, {
          method: "POST",
          headers: { ...headers, ...SAME_SITE },
          body: new URLSearchParams(form),
        }),
      ),
  };
}

async function shown(response: Response): Promise<Shown> {
  const html = await response.text();
  const flash = response.headers.getSetCookie().find((set) => set.startsWith("flash=")) ?? "";
  return {
    status: response.status,
    html,
    text: html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " "),
    location: response.headers.get("location"),
    said: decodeURIComponent(flash.slice("flash=".length).split(";")[0] ?? ""),
    response,
  };
}
