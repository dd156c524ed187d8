/** All forms below `/-/`: they are accepted only from the server's own pages, and lead nowhere else (WEB.md §1). */
import { afterAll, describe, expect, test } from "bun:test";
import { begin, statuses } from "../support/raw.ts";
import { asked } from "../support/household-steps.ts";
import { cookieOf, login, person, SAME_SITE } from "../support/signin.ts";
import { guarded } from "./guarded.ts";

const all = await guarded();
afterAll(async () => all[Symbol.asyncDispose]());
const { peal, routes, hers, cookies, admin, mara, filled, form, changesNothing } = all;

describe("a form", () => {
  // prettier-ignore
  const rows: [from: string, headers: (url: string) => Record<string, string>][] = [
    ["nobody says where",        () => ({})],
    ["another site",             () => ({ "sec-fetch-site": "cross-site" })],
    ["a sibling of the host",    () => ({ "sec-fetch-site": "same-site" })],
    ["the address bar",          () => ({ "sec-fetch-site": "none" })],
    ["a liar about its origin",  (url) => ({ origin: url, "sec-fetch-site": "same-site" })],
    ["an opaque origin",         () => ({ origin: "null" })],
    ["another port",             (url) => ({ origin: `${url}0` })],
    ["a host that begins alike", (url) => ({ origin: `${url}.evil.example` })],
    ["a host that has a proxy",  () => ({ origin: "http://evil.example", "x-forwarded-for": "192.0.2.7" })],
  ];
  test.each(rows)("from %s does nothing, whichever form it is", async (_, headers) => {
    const forms = routes.filter(({ method, name }) => method === "POST" && name !== "POST /-/language");
    expect(forms.length).toBeGreaterThan(40);
    await changesNothing(async () => {
      for (const { name, template } of forms) {
        const refused = await peal.request(filled(template), {
          method: "POST",
          headers: { accept: "text/html", cookie: cookies.admin, ...headers(peal.url) },
          body: new URLSearchParams(form()),
        });
        expect([name, refused.status, refused.headers.get("set-cookie")]).toEqual([name, 403, null]);
        expect(await refused.text()).toContain("This form came from somewhere else");
      }
    });
  });

  test("that is held back is refused once its sender is signed out, and an admin's once they are no longer one", async () => {
    const sent = async (cookie: string, end: () => Promise<unknown>) => {
      const headers = { ...SAME_SITE, cookie, "content-type": "application/x-www-form-urlencoded" };
      const { finish } = await begin(peal.url, "POST", "/-/settings/namespaces", headers, "namespace=latecomer");
      await end();
      return statuses(await finish());
    };
    const id = await person(peal, { name: "eve" });
    const path = `/-/local/people/${id}`;
    const demoted = cookieOf(await login(peal, { name: "eve" }));
    const out = cookieOf(await login(peal, { name: "eve" }));
    expect(await sent(demoted, async () => asked(peal, "PATCH", path, { admin: false }))).toEqual([403]);
    expect(await sent(out, async () => asked(peal, "DELETE", `${path}/sessions`))).toEqual([401]);
    expect((await admin.get("/-/settings")).text).not.toContain("latecomer");
  });

  test("for the language may be sent by anyone: it only sets a cookie", async () => {
    const headers = { cookie: cookies.admin, "sec-fetch-site": "cross-site" };
    await changesNothing(async () => {
      const body = new URLSearchParams(form());
      const answered = await peal.request("/-/language", { method: "POST", headers, body });
      expect(answered.headers.getSetCookie().map((set) => set.split(";", 1)[0])).toEqual(["lang=de"]);
    });
  });

  test("of ten thousand fields is read, but not one of too many bytes", async () => {
    const many = Array.from({ length: 10_000 }, (_, n): [string, string] => [`f${n % 10}`, ""]);
    expect((await mara.post("/-/topics/new", many)).status).toBe(422);
    expect((await mara.post("/-/topics/new", { name: "x".repeat(70_000) })).status).toBe(413);
  });
});

describe("where a form leads", () => {
  // prettier-ignore
  const away = [
    "https://evil.example/", "//evil.example/", "/\\evil.example", "\\\\evil.example", "/-/..//evil.example", "/x/..//evil.example",
    "/-/\\..\\..\\evil.example", "/%2f/evil.example", "/\t/evil.example", "\u0000//evil.example", "javascript:alert(1)",
    "http:evil.example", "/-/\r\nlocation: https://evil.example", "@evil.example", ".evil.example", ":80@evil.example", "/-/%0d%0aset-cookie:a=b",
  ];
  test.each(away)("is this server, not %j", async (to) => {
    const query = `?${new URLSearchParams({ to }).toString()}`;
    const password = "correct horse battery";
    const answers = [
      await mara.get(`/-/login${query}`),
      await mara.post(`/-/confirm${query}`, { password }),
      await mara.post("/-/language", { lang: "en", to }),
      await mara.post("/-/deliveries/retry", { topic: hers.topic.key, message: String(hers.message), back: to }),
      await mara.post(
        `/-/messages/${hers.topic.key}/${hers.message}/acknowledge${query}&from=${encodeURIComponent(to)}`,
      ),
    ];
    for (const { status, location, response } of answers) {
      expect([status, location?.startsWith("/")]).toEqual([303, true]);
      const there = new URL(location ?? "", peal.url);
      expect([there.origin, response.headers.getSetCookie().some((set) => set.startsWith("a="))]).toEqual([
        peal.url,
        false,
      ]);
    }
  });
});
