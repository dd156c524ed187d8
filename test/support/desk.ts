/** The dashboard over HTTP, as a browser without a script requests it. */
import type { TestServer } from "./server.ts";
import { SAME_SITE } from "./signin.ts";

export interface Shown {
  status: number;
  html: string;
  /** The page without its tags. */
  text: string;
  location: string | null;
  /** The result of the form: the cookie of its flash. */
  said: string;
  response: Response;
}

export interface DeskClient {
  get(path: string): Promise<Shown>;
  post(path: string, form?: Form): Promise<Shown>;
  /** Posts a form that has to be accepted; returns the page that it leads to, with its message of what was done. */
  done(path: string, form?: Form): Promise<Shown & { path: string }>;
}
type Form = Record<string, string> | [string, string][];

export function deskAs(peal: Pick<TestServer, "request">, cookie: string): DeskClient {
  const headers = { cookie, accept: "text/html" };
  const get: DeskClient["get"] = async (path) => shown(await peal.request(path, { headers }));
  const post: DeskClient["post"] = async (path, form = {}) =>
    shown(
      await peal.request(path, {
        method: "POST",
        headers: { ...headers, ...SAME_SITE },
        body: new URLSearchParams(form),
      }),
    );
  return {
    get,
    post,
    done: async (path, form) => {
      const { status, location, response } = await post(path, form);
      if (status !== 303 || location === null) throw new Error(`${path} was not done: ${status}`);
      const flash = response.headers.getSetCookie().map((set) => set.split(";")[0]);
      return { path: location, ...(await deskAs(peal, [cookie, ...flash].join("; ")).get(location)) };
    },
  };
}

/** The mark of a form, which says for which version of the record it was filled in. */
export const markIn = ({ html }: Pick<Shown, "html">): string => /name="mark" value="([^"]+)"/.exec(html)?.[1] ?? "";

/** The visible text: without tags, with single spaces. */
export const textOf = (html: string): string => html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

async function shown(response: Response): Promise<Shown> {
  const html = await response.text();
  const flash = response.headers.getSetCookie().find((set) => set.startsWith("flash=")) ?? "";
  return {
    status: response.status,
    html,
    text: textOf(html),
    location: response.headers.get("location"),
    said: decodeURIComponent(flash.slice("flash=".length).split(";")[0] ?? ""),
    response,
  };
}
