/**
 * How files are served: to anyone with the topic's key, with the type of their bytes, and never as something that runs
 * (API.md §4).
 */
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { form, noise, onDisk, png, put, sent, type WithFiles } from "../support/files.ts";
import { inProcess } from "../support/server.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());

const BYTES = noise(1_000);
const url = ({ attachments }: WithFiles): string => attachments?.[0]?.url ?? "";
const stored = async (body: Uint8Array, name: string, more: Record<string, string> = {}) =>
  url(await sent(peal, "/home/served", body, { "X-Filename": `=?UTF-8?B?${Buffer.from(name).toString("base64")}?=`, ...more })); // prettier-ignore
const bin = await stored(BYTES, "a.bin");

// prettier-ignore
const kinds: [what: string, name: string, body: Uint8Array, type: string, kind: string][] = [
  ["PNG",                    "a.png",  png(1, 1),                                              "image/png",  "inline"],
  ["JPEG",                   "a.jpg",  Buffer.from("ffd8ffe000104a46494600", "hex"),           "image/jpeg", "inline"],
  ["GIF",                    "a.gif",  Buffer.from("GIF89a\x01\0\x01\0\0\0\0", "latin1"),      "image/gif",  "inline"],
  ["WebP",                   "a.webp", Buffer.from("RIFF\0\0\0\0WEBPVP8 ", "latin1"),          "image/webp", "inline"],
  ["PNG by another name",    "a.html", png(1, 1),                                              "image/png",  "inline"],
  ["HTML called PNG",        "a.png",  Buffer.from("<script>alert(1)</script>"),               "application/octet-stream", "attachment"],
  ["HTML",                   "a.html", Buffer.from("<!doctype html><script>alert(1)</script>"), "application/octet-stream", "attachment"],
  ["SVG",                    "a.svg",  Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"), "application/octet-stream", "attachment"],
  ["PDF",                    "a.pdf",  Buffer.from("%PDF-1.7"),                                "application/octet-stream", "attachment"],
  ["a script",               "a.js",   Buffer.from("alert(1)"),                                "application/octet-stream", "attachment"],
  ["GIF that is a script",   "a.gif",  Buffer.from("GIF89a/*\0*/=alert(1)", "latin1"),         "image/gif",  "inline"],
];
test.each(kinds)("with the type of its bytes: %s", async (_, name, body, type, kind) => {
  const response = await peal.request(await stored(body, name, { "content-type": "image/png" }));
  const { headers } = response;
  expect(headers.get("content-type")).toBe(type);
  expect(headers.get("content-disposition")).toStartWith(`${kind}; filename="`);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("content-security-policy")).toBe("sandbox; default-src 'none'; frame-ancestors 'none'");
  expect(headers.get("access-control-allow-origin")).toBe("*");
  expect(Buffer.from(await response.bytes()).equals(body)).toBeTrue();
});

