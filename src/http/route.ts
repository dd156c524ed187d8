/** A route as a room declares it. The app mounts the routes of all rooms (server/app.ts). */
export interface Route {
  method: string;
  /** Elysia's form: `/v1/:ns/topics`. */
  path: string;
  handler: (asked: never) => unknown;
  /** What the OpenAPI document says of it. */
  detail?: object;
  /** Its handler gets `html`, to answer with a page. */
  isPage?: true;
  /** The same without Elysia (server/direct.ts). A parameter is null if its escapes are broken. */
  direct?: Direct;
}

/**
 * Whether a template begins with topic keys instead of a namespace, `/:topics` (one, or several with commas). Its routes are
 * none of Elysia's, whose router cannot tell the two apart: they are all direct.
 */
export const isOfTopics = (template: string): boolean => /^\/:topics(?:\/|$)/.test(template);

export type Direct = (request: Request, params: Record<string, string | null>) => Response | Promise<Response>;
