/** `peal admin`: people and their sessions; it also helps people who have lost their password. */
import type { Config } from "../config/config.ts";
import { foldName } from "../store/accounts.ts";
import { CommandFailed, JSON_FLAG, print, table, UsageError, type Command, type Invocation } from "./command.ts";
import { openLocal, Refused, type Local } from "./local.ts";
import { readPassword } from "./password.ts";

interface PersonJson {
  id: string;
  name: string;
  admin: boolean;
  namespaces?: string[];
  has_password: boolean;
  created_at: string;
  last_seen_at?: string;
}
interface SessionJson {
  id: string;
  created_at: string;
  last_seen_at: string;
  address: string;
  browser?: string;
  system?: string;
}

const PEOPLE = "/-/local/people";
const FIELDS = { name: "<name>", password: "the password", namespaces: "--namespaces", admin: "--namespaces" };
const NAMESPACES = { name: "namespaces", value: "a,b|all" };
const PASSWORD =
  "The password is prompted for, or read from standard input when that isn't a terminal: at least 12 characters.";

export const adminList: Command = {
  name: "admin list",
  args: [],
  summary: "List the people who can sign in to the dashboard.",
  flags: [JSON_FLAG],
  examples: ["peal admin list"],
  run: async (invocation) =>
    asked(invocation, async (local) => {
      const people = await peopleOf(local);
      const row = (person: PersonJson) => [
        person.name,
        person.admin ? "admin" : seenBy(person),
        person.has_password ? "password" : "proxy",
        person.created_at.slice(0, 10),
        person.last_seen_at ?? "never",
      ];
      const head = ["NAME", "SEES", "SIGNS IN BY", "CREATED", "LAST SEEN"];
      return print(invocation.switches, people, () => table([head, ...people.map(row)]));
    }),
};

const seenBy = ({ namespaces }: PersonJson): string =>
  namespaces === undefined ? "all" : namespaces.length === 0 ? "none" : namespaces.join(",");

export const adminCreate: Command = {
  name: "admin create",
  args: ["<name>"],
  summary: "Create an admin, or with --namespaces someone who sees only these.",
  about: PASSWORD,
  flags: [
    { ...NAMESPACES, description: "The namespaces someone who isn't an admin can see." },
    { name: "no-password", description: "They sign in only through the proxy of PEAL_AUTH_HEADER." },
    JSON_FLAG,
  ],
  examples: [
    "peal admin create jonas",
    "peal admin create mara --namespaces media,home < /run/secrets/mara",
    "docker exec -it peal /peal admin create jonas",
  ],
  run: async (invocation) => {
    const { positionals, values, switches } = invocation;
    const [name = ""] = positionals;
    return asked(invocation, async (local) => {
      const seen = namespacesIn(values);
      const password = switches.has("no-password") ? undefined : await readPassword(name);
      const made = await local.ask<PersonJson>("POST", PEOPLE, {
        ...{ name, admin: seen === undefined },
        ...(password !== undefined && { password }),
        ...(Array.isArray(seen) && { namespaces: seen }),
      });
      return print(switches, made, () => `created ${made.name}`);
    });
  },
};

export const adminUpdate: Command = {
  name: "admin update",
  args: ["<name>"],
  summary: "Change someone's name and what they can see.",
  flags: [
    { name: "name", value: "name", description: "The new name." },
    { ...NAMESPACES, description: "Make them a non-admin who sees these." },
    { name: "admin", description: "Make them an admin who sees everything." },
    JSON_FLAG,
  ],
  examples: ["peal admin update mara --namespaces media", "peal admin update mara --admin"],
  run: async (invocation) => {
    const { values, switches } = invocation;
    const seen = namespacesIn(values);
    if (switches.has("admin") && seen !== undefined) throw new UsageError("--admin and --namespaces can't be combined");
    return onPerson(invocation, async (local, { id }) => {
      const changed = await local.ask<PersonJson>("PATCH", `${PEOPLE}/${id}`, {
        ...(values["name"] !== undefined && { name: values["name"] }),
        ...(switches.has("admin") && { admin: true, namespaces: null }),
        ...(seen !== undefined && { admin: false, namespaces: seen === "all" ? null : seen }),
      });
      return print(switches, changed, () => `updated ${changed.name}`);
    });
  },
};

