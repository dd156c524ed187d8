/**
 * What the app's generated client decodes (gotify/android 2.9.0 and 2.10.1, `client/src/main/java/com/github/gotify/client/model`),
 * and what the app then uses without a look whether it is there: Kotlin would throw, and the app crash.
 */
import { expect } from "bun:test";

/** Java's types, by what Gson takes for them. Absent and null are the same to it. */
const TYPES = {
  Long: (value: unknown) => Number.isSafeInteger(value),
  Boolean: (value: unknown) => typeof value === "boolean",
  String: (value: unknown) => typeof value === "string",
  // threetenbp's ISO_OFFSET_DATE_TIME
  OffsetDateTime: (value: unknown) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(value),
  Map: (value: unknown) => typeof value === "object" && !Array.isArray(value),
};
type Fields = Readonly<Record<string, keyof typeof TYPES>>;

/** `needed`: what the app uses as it is. */
interface Model {
  fields: Fields;
  needed: readonly string[];
}

const MESSAGE: Model = {
  fields: {
    ...{ appid: "Long", date: "OffsetDateTime", extras: "Map", id: "Long", message: "String" },
    ...{ priority: "Long", title: "String" },
  },
  needed: ["id", "appid", "date", "message", "priority", "title"],
};
const APPLICATION: Model = {
  fields: {
    ...{ defaultPriority: "Long", description: "String", id: "Long", image: "String", internal: "Boolean" },
    ...{ lastUsed: "OffsetDateTime", name: "String", token: "String" },
  },
  // an absent token becomes the header of a message that is sent from the phone, and OkHttp throws
  needed: ["id", "image", "name", "token"],
};
const CLIENT: Model = {
  fields: { id: "Long", lastUsed: "OffsetDateTime", name: "String", token: "String" },
  needed: ["id", "name"],
};
const USER: Model = {
  fields: { admin: "Boolean", createdAt: "OffsetDateTime", id: "Long", name: "String" },
  needed: ["id", "name", "admin", "createdAt"], // the last in `CurrentUser` of 2.10.1
};
const VERSION: Model = { fields: { buildDate: "String", commit: "String", version: "String" }, needed: ["version"] };
const PAGING: Model = {
  fields: { limit: "Long", next: "String", since: "Long", size: "Long" },
  needed: ["limit", "since", "size"],
};

// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the record of a model, once it is checked
function decoded<T>(name: string, { fields, needed }: Model, given: unknown): T {
  expect([name, typeof given]).toEqual([name, "object"]);
  const record = given as Record<string, unknown>;
  for (const [field, type] of Object.entries(fields)) {
    const value = record[field] ?? null;
    if (value === null) expect([name, field, needed.includes(field)]).toEqual([name, field, false]);
    else expect([name, field, value, TYPES[type](value)]).toEqual([name, field, value, true]);
  }
  return record as T;
}

export interface GotifyMessage {
  id: number;
  appid: number;
  date: string;
  message: string;
  title: string;
  priority: number;
  extras?: Record<string, Record<string, unknown>>;
}
export interface GotifyApplication {
  id: number;
  name: string;
  image: string;
  token: string;
  description: string;
}
export interface GotifyClient {
  id: number;
  name: string;
  token?: string;
}
interface User {
  id: number;
  name: string;
  admin: boolean;
}
export interface PagedMessages {
  messages: GotifyMessage[];
  paging: { limit: number; since: number; size: number; next?: string };
}

const list =
  <T>(one: (given: unknown) => T) =>
  (given: unknown): T[] => {
    expect(Array.isArray(given)).toBe(true);
    return (given as unknown[]).map(one);
  };

export const message = (given: unknown): GotifyMessage => decoded("Message", MESSAGE, given);
export const applications = list((given) => decoded<GotifyApplication>("Application", APPLICATION, given));
export const client = (given: unknown): GotifyClient => decoded("Client", CLIENT, given);
export const clients = list(client);
export const user = (given: unknown): User => decoded("User", USER, given);
export const version = (given: unknown): { version: string } => decoded("VersionInfo", VERSION, given);
export function paged(given: unknown): PagedMessages {
  const { messages, paging } = given as Record<string, unknown>;
  return { messages: list(message)(messages), paging: decoded("Paging", PAGING, paging) };
}
/** `model/error.go`: the app shows its text when it starts. */
export function refusal(given: unknown): { errorDescription: string } {
  const fields: Fields = { error: "String", errorCode: "Long", errorDescription: "String" };
  return decoded("Error", { fields, needed: Object.keys(fields) }, given);
}
