/** Topics and messages as Gotify's app lists them, and what a swipe does (docs/from-gotify.md). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { appWith, Refused, signIn, type App } from "./app.ts";
import { paged, refusal, type GotifyMessage } from "./models.ts";

let peal: InProcess;
let app: App;
beforeAll(async () => {
  peal = await inProcess();
  await person(peal);
  app = await signIn(peal.url, { name: "mara", password: PASSWORD });
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** A key of another namespace, which is made with it. */
async function keyIn(namespace: string, scope = "full"): Promise<string> {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  await peal.local("/-/local/namespaces", { ...init, body: JSON.stringify({ name: namespace }) });
  const minted = await peal.local(`/v1/keys?namespace=${namespace}`, { ...init, body: JSON.stringify({ scope }) });
  return (await answer<{ key: string }>(201, minted)).key;
}
const publish = async (path: string, body: object, key: string) =>
  answer<{ id: number }>(
    201,
    await peal.request(path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );

describe("a message", () => {
  // prettier-ignore
  const rows: [promise: string, published: object, shown: Partial<GotifyMessage>][] = [
    ["has its title and text",          { message: "done", title: "Backup" },          { message: "done", title: "Backup" }],
    ["without a title has its topic's", { message: "done" },                           { title: "mapped" }],
    ["of low priority makes no sound",  { message: "m", priority: "low" },             { priority: 2 }],
    ["of normal one is shown",          { message: "m" },                              { priority: 5 }],
    ["of high one sounds",              { message: "m", priority: "high" },            { priority: 8 }],
    ["that is urgent sounds",           { message: "m", priority: "urgent" },          { priority: 10 }],
    ["in Markdown is shown as such",    { message: "**m**", format: "markdown" },      { extras: { "client::display": { contentType: "text/markdown" } } }],
    ["opens its link by a tap",         { message: "m", url: "https://nas.example/" }, { extras: { "client::notification": { click: { url: "https://nas.example/" } } } }],
    ["shows its picture",               { message: "m", image: "https://nas.example/a.png" }, { extras: { "client::notification": { bigImageUrl: "https://nas.example/a.png" } } }],
  ];
  test.each(rows)("%s", async (_, published, shown) => {
    await peal.publish({ namespace: "home", name: "mapped" }, published);
    const [newest] = (await app.messages({ limit: 1, since: 0 })).messages;
    expect(newest).toMatchObject(shown);
    if (shown.extras === undefined) expect(newest).not.toHaveProperty("extras");
    else expect(newest?.extras).toEqual(shown.extras);
  });

  test("with files shows the first picture, and links to the others in its text", async () => {
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    const form = new FormData();
    form.set("message", "two files");
    form.append("file", new File([png], "door.png", { type: "image/png" }));
    form.append("file", new File(["lines"], "run.log", { type: "text/plain" }));
    const init = { method: "POST", headers: { authorization: `Bearer ${peal.adminKey}` }, body: form };
    await answer(201, await peal.request("/home/files", init));
    const [newest] = (await app.messages({ limit: 1, since: 0 })).messages;
    const { bigImageUrl } = newest?.extras?.["client::notification"] ?? {};
    const [text, link = ""] = newest?.message.split("\n\n") ?? [];
    expect([text, newest?.message.includes("door.png")]).toEqual(["two files", false]);
    // neither has a token: the link is the right to read
    expect(await (await fetch(String(bigImageUrl))).bytes()).toEqual(new Uint8Array(png));
    expect(await (await fetch(link)).text()).toBe("lines");
  });
});

describe("topics", () => {
  test("of one namespace have their names, of several the namespace before it", async () => {
    await publish("/lab/readings", { message: "21 °C" }, await keyIn("lab"));
    expect((await app.applications()).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["home/mapped", "lab/readings"]) as never,
    );
    await person(peal, { name: "jonas", namespaces: ["lab"] });
    const jonas = await signIn(peal.url, { name: "jonas", password: PASSWORD });
    expect((await jonas.applications()).map(({ name }) => name)).toEqual(["readings"]);
  });

  test("of other namespaces are seen by nobody: neither in lists nor by their number", async () => {
    const key = await keyIn("secret");
    await publish("/secret/plans", { message: "nobody's business" }, key);
    await person(peal, { name: "guest", namespaces: ["home"] });
    const guest = await signIn(peal.url, { name: "guest", password: PASSWORD });
    const [plans] = await appWith(peal.url, key).applications();
    expect((await guest.applications()).map(({ id }) => id)).not.toContain(plans?.id);
    expect((await guest.scrolled(200)).map(({ message }) => message)).not.toContain("nobody's business");
    expect((await app.scrolled(200)).map(({ message }) => message)).toContain("nobody's business"); // an admin sees all
    const hidden: unknown = await guest.messages({ app: plans?.id ?? 0 }).catch((error: unknown) => error);
    expect((hidden as Refused).code).toBe(404);
    const unknown: unknown = await guest.messages({ app: 999_999 }).catch((error: unknown) => error);
    expect((hidden as Refused).description).toBe((unknown as Refused).description);
  });

  test("can be more than one page of the store", async () => {
    const key = await keyIn("many");
    const names = Array.from({ length: 505 }, (_, n) => `t${String(n).padStart(3, "0")}`);
    for (const name of names) await publish(`/many/${name}`, { message: "m" }, key);
    expect((await appWith(peal.url, key).applications()).map(({ name }) => name)).toEqual(names);
  });
});