export const adminPassword: Command = {
  name: "admin password",
  args: ["<name>"],
  summary: "Set a new password and sign the person out everywhere.",
  about: PASSWORD,
  flags: [
    { name: "remove", description: "From now on they sign in only through the proxy of PEAL_AUTH_HEADER." },
    JSON_FLAG,
  ],
  examples: ["peal admin password jonas", "docker exec -it peal /peal admin password jonas"],
  run: async (invocation) =>
    onPerson(invocation, async (local, { id, name }, { authHeader }) => {
      const password = invocation.switches.has("remove") ? null : await readPassword(name);
      await local.ask("PUT", `${PEOPLE}/${id}/password`, { password });
      if (password !== null)
        return print(invocation.switches, { name }, () => `${name} has a new password and is signed out everywhere`);
      const way =
        authHeader === undefined
          ? "PEAL_AUTH_HEADER is not set, so they can't sign in"
          : "they sign in only through the proxy of PEAL_AUTH_HEADER";
      return print(invocation.switches, { name }, () => `${name} has no password and is signed out everywhere: ${way}`);
    }),
};

export const adminRemove: Command = {
  name: "admin remove",
  args: ["<name>"],
  summary: "Remove a person and end their sessions.",
  flags: [JSON_FLAG],
  examples: ["peal admin remove mara"],
  run: async (invocation) =>
    onPerson(invocation, async (local, { id, name }) => {
      await local.ask("DELETE", `${PEOPLE}/${id}`);
      return print(invocation.switches, { removed: name }, () => `removed ${name}`);
    }),
};

export const adminSessions: Command = {
  name: "admin sessions",
  args: ["<name>"],
  summary: "List where someone is signed in, or sign them out there.",
  flags: [{ name: "end", value: "id|all", description: "Sign out this session, or all." }, JSON_FLAG],
  examples: ["peal admin sessions jonas", "peal admin sessions jonas --end all"],
  run: async (invocation) =>
    onPerson(invocation, async (local, person) => {
      const { values, switches } = invocation;
      const path = `${PEOPLE}/${person.id}/sessions`;
      const { end } = values;
      if (end !== undefined) {
        await local.ask("DELETE", end === "all" ? path : `${path}/${encodeURIComponent(end)}`);
        return print(switches, { ended: end }, () => `signed out ${end}`);
      }
      const { sessions } = await local.ask<{ sessions: SessionJson[] }>("GET", path);
      const row = ({ id, created_at, last_seen_at, address, browser = "", system = "" }: SessionJson) => [
        ...[id, created_at.slice(0, 10), last_seen_at, address],
        [browser, system].filter((word) => word !== "").join(", "),
      ];
      const head = ["ID", "CREATED", "LAST SEEN", "ADDRESS", "WITH"];
      return print(switches, sessions, () => table([head, ...sessions.map(row)]));
    }),
};

const namespacesIn = ({ namespaces }: Invocation["values"]): "all" | string[] | undefined =>
  namespaces === undefined || namespaces === "all"
    ? namespaces
    : namespaces
        .split(",")
        .map((name) => name.trim())
        .filter((name) => name !== "");

const peopleOf = async (local: Local): Promise<PersonJson[]> =>
  (await local.ask<{ people: PersonJson[] }>("GET", PEOPLE)).people;

async function asked(invocation: Invocation, use: (local: Local, config: Config) => Promise<number>): Promise<number> {
  const loaded = await invocation.load();
  await using local = await openLocal(async () => loaded);
  try {
    return await use(local, loaded.config);
  } catch (error) {
    throw error instanceof Refused ? error.calling(FIELDS) : error;
  }
}

/** Calls `use` with the person that the first argument names. */
const onPerson = async (
  invocation: Invocation,
  use: (local: Local, person: PersonJson, config: Config) => Promise<number>,
): Promise<number> =>
  asked(invocation, async (local, config) => {
    const [name = ""] = invocation.positionals;
    const person = (await peopleOf(local)).find((one) => foldName(one.name) === foldName(name));
    if (person === undefined) throw new CommandFailed(`nobody is called ${name}; \`peal admin list\` shows everyone`);
    return use(local, person, config);
  });
