/** What is removed from a payload that is too large, in which order, and how much text remains (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import { fit } from "../../src/delivery/push/fit.ts";
import type { Notification } from "../../src/delivery/push/push.ts";
import { aNotification } from "./pushes.ts";

const { title, level, priority, ack, at, feedUrl = "" } = aNotification;
const bare: Notification = { title, body: "x".repeat(1_000), level, priority, ack, at };
const linked = { ...bare, url: feedUrl, feedUrl };
const plain = { ...linked, url: `https://h.example/${"u".repeat(200)}` }; // longer than the feed's own address
const silent = { ...plain, image: "https://h.example/i" };
const full = { ...silent, actions: [{ label: "Open", url: "https://h.example/a" }] };
const shapes = Object.entries({ full, silent, plain, linked, bare });

const write = (shown: Notification, more: boolean) => ({ ...shown, more });
const bytes = (shown: object) => Buffer.byteLength(JSON.stringify(shown));
/** The size without a text. */
const sizeOf = (shape: object) => bytes({ ...shape, body: "", more: true });
const fitted = (limit: number, notification: Notification = full, shrunk = 0) =>
  JSON.parse(fit({ notification, shrunk }, limit, write)) as Notification & { more: boolean };
const cut = (bytes: number) => `${"x".repeat(bytes - 3)}…`;

test("what fits is unchanged, to the last byte", () => {
  const whole = { ...full, more: false };
  expect(fitted(bytes(whole))).toEqual(whole);
  expect(fitted(bytes(whole) - 1)).toEqual({ ...full, more: true });
  expect(fitted(bytes(whole) - 2)).toEqual({ ...full, body: cut(999), more: true });
});

test.each(shapes.map(([name, shape], i) => [name, shape, shapes[i + 1]?.[1]] as const))(
  "%s is shown with at least 400 bytes of text, and with less only where nothing else can be removed",
  (_, shape, barer) => {
    const limit = sizeOf(shape) + 400;
    expect(fitted(limit)).toEqual({ ...shape, body: cut(400), more: true });
    const next = barer ?? shape;
    const room = Math.min(1_000, limit - 1 - sizeOf(next));
    expect(fitted(limit - 1)).toEqual({ ...next, body: cut(room), more: true });
  },
);

test.each([{ url: feedUrl }, { feedUrl }])("a lone link is removed too: %o", (link) => {
  const limit = sizeOf(bare) + 10;
  expect(fitted(limit, { ...bare, ...link })).toEqual({ ...bare, body: cut(10), more: true });
});

test("nothing is removed for a short text that has room in full", () => {
  const short = { ...full, body: "x".repeat(100) };
  expect(fitted(sizeOf(full) + 100, short)).toEqual({ ...short, more: true });
  expect(fitted(sizeOf(full) + 99, short)).toEqual({ ...silent, body: short.body, more: true });
});

test.each([
  [1, 500],
  [2, 250],
  [3, 125],
  [4, 64],
  [5, 64],
])("shrunk %i times, a text has %i bytes, and buttons and image are gone", (shrunk, left) => {
  expect(fitted(4_096, full, shrunk)).toEqual({ ...plain, body: cut(left), more: true });
});

test("where there is no room for the text, none of it is shown", () => {
  for (const room of [2, 1, 0]) expect(fitted(sizeOf(bare) + room)).toEqual({ ...bare, body: "", more: true });
  expect(fitted(sizeOf(bare) + 3).body).toBe("…");
  expect(fitted(sizeOf(bare) + 4).body).toBe("x…");
});