describe("lists", () => {
  let all: GotifyMessage[];
  let reader: App;
  beforeAll(async () => {
    reader = appWith(peal.url, await keyIn("lists"));
    for (let n = 0; n < 57; n++) {
      await publish(
        `/lists/topic-${(n * n) % 3}${n % 5 === 0 ? "-rare" : ""}`,
        { message: `message ${n}` },
        reader.token,
      );
      // others take numbers in between
      if (n % 4 < 2) await peal.publish({ namespace: "home", name: "between" }, { message: "m" });
    }
    all = await reader.scrolled(200);
  });

  test("have all messages, the newest first, with numbers that no other message has", () => {
    expect(all.map(({ message }) => message)).toEqual(Array.from({ length: 57 }, (_, n) => `message ${56 - n}`));
    expect(new Set(all.map(({ id }) => id)).size).toBe(57);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort((a, b) => b - a));
  });

  test.each([1, 2, 10, 56, 57, 58, 100])("scrolled by %d have each message once", async (limit) => {
    expect(await reader.scrolled(limit)).toEqual(all);
  });

  test("of one topic are its part of the whole, and begin before any number of the whole", async () => {
    for (const { id: topic } of await reader.applications()) {
      const own = all.filter(({ appid }) => appid === topic);
      expect(own.length).toBeGreaterThan(0);
      for (const limit of [1, 7, 100]) expect(await reader.scrolled(limit, topic)).toEqual(own);
      for (const { id: since } of all) {
        const { messages } = await reader.messages({ limit: 200, since, app: topic });
        expect(messages).toEqual(own.filter(({ id }) => id < since));
      }
    }
  });

  test.each(["", "/v1/gotify"])("name the next page behind the address that ends with %j", async (end) => {
    const ask = async (path: string) =>
      paged(await answer<object>(200, await peal.request(end + path, { headers: { "x-gotify-key": reader.token } })));
    const [topic] = await reader.applications();
    for (const path of ["/message", `/application/${topic?.id}/message`]) {
      const first = await ask(`${path}?limit=5`);
      const { next = "" } = first.paging;
      expect(next).toBe(`${path}?limit=5&since=${first.messages.at(-1)?.id}`);
      expect((await ask(next)).messages[0]?.id).toBeLessThan(first.paging.since);
    }
  });

  test("after a break have exactly what was missed, oldest first", async () => {
    for (const till of [0, ...all.map(({ id }) => id)])
      expect(await reader.missing(till)).toEqual(all.filter(({ id }) => id > till).reverse());
  });

  test("end where Gotify's limits are", async () => {
    for (const limit of [0, 201, -1]) {
      const refused: unknown = await reader.messages({ limit }).catch((error: unknown) => error);
      expect([limit, (refused as Refused).code]).toEqual([limit, 400]);
    }
    expect((await reader.messages()).paging).toEqual({ size: 57, limit: 100, since: 0 });
  });
});

describe("a swipe", () => {
  test.each(["message/{id}", "message", "application/{appid}/message"])(
    "by DELETE /%s deletes nothing, says why, and the message is there again after a refresh",
    async (path) => {
      const sent = await peal.publish({ namespace: "home", name: "kept" }, { message: `kept from ${path}` });
      const [newest] = (await app.messages({ limit: 1, since: 0 })).messages;
      const filled = path.replace("{id}", String(newest?.id)).replace("{appid}", String(newest?.appid));
      const refused: unknown = await app.delete(filled).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(Refused);
      expect([(refused as Refused).code, (refused as Refused).description]).toEqual([
        403,
        expect.stringContaining("dashboard") as string,
      ]);
      expect((await app.messages({ limit: 1, since: 0 })).messages).toEqual(newest === undefined ? [] : [newest]);
      expect(sent).not.toBeNull();
    },
  );

  test("of a topic deletes no topic", async () => {
    const [topic] = await app.applications();
    const { status } = await peal.request(`/application/${topic?.id}`, {
      method: "DELETE",
      headers: { "x-gotify-key": app.token },
    });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await app.applications()).toContainEqual(topic as never);
  });
});

test("“Push message” is refused: neither the token of an application nor the client's own publishes", async () => {
  const [topic] = await app.applications();
  // 2.9.0 sends the application's token, 2.10.1 its own with an `appid` where that is absent
  for (const token of [topic?.token ?? "", app.token]) {
    const response = await peal.request("/message", {
      method: "POST",
      headers: { "x-gotify-key": token, "content-type": "application/json; charset=UTF-8" },
      body: JSON.stringify({ appid: topic?.id, message: "from the phone", priority: 5 }),
    });
    expect(refusal(await answer<object>(401, response)).errorDescription).toContain("gotify_token");
  }
});

test("a message that was deleted on the dashboard's side is gone from the app's lists too", async () => {
  const topic = await peal.topic("tidied");
  const sent = await peal.publish(topic, { message: "to be deleted" });
  expect((await app.messages({ limit: 1, since: 0 })).messages).toMatchObject([{ message: "to be deleted" }]);
  expect((await peal.api("DELETE", `/v1/home/${topic.key}/messages/${sent?.id}`)).status).toBe(204);
  expect((await app.scrolled(200)).map(({ message }) => message)).not.toContain("to be deleted");
});
