/** The namespace that is chosen at the top of the dashboard stays chosen, wherever a link leads (WEB.md §3). */
import { afterAll, describe, expect, test } from "bun:test";
import { newCheck, ping } from "../../support/checks.ts";
import { deskAs } from "../../support/desk.ts";
import { iphone } from "../../support/devices.ts";
import { inProcess } from "../../support/server.ts";
import { person, signedIn } from "../../support/signin.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const { store } = peal.running.deps;
await store.namespaces.create("lab");
const desk = deskAs(peal, await signedIn(peal));
await person(peal, { name: "jonas" });

const topic = await peal.topic("kept");
const device = await iphone(peal, [topic], { name: "Pixel" });
await peal.publish(topic, { message: "m", priority: "urgent", ack: true, tags: ["disk"] });
await Promise.all(Array.from({ length: 51 }, async () => peal.publish(topic, { message: "m", tags: ["disk"] })));
const check = await newCheck(peal, { name: "backup", every: "1d", topic: "kept" });
await ping(peal, `${check.ping_url}/fail`);

/** The part of a page below its header. */
const mainOf = async (path: string): Promise<string> => {
  const { status, html } = await desk.get(`${path}${path.includes("?") ? "&" : "?"}ns=home`);
  expect([path, status]).toEqual([path, 200]);
  return /<main[^]*<\/main>/.exec(html)?.[0].replaceAll("&amp;", "&") ?? "";
};
/** Addresses of files, which have no filter. */
const FILES = /^\/-\/(?:(?:assets|settings\/backups)\/|run\.)/;
/** The links of a page that lose the filter. */
function losing(html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*href="((?:\/-\/|\?)[^"]*)"/g)].map(([, to = ""]) => to);
  const forms = [...html.matchAll(/<form ([^>]*)>[^]*?<\/form>/g)].flatMap(([form, attributes = ""]) =>
    attributes.includes('method="post"')
      ? [/action="([^"]*)"/.exec(attributes)?.[1] ?? attributes]
      : form.includes('name="ns" value="home"')
        ? []
        : [attributes],
  );
  return [...links, ...forms].filter((to) => !/[?&]ns=home(?:[&#]|$)/.test(to) && !FILES.test(to));
}

const people = (await store.accounts.people()).map(({ id }) => id);
const home = await store.namespaces.byName("home");
const [key] = home === undefined ? [] : await store.keys.list(home.id);
// prettier-ignore
const PAGES: Record<string, readonly string[]> = {
  overview: ["/-/"],
  messages: ["", "?level=info&tag=disk", "?q=nothing", "?open=true", "?before=30"].map((query) => `/-/messages${query}`),
  topics: ["/-/topics", "/-/topics?q=nothing", "/-/topics?archived=true", "/-/topics/new"],
  "a topic": ["", "?level=info&tag=disk", "?q=nothing", "?before=9", "/publish", "/share", "/devices", "/settings", "/mute", "/replace", "/delete"]
    .map((tab) => `/-/topics/${topic.key}${tab}`),
  checks: ["/-/checks", "/-/checks/new"],
  "a check": ["", "/edit", "/rotate", "/delete"].map((act) => `/-/checks/${check.id}${act}`),
  devices: ["/-/devices", ...["", "/delete"].map((act) => `/-/devices/${device.ref}${act}`)],
  keys: ["/-/keys", `/-/keys/${key?.id ?? ""}/revoke`],
  deliveries: ["/-/deliveries", "/-/deliveries?state=failed", `/-/deliveries?topic=${topic.key}&message=1`],
  settings: ["", "/password", "/namespaces/lab/delete", "/people/new", ...people.map((id) => `/people/${id}`)].map((of) => `/-/settings${of}`),
};

describe("the chosen namespace is kept by every link, form and search", () => {
  test.each(Object.entries(PAGES))("of %s", async (_, paths) => {
    for (const path of paths) expect([path, losing(await mainOf(path))]).toEqual([path, []]);
  });

  test("of pages that are shown in between: after a form that was refused, and one that was accepted", async () => {
    const refused = await desk.post("/-/topics/new?ns=home", { name: "not <this>", namespace: "home" });
    expect([refused.status, losing(/<main[^]*/.exec(refused.html)?.[0] ?? "")]).toEqual([422, []]);
    const made = await desk.post("/-/topics/new?ns=home", { name: "made", namespace: "home" });
    expect(made.location).toMatch(/\?ns=home$/);
    expect((await desk.post("/-/topics/new?ns=nowhere", { name: "elsewhere", namespace: "home" })).location).toMatch(
      /\/publish$/,
    );
  });

  test("until another is chosen, which leads to the contents of that one", async () => {
    for (const [path, entry] of [
      ["/-/", ""],
      [`/-/topics/${topic.key}`, "topics"],
      [`/-/checks/${check.id}`, "checks"],
      [`/-/devices/${device.ref}`, "devices"],
      ["/-/keys", "keys"],
    ] as const)
      expect((await desk.get(`${path}?ns=home`)).html.split("<main")[0]).toContain(`href="/-/${entry}?ns=lab"`);
  });
});
