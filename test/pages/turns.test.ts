/** No reader makes the event loop stall: of what readers ask for, a turn renders one slice (ARCHITECTURE §2.6). */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { inProcess, type InProcess } from "../support/server.ts";
import { systemClock } from "../../src/util/clock.ts";
import type { TestTopic } from "../support/client.ts";

const MESSAGES = 50;
const FORMS = ["", "?since=0", "/feed.atom", "/feed.json"];

let peal: InProcess;
let topic: TestTopic;
let now = 0;
beforeAll(async () => {
  // whatever is done has taken a second when one looks
  peal = await inProcess({ clock: { ...systemClock, monotonic: () => (now += 1_000) } });
  topic = await peal.topic("turns");
  for (let i = 1; i <= MESSAGES; i++) await peal.publish(topic, { message: `**no ${i}**`, format: "markdown" });
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** The turns of the event loop in which markdown was rendered while `work` ran, one entry for each body. */
async function turnsOf(work: () => Promise<unknown>): Promise<number[]> {
  const { render } = Bun.markdown;
  const turns: number[] = [];
  let turn = 0;
  let counting = setImmediate(function count() {
    turn++;
    counting = setImmediate(count);
  });
  const spy = spyOn(Bun.markdown, "render").mockImplementation((...args) => {
    turns.push(turn);
    return render(...args);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
    clearImmediate(counting);
  }
  return turns;
}

test("bodies that take long are rendered one a turn, however many readers ask", async () => {
  const turns = await turnsOf(async () =>
    Promise.all(
      FORMS.map(async (form) => {
        const answer = await peal.request(`/home/${topic.key}${form}`);
        expect(await answer.text()).toContain(`no ${MESSAGES}`);
      }),
    ),
  );
  expect(turns.length).toBe(FORMS.length * MESSAGES);
  expect(new Set(turns).size).toBe(turns.length);
});

test.each(["feed.atom", "feed.json"])("who has %s already is told so before anything is rendered", async (name) => {
  const path = `/home/${topic.key}/${name}`;
  const etag = (await peal.request(path)).headers.get("etag") ?? "";
  const turns = await turnsOf(async () => {
    const again = await peal.request(path, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
  });
  expect(turns).toEqual([]);
});
