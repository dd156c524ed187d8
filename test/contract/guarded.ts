/**
 * A server with a namespace that Mara may see and one that she may not, and all routes below `/-/` with addresses of
 * the latter: used to test the guards of pages.
 */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createApp } from "../../src/server/app.ts";
import type { TestCheck } from "../support/checks.ts";
import type { TestMessage } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs, type DeskClient, type Shown } from "../support/desk.ts";
import { iphone } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { asked } from "../support/household-steps.ts";
import { inProcess } from "../support/server.ts";
import { cookieOf, login, person } from "../support/signin.ts";

/** Occurs in every name and text of the namespace that Mara may not see, and as markup where a name may contain any character. */
export const HIDDEN = "quokka";
const MARKUP = `<${HIDDEN} onload='x'>"`;

const BACKUP = "peal-20260101T000000Z.db";

interface Route {
  method: string;
  template: string;
  name: string;
}

export async function guarded() {
  const clock = heldClock();
  const peal = await inProcess({ clock });
  await asked(peal, "POST", "/-/local/namespaces", { name: HIDDEN });
  const published = async (ns: string, name: string, message: string) => {
    // with a field that is ignored, so that there is a page for what was received
    const body = { message, priority: "urgent", ack: true, titel: name };
    const made = await asked<TestMessage>(peal, "POST", `/${ns}/${name}`, body);
    return { topic: { namespace: ns, key: made.topic, name, url: "" }, message: made.id };
  };
  const one = await published("home", "nas", "her own");
  const two = await published(HIDDEN, `${HIDDEN}-topic`, `${MARKUP} text`);
  const phones = [
    await iphone(peal, [one.topic, two.topic], { name: "shared phone" }),
    await iphone(peal, [two.topic], { name: MARKUP }),
  ];
  const checks = await Promise.all(
    [
      { ns: "home", name: "her check" },
      { ns: HIDDEN, name: MARKUP },
    ].map(async ({ ns, name }) => asked<TestCheck>(peal, "POST", `/v1/${ns}/checks`, { name, every: 60, tags: [ns] })),
  );
  const [own, other] = checks;
  const down = await fetch(`${peal.url}${new URL(other?.ping_url ?? "").pathname}/fail`, { method: "POST" });
  expect(down.status).toBe(200);
  const hook = await asked<{ id: string; url: string }>(peal, "POST", `/v1/${HIDDEN}/hooks`, {
    ...{ topic: two.topic.key, name: MARKUP },
  });
  await fetch(hook.url, { method: "POST", body: JSON.stringify({ message: MARKUP }) });
  const key = await asked<{ id: string }>(peal, "POST", `/v1/keys?namespace=${HIDDEN}`, {
    ...{ name: MARKUP, scope: "publish" },
  });
  const forward = await asked<{ id: string }>(peal, "POST", `/v1/${HIDDEN}/forwards`, {
    ...{ kind: "discord", name: MARKUP, settings: { url: "https://discord.com/api/webhooks/1/secret" } },
  });
  // pushes for what is published from now on; they wait, because iPhones are not configured
  const pushed = [await published("home", "nas", "pushed"), await published(HIDDEN, `${HIDDEN}-topic`, MARKUP)];
  const jonas = await person(peal, { name: `jonas ${MARKUP}` });
  await person(peal, { name: "mara", namespaces: ["home"] });
  const cookies = {
    admin: cookieOf(await login(peal, { name: `jonas ${MARKUP}` })),
    mara: cookieOf(await login(peal, { name: "mara" })),
  };
  const [admin, mara] = [deskAs(peal, cookies.admin), deskAs(peal, cookies.mara)];
  const { sessions } = await asked<{ sessions: { id: string }[] }>(peal, "GET", `/-/local/people/${jonas}/sessions`);
  const session = sessions[0]?.id ?? "";
  mkdirSync(join(peal.dataDir, "backups"), { recursive: true });
  writeFileSync(join(peal.dataDir, "backups", BACKUP), HIDDEN);
  const hers = { ...one, check: own?.id ?? "", device: phones[0]?.ref ?? "" };
  const theirs = {
    ...two,
    check: other?.id ?? "",
    device: phones[1]?.ref ?? "",
    key: key.id,
    hook: hook.id,
    forward: forward.id,
    admin: jonas,
  };
  for (const { topic, message } of pushed)
    await eventually(`a push in ${topic.namespace}`, async () => {
      const path = `/v1/${topic.namespace}/${topic.key}/messages/${message}/deliveries`;
      const { deliveries } = await asked<{ deliveries: { waits_for?: string }[] }>(peal, "GET", path);
      return deliveries.length > 0 && deliveries.every(({ waits_for }) => waits_for !== undefined);
    });
  const routes: Route[] = createApp(peal.running.deps)
    .table.templates.filter(
      ({ template }) => template.startsWith("/-/") && !/^\/-\/(?:local\/|assets\/|run\.)/.test(template),
    )
    .flatMap(({ template, methods }) => methods.map((method) => ({ method, template, name: `${method} ${template}` })));

  /** The route's address with names of the other namespace, or of the admin. */
  function filled(template: string): string {
    const names: Record<string, string> = {
      ...{ messages: theirs.topic.key, topics: theirs.topic.key, checks: theirs.check, devices: theirs.device },
      hooks: theirs.hook,
      ...{ keys: theirs.key, namespaces: HIDDEN, people: theirs.admin, sessions: session, backups: BACKUP },
      came: String(theirs.message),
    };
    if (template.endsWith("/forward")) names["devices"] = theirs.forward;
    const parts = template.split("/");
    return parts
      .map((part, n) => {
        const before = parts[n - 1] ?? "";
        return !part.startsWith(":") ? part : before.startsWith(":") ? String(theirs.message) : (names[before] ?? "?");
      })
      .join("/");
  }

  /** The fields of all forms, so that a form that is let through has an effect. */
  const form = (): Record<string, string> => ({
    ...{
      topic: theirs.topic.key,
      message: String(theirs.message),
      device: theirs.device,
      namespace: HIDDEN,
      ns: HIDDEN,
    },
    ...{ confirm: theirs.topic.name, do: "remove", keep: "none", for: "hour", archived: "true", overlap: "1 h" },
    ...{
      name: "changed",
      label: "changed",
      scope: "publish",
      kind: "every",
      every: "2 h",
      password: "changed by somebody",
    },
    ...{ sees: "all", admin: "on", lang: "de", min: "high" },
  });

  /** Everything that the server stores, by table. */
  function kept(): Map<string, string> {
    using database = new Database(join(peal.dataDir, "peal.db"), { readonly: true });
    const tables = database.query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    const bytes = (_: string, value: unknown) => (value instanceof Uint8Array ? value.toHex() : value);
    return new Map([
      ["backups", readdirSync(join(peal.dataDir, "backups")).join()],
      ...tables.map(({ name }): [string, string] => [
        name,
        JSON.stringify(database.query(`SELECT * FROM "${name}"`).values(), bytes),
      ]),
    ]);
  }
  /** Expects that every stored byte is the same before and after. */
  async function changesNothing(run: () => Promise<void>): Promise<void> {
    const before = kept();
    expect(before.size).toBeGreaterThan(15);
    await run();
    expect([...kept()].filter(([name, rows]) => rows !== before.get(name))).toEqual([]);
  }

  /** The content of an answer without the requested address, which the visitor knows anyway. */
  const told = ({ html, response }: Shown, path: string): string =>
    [html, ...response.headers.values()].join("\n").replaceAll(path, "").replaceAll(encodeURIComponent(path), "");
  const ask = async (desk: DeskClient, { method, template }: { method: string; template: string }) =>
    method === "GET" ? desk.get(filled(template)) : desk.post(filled(template), form());

  return {
    ...{ peal, clock, routes, theirs, hers, cookies, admin, mara },
    ...{ filled, form, ask, told, changesNothing },
    [Symbol.asyncDispose]: async () => peal[Symbol.asyncDispose](),
  };
}
