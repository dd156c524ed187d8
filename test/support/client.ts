/** A small client of the HTTP API, as a publisher and a reader would write one. */

export interface TestTopic {
  namespace: string;
  key: string;
  name: string;
  url: string;
}
export interface TestMessage {
  id: number;
  message: string;
  topic: string;
  created_at: string;
  [field: string]: unknown;
}
export interface Client {
  /** Sends the request as it is, without a key; `path` may be an absolute URL. Redirects are not followed. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a request with the admin key; an object is sent as JSON. */
  api(method: string, path: string, body?: object | string, headers?: Record<string, string>): Promise<Response>;
  /** Makes a topic in namespace `home`. */
  topic(name: string): Promise<TestTopic>;
  /** Publishes by name; null when the answer is not 201 or missing. */
  publish(topic: { namespace: string; name: string }, body: object | string): Promise<TestMessage | null>;
  /** The whole history, oldest first, page by page. */
  history(topic: { namespace: string; key: string }): Promise<TestMessage[]>;
  /** Makes a key for namespace `home`. */
  mint(scope: "publish" | "read" | "full" | "admin"): Promise<{ id: string; key: string }>;
}

/** A client of the server at `url()`. Everything that must not reach a log is added to `secrets`. */
export function createClient(url: () => string, adminKey: string, secrets: Set<string>): Client {
  const request: Client["request"] = async (path, init) => fetch(new URL(path, url()), { redirect: "manual", ...init });

  const api: Client["api"] = async (method, path, body, headers = {}) =>
    request(path, {
      method,
      headers: {
        authorization: `Bearer ${adminKey}`,
        ...(typeof body === "object" && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });

  return {
    request,
    api,
    topic: async (name) => {
      const made = await answer<{ namespace: string; topic: string; name: string; url: string }>(
        201,
        await api("POST", "/v1/home/topics", { name }),
      );
      secrets.add(made.topic);
      return { namespace: made.namespace, key: made.topic, name: made.name, url: made.url };
    },
    publish: async ({ namespace, name }, body) => {
      const response = await api("POST", `/${namespace}/${name}`, body).catch(() => null);
      if (response?.status !== 201) return null;
      return (await response.json().catch(() => null)) as TestMessage | null;
    },
    history: async ({ namespace, key }) => {
      const messages: TestMessage[] = [];
      for (;;) {
        const since = messages.at(-1)?.id ?? 0;
        const page = await answer<{ messages: TestMessage[]; has_more: boolean }>(
          200,
          await request(`/v1/${namespace}/${key}/messages?since=${since}&limit=200`),
        );
        messages.push(...page.messages);
        if (!page.has_more) return messages;
      }
    },
    mint: async (scope) => {
      const minted = await answer<{ id: string; key: string }>(201, await api("POST", "/v1/keys", { scope }));
      secrets.add(minted.key);
      return minted;
    },
  };
}

/** The format of every time in an answer. */
export const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The fields of a delayed message that its sender did not set. */
export const asDelayed = ({ namespace, key, name }: TestTopic): Record<string, unknown> => ({
  ...{ namespace, topic: key, topic_name: name },
  ...{ level: "info", priority: "normal", format: "text", source: "schedule" },
});

/** The JSON of an answer. @throws Error when it has another status */
export async function answer<T>(status: number, response: Response): Promise<T> {
  const text = await response.text();
  if (response.status !== status) throw new Error(`${response.status} instead of ${status}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as T;
}
