/**
 * Who asks, in the ways of Gotify's clients: by a client token, by an API key in its place, or by name and password. A client
 * token only reads, so it may stand in a URL (`/stream?token=…`); an API key never may (API.md §3).
 */
import { byPassword, type AttemptDeps } from "../accounts/attempt.ts";
import { clientBy } from "../accounts/clients.ts";
import { seesNamespace, type Person } from "../accounts/person.ts";
import type { Session } from "../accounts/session.ts";
import type { Deps } from "../deps.ts";
import { gotify } from "../hooks/dialects/gotify.ts";
import { contextOf } from "../http/context.ts";
import { Problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { authorizeHash, logRefusal, secretIn } from "../keys/auth.ts";
import type { ApiKey } from "../keys/key.ts";
import type { Namespace, NamespaceId } from "../keys/namespace.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { sha256 } from "../util/ids.ts";
import { keyOfToken } from "./token.ts";

export type ReaderDeps = AttemptDeps &
  Pick<Deps, "config" | "clock" | "keyUse" | "limits"> & { tokens: () => Promise<Tokens> };

interface OfKey {
  kind: "key";
  key: ApiKey;
}
interface OfPerson {
  kind: "person";
  person: Person;
  /** The app's; absent: the password came with the request. */
  session?: Session;
  /** What that password matched. */
  passwordHash?: string;
}
/** `token`: the client token that it came with. */
export type Reader = (OfKey | OfPerson) & { token?: string };

/** Speaks as Gotify from here on, also in refusals. @throws Problem 401, 403, 429, 503 `sign_in_busy` */
export async function readerOf({ deps, request }: { deps: ReaderDeps; request: Request }): Promise<Reader> {
  contextOf(request).form = gotify.refused;
  const { headers } = request;
  const authorization = headers.get("authorization") ?? "";
  const secret = headers.get("x-gotify-key") || secretIn(authorization);
  const known = deps.store.keys.find(sha256(secret));
  if (known !== undefined) return ofKey(deps, request, known);

  const token = queryOf(request).get("token") || secret;
  const key = await keyOfToken(deps, token);
  if (key !== undefined) return { ...ofKey(deps, request, key), token };
  const client = await clientBy(deps, request, token);
  if (client !== undefined) return { kind: "person", ...client, token };

  const basic = basicIn(authorization);
  if (basic === undefined) throw unknown(deps, request, token === "" ? "missing_key" : "invalid_key");
  const found = await byPassword(deps, request, basic.name, basic.password);
  if (found.kind === "refused") throw new Problem("invalid_key", WHO);
  found.tried.giveBack();
  const { person, passwordHash } = found;
  return { kind: "person", person, ...(passwordHash !== undefined && { passwordHash }) };
}

/** Whether it may read a namespace. */
export const sees = (reader: Reader, id: NamespaceId): boolean =>
  reader.kind === "key" ? reader.key.namespaceId === id : seesNamespace(reader.person, id);

export const namespacesOf = async ({ store }: Pick<Deps, "store">, reader: Reader): Promise<Namespace[]> =>
  (await store.namespaces.list()).filter(({ id }) => sees(reader, id));

const WHO =
  "Sign in with the name and password of a person on this server, or with any name and an API key as the password. " +
  "A client token ends when its app is signed out, the password changes or the key is revoked.";

function ofKey(deps: ReaderDeps, request: Request, key: ApiKey): OfKey {
  authorizeHash(deps, request, key.hash, "read");
  return { kind: "key", key };
}

function unknown(deps: ReaderDeps, request: Request, code: "missing_key" | "invalid_key"): Problem {
  logRefusal(deps, request, code);
  return new Problem(code, WHO);
}

/** Name and password. The app encodes them as ISO-8859-1 (OkHttp, `Credentials.basic`), others as UTF-8. */
function basicIn(authorization: string): { name: string; password: string } | undefined {
  const [, value] = /^basic +(\S+) *$/i.exec(authorization) ?? [];
  if (value === undefined) return undefined;
  const bytes = Buffer.from(value, "base64");
  const utf8 = bytes.toString();
  const pair = utf8.includes("\uFFFD") ? bytes.toString("latin1") : utf8;
  const colon = pair.indexOf(":");
  return colon < 0 ? undefined : { name: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
