/** A server with nothing to do wakes up as seldom as it can (OPERATIONS.md §4). */
import { expect, test } from "bun:test";
import { newCheck, ping } from "../support/checks.ts";
import { heldClock } from "../support/clock.ts";
import { NEW_DEVICES, register } from "../support/devices.ts";
import { inProcess } from "../support/server.ts";
import { turns } from "../support/turns.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Wake-ups a minute: the listeners 12, the alerter 4, the deliveries 4, retention 1. */
const A_MINUTE = 21;

test("25 checks and 3 devices with nothing due wake it 21 times a minute", async () => {
  const held = heldClock();
  let fired = 0;
  const after = (ms: number, wake: () => void) =>
    held.after(ms, () => {
      fired++;
      wake();
    });
  await using peal = await inProcess({ clock: { ...held, after } });
  for (let n = 0; n < 25; n++) {
    const { ping_url } = await newCheck(peal, { name: `job ${n}`, every: `${n + 3}h` });
    expect((await ping(peal, ping_url))[0]).toBe(200);
  }
  const topic = await peal.topic("nas");
  for (const device of NEW_DEVICES) await register(peal, device(), [topic]);
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += SECOND) {
      held.advance(SECOND);
      await turns(); // lets what was woken work, and set its next timer
    }
  };
  await pass(3 * MINUTE); // leaves out what follows a start, and what these requests left to do
  fired = 0;
  await pass(10 * MINUTE);
  expect(fired).toBeGreaterThan(10 * 8);
  expect(fired).toBeLessThanOrEqual(10 * (A_MINUTE + 1));
}, 60_000);
