/** What a publisher says is kept as it is meant, and told to ntfy's clients as at ntfy (NTFY.md §2, §3). */
import { afterAll, expect, test } from "bun:test";
import { messageOf } from "../../src/delivery/push/compose.ts";
import type { Button, Draft } from "../../src/drafts/draft.ts";
import { heldClock } from "../support/clock.ts";
import { ntfyObject, type NtfyObject } from "../support/ntfy-object.ts";
import { inProcess } from "../support/server.ts";
import { poll } from "./reader.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const headers = { authorization: `Bearer ${peal.adminKey}` };

async function sent(path: string, body: string, more: Record<string, string> = {}): Promise<NtfyObject> {
  const response = await peal.request(path, { method: "POST", body, headers: { ...headers, ...more } });
  return ntfyObject(await response.text());
}

test("buttons that copy a text or send a broadcast, in the short form and as JSON", async () => {
  const topic = await peal.topic("buttons");
  const told = [
    { action: "copy", label: "Copy code", clear: true, value: "123456" },
    { action: "broadcast", label: "Picture", clear: false, intent: "org.example.PICTURE", extras: { Camera: "front" } },
  ];
  const short = "copy, Copy code, 123456, clear=1; broadcast, Picture, intent=org.example.PICTURE, extras.Camera=front";
  const answers = [
    await sent(`/${topic.key}`, "m", { Actions: short }),
    await sent("/", JSON.stringify({ topic: topic.key, message: "m", actions: told })),
  ];
  for (const { actions } of answers) expect(actions).toMatchObject(told);
  const polled = await poll(`${peal.url}/${topic.key}/json?poll=1`);
  expect(polled.map(({ actions }) => actions)).toEqual(answers.map(({ actions }) => actions) as never);
  for (const { actions } of await peal.history(topic))
    expect(actions).toEqual([
      { label: "Copy code", copy: "123456", clear: true },
      { label: "Picture", broadcast: { intent: "org.example.PICTURE", extras: { Camera: "front" } } },
    ]);
});

test("the page of the topic has a copied text, with its button", async () => {
  const topic = await peal.topic("shown");
  await sent(`/${topic.key}`, "Your code", { Actions: "copy, Copy code, 99-17; broadcast, Picture" });
  const page = await (await fetch(topic.url, { headers: { accept: "text/html" } })).text();
  expect(page).toContain("<code>99-17</code>");
  expect(page).not.toContain("Picture");
});

test("a push has the buttons that every device has, and none of the app's", () => {
  const draft: Draft = { message: "m", level: "info", priority: "normal", format: "text", source: "ntfy" };
  const message = { id: 1, seq: 1, createdAt: 0, level: draft.level, priority: draft.priority, json: "" };
  const topic = { namespace: "home", key: "k", name: "n" };
  const [copies, opens] = [
    { label: "Copy", copy: "123456" },
    { label: "Open", url: "https://h/" },
  ];
  const pushed = (actions: Button[]) => messageOf({ message, draft: { ...draft, actions }, topic }, "https://p");
  expect(pushed([copies, opens]).actions).toEqual([opens]);
  expect(pushed([copies])).not.toHaveProperty("actions");
});

test("a button that does two things, or nothing, is left out; the message is not", async () => {
  const topic = await peal.topic("odd");
  const actions = [
    { action: "copy", label: "No text" },
    { action: "copy", label: "Long", value: "x".repeat(2_049) },
    { action: "copy", value: "no label" },
    { label: "Both", copy: "x", broadcast: {} },
    { action: "broadcast", label: "Bad", intent: "x".repeat(257) },
    { action: "view", label: "Good", url: "https://h/" },
  ];
  const told = await sent("/", JSON.stringify({ topic: topic.key, message: "m", actions }));
  expect(told).toMatchObject({ message: "m", actions: [{ action: "view", label: "Good" }] });
});

test("the files after the first are lines of the text, with addresses that answer", async () => {
  const topic = await peal.topic("files");
  const form = new FormData();
  form.set("message", "three");
  for (const name of ["a.txt", "b c.txt", "d.txt"]) form.append("file", new File([name], name));
  expect((await peal.request(`/home/${topic.name}`, { method: "POST", body: form, headers })).status).toBe(201);
  const [told] = await poll(`${peal.url}/${topic.key}/json?poll=1`);
  const [text, blank, ...lines] = String(told?.message).split("\n");
  expect([text, blank, lines.length]).toEqual(["three", "", 2]);
  expect(told).toMatchObject({ attachment: { name: "a.txt" } });
  for (const [n, name] of ["b c.txt", "d.txt"].entries()) {
    const [, shown, url = ""] = /^- (.*): (http\S+)$/.exec(lines[n] ?? "") ?? [];
    expect([shown, await (await fetch(url)).text()]).toEqual([name, name]);
  }
});

test("a text loses the blanks around it, and what is elsewhere has its name without escapes", async () => {
  const topic = await peal.topic("texts");
  expect((await sent(`/${topic.key}`, " \n two\n lines \n")).message).toBe("two\n lines");
  expect((await sent("/", JSON.stringify({ topic: topic.key, message: "json\n" }))).message).toBe("json");
  const attached = await sent(`/${topic.key}`, "", { Attach: "https://cam.example/gar%20age.jpg" });
  expect(attached).toMatchObject({ message: "You received a file: gar age.jpg", attachment: { name: "gar age.jpg" } });
});

test("a link of an app is told to apps, and no page or feed has it", async () => {
  const topic = await peal.topic("links");
  const own = "homeassistant://navigate/lovelace/0";
  const actions = [
    { action: "view", label: "Map", url: "geo:48.2,16.37" },
    { action: "view", label: "Page", url: "https://h/" },
  ];
  const told = await sent("/", JSON.stringify({ topic: topic.key, message: "m", click: own, actions }));
  expect(told).toMatchObject({ click: own, actions });
  for (const last of ["", "/feed.json", "/feed.atom"]) {
    const shown = await (
      await fetch(`${peal.url}/home/${topic.key}${last}`, { headers: { accept: "text/html" } })
    ).text();
    expect(shown).not.toMatch(/homeassistant:|geo:/);
  }
  for (const click of [
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "intent://x#Intent;end",
    "nas:5000/x",
    "nowhere",
  ])
    expect(await sent(`/${topic.key}`, "m", { Click: click })).not.toHaveProperty("click");
});

test("a delete counts once", async () => {
  await using limited = await inProcess({ clock: heldClock(), env: { PEAL_LIMITS_PUBLISH: "1/h:2" } });
  const { key } = await limited.topic("few");
  const asked = async (method: string, path: string) =>
    limited.request(path, { method, headers: { authorization: `Bearer ${limited.adminKey}` } });
  expect((await asked("POST", `/${key}/disk`)).status).toBe(200);
  expect((await asked("DELETE", `/${key}/disk`)).status).toBe(200);
  expect((await asked("DELETE", `/${key}/disk`)).status).toBe(429);
});

test("since takes milliseconds", async () => {
  const topic = await peal.topic("since");
  await peal.publish(topic, "before");
  clock.advance(60_000);
  const since = clock.now();
  await peal.publish(topic, "after");
  const polled = await poll(`${peal.url}/${topic.key}/json?poll=1&since=${since}`);
  expect(polled.map(({ message }) => message)).toEqual(["after"]);
});
