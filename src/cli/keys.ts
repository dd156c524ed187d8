/** `peal keys`: mint, list and revoke API keys. */
import { SCOPES } from "../keys/key.ts";
import { rfc3339, systemClock } from "../util/clock.ts";
import { parseMoment } from "../util/time.ts";
import { JSON_FLAG, print, table, UsageError, type Command, type Invocation } from "./command.ts";
import { inNamespace, namespaceFlag } from "./in-namespace.ts";

interface KeyJson {
  id: string;
  key?: string;
  name?: string;
  prefix: string;
  scope: string;
  created_at: string;
  expires_at?: string;
  last_used_at?: string;
}

const NAMESPACE_FLAG = namespaceFlag("the key");

export const keysCreate: Command = {
  name: "keys create",
  args: [],
  summary: "Create an API key; its secret is printed alone on standard output, once.",
  flags: [
    NAMESPACE_FLAG,
    { name: "scope", words: SCOPES, description: "What it can do; default: full." },
    { name: "admin", description: "Short for --scope admin." },
    { name: "name", value: "text", description: "What it is for, shown in lists." },
    {
      name: "expires",
      value: "duration|time",
      description: "When it stops working: a duration like 12h, or a time like 2027-01-31T00:00:00Z.",
    },
    JSON_FLAG,
  ],
  examples: [
    "peal keys create --namespace media --scope publish --name sonarr",
    "KEY=$(peal keys create --namespace home)",
  ],
  run: async (invocation) => {
    const { values, switches } = invocation;
    if (switches.has("admin") && values["scope"] !== undefined)
      throw new UsageError("--admin and --scope can't be combined");
    const body = {
      scope: switches.has("admin") ? "admin" : (values["scope"] ?? "full"),
      ...(values["name"] !== undefined && { name: values["name"] }),
      ...(values["expires"] !== undefined && { expires_at: expiry(values["expires"]) }),
    };
    const made = await ask<KeyJson>(invocation, "POST", "/v1/keys", body);
    return print(switches, made, ({ key = "" }) => key);
  },
};

export const keysList: Command = {
  name: "keys list",
  args: [],
  summary: "List the keys of a namespace.",
  flags: [NAMESPACE_FLAG, JSON_FLAG],
  examples: ["peal keys list --namespace media", "peal keys list --json"],
  run: async (invocation) => {
    const { keys } = await ask<{ keys: KeyJson[] }>(invocation, "GET", "/v1/keys");
    const row = (key: KeyJson) => [
      key.id,
      `${key.prefix}…`,
      key.scope,
      key.created_at.slice(0, 10),
      key.expires_at?.slice(0, 10) ?? "never",
      key.last_used_at ?? "never",
      key.name ?? "",
    ];
    const head = ["ID", "KEY", "SCOPE", "CREATED", "EXPIRES", "LAST USED", "NAME"];
    return print(invocation.switches, keys, () => table([head, ...keys.map(row)]));
  },
};

export const keysRevoke: Command = {
  name: "keys revoke",
  args: ["<id>"],
  summary: "Revoke a key: it stops working immediately, and its open streams end.",
  flags: [NAMESPACE_FLAG, JSON_FLAG],
  examples: ["peal keys list --namespace media", "peal keys revoke 4h2k9w0c3m5n7p8q --namespace media"],
  run: async (invocation) => {
    const [id = ""] = invocation.positionals;
    await ask(invocation, "DELETE", `/v1/keys/${encodeURIComponent(id)}`);
    return print(invocation.switches, { revoked: id }, () => `revoked ${id}`);
  },
};

/** The ordinary route of the API, in the namespace that was named. */
const ask = async <T>(invocation: Invocation, method: string, path: string, body?: object): Promise<T> =>
  inNamespace(invocation, async (local, namespace) => local.ask<T>(method, `${path}?namespace=${namespace}`, body));

/** As RFC 3339. @throws UsageError */
function expiry(text: string): string {
  const now = systemClock.now();
  const at = parseMoment(text, now) ?? parseMoment(`${text}T00:00:00Z`, now);
  if (at === undefined)
    throw new UsageError(`--expires ${text}: must be a duration like 90d, or a time like 2027-01-31T00:00:00Z`);
  return rfc3339(at);
}