// prettier-ignore
const names: [given: string, name: string, disposition: string][] = [
  ["../../x",                  "x",                 `filename="x"; filename*=UTF-8''x`],
  ["C:\\cam\\door.jpg",        "door.jpg",          `filename="door.jpg"; filename*=UTF-8''door.jpg`],
  ["a\r\nSet-Cookie: x=1.txt", "a Set-Cookie_ x=1.txt", `filename="a Set-Cookie_ x=1.txt"; filename*=UTF-8''a%20Set-Cookie_%20x%3D1.txt`],
  ["Tür (1)'s.txt",            "Tür (1)'s.txt",     `filename="T_r (1)'s.txt"; filename*=UTF-8''T%C3%BCr%20%281%29%27s.txt`],
  ['"quoted".txt',             "_quoted_.txt",      `filename="_quoted_.txt"; filename*=UTF-8''_quoted_.txt`],
  ["100%.txt",                 "100%.txt",          `filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ["門.jpg",                   "門.jpg",            `filename="_.jpg"; filename*=UTF-8''%E9%96%80.jpg`],
  ["evil\u202egpj.exe",        "evilgpj.exe",       `filename="evilgpj.exe"; filename*=UTF-8''evilgpj.exe`],
  ["....",                     "file.bin",          `filename="file.bin"; filename*=UTF-8''file.bin`],
  ["con.txt",                  "_con.txt",          `filename="_con.txt"; filename*=UTF-8''_con.txt`],
  [`${"x".repeat(300)}.jpeg`,  `${"x".repeat(114)}….jpeg`, `filename="${"x".repeat(114)}_.jpeg"; filename*=UTF-8''${"x".repeat(114)}%E2%80%A6.jpeg`],
];
test.each(names)("the name %j", async (given, name, disposition) => {
  const message = await form(peal, "/home/served", [["message", "m"], ["f", BYTES, given]]); // prettier-ignore
  const byHeader = await stored(BYTES, given);
  const [file] = message.attachments ?? [];
  // for characters that a name must not contain, the result depends on how the sender writes forms
  if (!/[\r\n"]/.test(given)) expect(file?.name).toBe(name);
  expect(decodeURIComponent(byHeader.split("/").at(-1) ?? "")).toBe(name);
  expect((await peal.request(byHeader)).headers.get("content-disposition")).toBe(`attachment; ${disposition}`);
});

describe("a range", () => {
  // prettier-ignore
  test.each([
    ["bytes=0-99",     206, 0, 100],
    ["bytes=900-",     206, 900, 1_000],
    ["bytes=-1",       206, 999, 1_000],
    ["bytes=-5000",    206, 0, 1_000],
    ["bytes=990-5000", 206, 990, 1_000],
    ["bytes=0-0",      206, 0, 1],
    ["bytes=5-4",      200, 0, 1_000],
    ["bytes=0-1,5-6",  200, 0, 1_000],
    ["lines=1-2",      200, 0, 1_000],
  ])("%s", async (range, status, start, end) => {
    const response = await peal.request(bin, { headers: { range } });
    expect(response.status).toBe(status);
    expect(Buffer.from(await response.bytes()).equals(BYTES.subarray(start, end))).toBeTrue();
    expect(response.headers.get("content-length")).toBe(String(end - start));
    expect(response.headers.get("content-range")).toBe(status === 206 ? `bytes ${start}-${end - 1}/1000` : null);
  });

  test.each(["bytes=1000-", "bytes=1000-2000", "bytes=-0"])("%s is outside", async (range) => {
    const response = await peal.request(bin, { headers: { range } });
    expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */1000"]);
  });

  test("applies only to the version that was requested", async () => {
    const tag = (await peal.request(bin)).headers.get("etag") ?? "";
    const ask = async (ifRange: string) =>
      (await peal.request(bin, { headers: { range: "bytes=0-9", "if-range": ifRange } })).status;
    expect([await ask(tag), await ask('"other"'), await ask(`W/${tag}`)]).toEqual([206, 200, 200]);
  });
});

test("a client that already has it gets 304", async () => {
  const tag = (await peal.request(bin)).headers.get("etag") ?? "";
  expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
  const known = await peal.request(bin, { headers: { "if-none-match": tag, range: "bytes=0-9" } });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  expect(known.headers.get("cache-control")).toBe("private, max-age=86400, immutable");
});

test("HEAD answers like GET, without the body", async () => {
  const response = await peal.request(bin, { method: "HEAD" });
  expect([response.status, response.headers.get("content-length"), await response.text()]).toEqual([200, "1000", ""]);
});

test("without the topic's key, with another one, or with another id or name it is not found", async () => {
  const other = await peal.topic("other");
  const [, ns, key = "", files, id = "", name] = new URL(bin).pathname.split("/");
  const paths = [
    ["home", other.key, files, id, name],
    ["elsewhere", key, files, id, name],
    [ns, key, files, id.replace(/./g, "0"), name],
    [ns, key, files, id, "b.bin"],
    [ns, key, files, `${id.slice(1)}%25`, name],
    [ns, key, files, id, "%FF"],
  ];
  for (const path of paths) expect((await peal.request(`/${path.join("/")}`)).status).toBe(404);
});

test("after a rotation old links stop working, and messages contain new ones", async () => {
  const topic = await peal.topic("turned");
  const before = url(await sent(peal, "/home/turned", BYTES, { Filename: "a.bin" }));
  const rotated = (await (await peal.api("POST", `/v1/home/${topic.key}/rotate`)).json()) as { topic: string };
  expect((await peal.request(before)).status).toBe(404);
  const [message] = (await peal.history({ ...topic, key: rotated.topic })) as WithFiles[];
  expect((await peal.request(url(message ?? ({} as WithFiles)))).status).toBe(200);
});

test("a file missing on disk is 404 with an explanation, as after a restore without files", async () => {
  const lost = await stored(noise(2_000, 5), "lost.bin");
  const { name = "" } = onDisk(peal.dataDir).find(({ bytes }) => bytes === 2_000) ?? {};
  rmSync(join(peal.dataDir, "files", name.slice(0, 2), name));
  const response = await peal.request(lost);
  expect([response.status, await response.json()]).toMatchObject([404, { code: "unknown_file" }]);
  expect((await put(peal, "/home/served", noise(2_000, 5), { Filename: "lost.bin" })).status).toBe(201);
  expect((await peal.request(lost)).status).toBe(200); // sending it again restores it
});

test("feeds list files as enclosures", async () => {
  const topic = await peal.topic("syndicated");
  const message = await form(peal, "/home/syndicated", [["message", "m"], ["f", png(2, 2), "a & b.png"], ["g", BYTES, "c.bin"]]); // prettier-ignore
  const urls = message.attachments?.map((file) => file.url) ?? [];
  const atom = await (await peal.request(`/home/${topic.key}/feed.atom`)).text();
  expect(atom).toContain(
    `<link rel="enclosure" type="image/png" title="a &amp; b.png" length="29" href="${urls[0] ?? ""}">`,
  );
  const json = (await (await peal.request(`/home/${topic.key}/feed.json`)).json()) as { items: object[] };
  expect(json.items[0]).toMatchObject({
    image: urls[0],
    attachments: [
      { url: urls[0], mime_type: "image/png", title: "a & b.png", size_in_bytes: 29 },
      { url: urls[1], mime_type: "application/octet-stream", title: "c.bin", size_in_bytes: 1_000 },
    ],
  });
});
