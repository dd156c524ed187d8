/** A widely used client of Gotify reads from peal, and sends to it, as from Gotify: `gotify` of PyPI. */
import { afterAll, expect } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { newHook } from "../support/hooks.ts";
import { metric } from "../support/metric.ts";
import { startPeal } from "../support/server.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";
import { gotifyPython } from "../tools.ts";
import { signIn } from "./app.ts";

const SCRIPT = `
import asyncio, json, sys
from gotify import AsyncGotify, Gotify

url, client, app = sys.argv[1:4]

async def first():
    async for message in AsyncGotify(base_url=url, client_token=client).stream():
        return message

async def heard():
    task = asyncio.create_task(first())
    await asyncio.to_thread(sys.stdin.readline)
    sent = Gotify(base_url=url, app_token=app).create_message("from Python", title="hello", priority=9)
    return sent, await task

sent, streamed = asyncio.run(heard())
with Gotify(base_url=url, client_token=client) as reader:
    topics = reader.get_applications()
    print(json.dumps({
        "sent": sent, "streamed": streamed, "topics": topics, "user": reader.get_current_user(),
        "messages": reader.get_messages(limit=1), "of": reader.get_messages(app_id=topics[0]["id"], limit=1),
        "clients": reader.get_clients(), "version": reader.get_version(), "health": reader.get_health(),
    }))
`;

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

testWith("gotify").each(["", "/v1/gotify"])(
  "it sends by a hook's token, and lists and streams by a client token, at the address with %j behind it",
  async (end) => {
    if (end === "") await person(peal);
    const { token } = await signIn(peal.url + end, { name: "mara", password: PASSWORD }, "python");
    const hook = await newHook(peal, { topic: `by-python${end.length}` });
    const child = Bun.spawn([gotifyPython() ?? "", "-c", SCRIPT, peal.url + end, token, hook.gotify_token], {
      stdio: ["pipe", "pipe", "pipe"],
    });
    await eventually("its stream", async () => (await metric(peal, "peal_sse_connections")) === 1);
    void child.stdin.write("\n");
    void child.stdin.end();
    const [out, errors] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    expect([await child.exited, errors]).toEqual([0, ""]);
    const said = JSON.parse(out) as Record<string, unknown>;
    const message = { title: "hello", message: "from Python", priority: 8 };
    expect(said).toMatchObject({
      ...{ sent: message, streamed: message, user: { name: "mara" } },
      messages: { messages: [said["streamed"]], paging: { limit: 1 } },
      clients: expect.arrayContaining([expect.objectContaining({ name: "python" })]) as unknown,
      health: { health: "green", database: "green" },
    });
    await eventually("the end of its stream", async () => (await metric(peal, "peal_sse_connections")) === 0);
  },
  30_000,
);
