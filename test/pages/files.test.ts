/** Files in Chromium: pictures appear on their cards without moving them, and nothing inside a file runs (docs/publish.md). */
import { afterAll, describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { eventually } from "../support/eventually.ts";
import { form, sent, type WithFiles } from "../support/files.ts";
import { signedIn } from "../support/signin.ts";
import { open, startBrowsing } from "./browser.ts";

const { peal, browser } = await startBrowsing();

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(Bun.hash.crc32(body));
  return Buffer.concat([length, body, sum]);
}
/** A grey PNG, with `more` after its end. */
function drawn(width: number, height: number, more = ""): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const lines = Buffer.alloc((width + 1) * height, 0x7f).map((byte, at) => (at % (width + 1) === 0 ? 0 : byte));
  const parts = [chunk("IHDR", header), chunk("IDAT", deflateSync(lines)), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), ...parts, Buffer.from(more)]);
}

test("a picture has its place on the card before it arrives, and is drawn there; other files are links", async () => {
  const topic = await peal.topic("cards");
  await form(peal, "/home/cards", [
    ["message", "Somebody rang"],
    ["a", drawn(1_920, 1_080), "door.png"],
    ["b", drawn(160, 900), "tall.png"],
    ["c", "x".repeat(41_000), "door <1>.log", "text/plain"],
  ]);
  await using opened = await open(browser, { serviceWorkers: "block" });
  const { page } = opened;
  const held = Promise.withResolvers<undefined>();
  await page.route("**/files/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(topic.url, { waitUntil: "domcontentloaded" });
  const images = page.locator(".msg .shot img");
  const boxes = async () => {
    const found = await Promise.all((await images.all()).map(async (image) => image.boundingBox()));
    return found.map((box) => [Math.round(box?.width ?? 0), Math.round(box?.height ?? 0)]);
  };
  const places = [
    [480, 270],
    [57, 320],
  ];
  await eventually("the stylesheet", async () => Bun.deepEquals(await boxes(), places));
  held.resolve(undefined);
  await eventually("the pictures", async () =>
    page.evaluate<boolean>("[...document.querySelectorAll('.shot img')].every((image) => image.naturalWidth > 100)"),
  );
  expect(await boxes()).toEqual(places);
  expect(await page.locator(".files li").allInnerTexts()).toEqual(["door _1_.log\n41 kB"]);
  expect(await page.locator(".shot img").first().getAttribute("alt")).toBe("door.png");
});

test("a long name takes several lines on a phone, and does not widen the page", async () => {
  const topic = await peal.topic("long");
  await sent(peal, "/home/long", Buffer.from("x"), { Filename: `${"everything-of-last-night-".repeat(6)}.log` });
  await using opened = await open(browser, { viewport: { width: 390, height: 844 }, serviceWorkers: "block" });
  const { page } = opened;
  await page.goto(topic.url);
  await page.locator(".files .btn").waitFor();
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(390);
});

test("the owner's page shows the same", async () => {
  const topic = await peal.topic("owned");
  const { attachments } = await sent(peal, "/home/owned", drawn(20, 10), { Filename: "small.png" });
  const session = { cookie: await signedIn(peal), url: peal.url };
  await using opened = await open(browser, { session, serviceWorkers: "block" });
  await opened.page.goto(`${peal.url}/-/topics/${topic.key}`);
  const image = opened.page.locator(".shot img");
  expect([await image.getAttribute("width"), await image.getAttribute("height")]).toEqual(["20", "10"]);
  expect(`${peal.url}${(await image.getAttribute("src")) ?? ""}`).toBe(attachments?.[0]?.url ?? "");
});

describe("nothing runs", () => {
  const RUN = "globalThis.ran=true;(globalThis.top??globalThis).document.title='ran'";
  const HTML = `<!doctype html><title>quiet</title><script>${RUN}</script><img src=x onerror="${RUN}">`;
  // prettier-ignore
  const files: [what: string, name: string, body: Buffer][] = [
    ["HTML",                      "a.html",  Buffer.from(HTML)],
    ["HTML called a picture",     "a.png",   Buffer.from(HTML)],
    ["XHTML",                     "a.xhtml", Buffer.from(`<html xmlns="http://www.w3.org/1999/xhtml"><script>${RUN}</script></html>`)],
    ["SVG",                       "a.svg",   Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"><script>${RUN}</script></svg>`)],
    ["a GIF that is a script",    "a.gif",   Buffer.from(`GIF89a/*\x01\0\x01\0\0*/=0;${RUN}`, "latin1")],
    ["a GIF that is HTML",        "a.gif",   Buffer.from(`GIF89a\x01\0\x01\0\0\0\0${HTML}`, "latin1")],
    ["a PNG with HTML in it",     "b.png",   drawn(4, 4, HTML)],
    ["a JPEG with HTML in it",    "a.jpg",   Buffer.concat([Buffer.from("ffd8fffe0002", "hex"), Buffer.from(HTML)])],
    ["a PDF with a script",       "a.pdf",   Buffer.from(`%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(${RUN})>>>>endobj`)],
  ];
  /** An untrusted page that tries to run a file: as its script, in a frame, as a style, as an object. */
  let victim = "";
  const stranger = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch: ({ url }) =>
      new Response(
        `<!doctype html><title>quiet</title><script src="${victim}"></script><iframe src="${victim}"></iframe>` +
          `<link rel="stylesheet" href="${victim}"><object data="${victim}"></object><p>${url}</p>`,
        { headers: { "content-type": "text/html" } },
      ),
  });
  afterAll(async () => stranger.stop(true));

  test.each(files)("%s", async (_, name, body) => {
    const message: WithFiles = await sent(peal, "/home/hostile", body, { Filename: name, "Content-Type": "image/png" });
    victim = message.attachments?.[0]?.url ?? "";
    const context = await browser.newContext({ serviceWorkers: "block" });
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto(victim).catch((error: unknown) => {
      if (!String(error).includes("Download is starting")) throw error;
    });
    expect(await page.evaluate("[document.title === 'ran', globalThis.ran === true]")).toEqual([false, false]);
    expect(asked.filter((url) => url !== victim)).toEqual([]); // an `x` that was loaded would be among these
    await page.goto(stranger.url.href, { waitUntil: "load" });
    expect(await page.evaluate("[document.title, globalThis.ran === true]")).toEqual(["quiet", false]);
    await context.close();
  });
});
