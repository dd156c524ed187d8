/**
 * `npm run assets`: bundles `static/` into `src/pages/assets.generated.ts`, which the binary carries. Checked in, so that
 * nothing has to be built before `npm start`; a test builds it again and compares.
 */
import { join } from "node:path";
import { sha256 } from "../util/ids.ts";
import { minified } from "./style.ts";

const ROOT = join(import.meta.dir, "../..");
const STATIC = join(ROOT, "static");
const TARGET = join(ROOT, "src/pages/assets.generated.ts");

const STYLE = "peal.css";
const BUNDLED = ["page.ts", "feed.ts", "desk.ts", "setup.ts"];
/** It has its own path, because the path decides which pages it serves. */
const WORKER = "worker/sw.ts";
const COPIED = ["icons.svg", "favicon.svg", "favicon-unread.svg", "favicon-down.svg", "app-icon.svg"];

/** `app-icon.svg` for systems that take no vectors: rendered by `chromium --headless --screenshot` in these sizes. */
const PRINTED = ["app-icon-180.png", "app-icon-192.png", "app-icon-512.png"];

const TYPES = new Map([
  ["css", "text/css; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["svg", "image/svg+xml"],
]);

/** The text of `assets.generated.ts` for `static/` as it is now. @throws the bundler's messages */
export async function generateAssets(): Promise<string> {
  const files = [
    { name: STYLE, text: minified(await Bun.file(join(STATIC, STYLE)).text()) },
    ...(await Promise.all([...BUNDLED.map(bundle), ...COPIED.map(copy)])),
  ];
  const entries = files.map(({ name, text }) => {
    const [stem = "", extension = ""] = name.split(".");
    const path = `/-/assets/${stem}.${sha256(text).slice(0, 12)}.${extension}`;
    return `  ${JSON.stringify(name)}: ${JSON.stringify({ path, type: TYPES.get(extension), gzip: packed(text) })},\n`;
  });
  const printed = await Promise.all(PRINTED.map(print));
  return [
    "/** Made by `npm run assets` from `static/`. Do not edit. */\n",
    "// prettier-ignore\n",
    `export const ASSETS = {\n${entries.join("")}} as const;\n`,
    "// prettier-ignore\n",
    `export const IMAGES = {\n${printed.join("")}} as const;\n`,
    "// prettier-ignore\n",
    `export const WORKER = ${JSON.stringify((await bundle(WORKER)).text)};\n`,
  ].join("");
}

/** In base64. Of the compressors in Bun, this one makes the same bytes on every machine, and the fewest. */
const packed = (text: string): string =>
  Buffer.from(Bun.gzipSync(Buffer.from(text), { library: "libdeflate", level: 12 })).toString("base64");

async function print(name: string): Promise<string> {
  const bytes = await Bun.file(join(STATIC, name)).bytes();
  const base64 = Buffer.from(bytes).toString("base64");
  const path = `/-/assets/${name.replace(".png", "")}.${sha256(base64).slice(0, 12)}.png`;
  return `  ${JSON.stringify(name)}: ${JSON.stringify({ path, base64 })},\n`;
}

async function bundle(file: string): Promise<{ name: string; text: string }> {
  const built = await Bun.build({ entrypoints: [join(STATIC, file)], target: "browser", minify: true, throw: true });
  const [output] = built.outputs;
  if (output === undefined) throw new Error(`nothing was built from ${file}`);
  return { name: file.replace(/\.ts$/, ".js"), text: await output.text() };
}

async function copy(file: string): Promise<{ name: string; text: string }> {
  const text = await Bun.file(join(STATIC, file)).text();
  return { name: file, text: text.replace(/>\s+</g, "><").trim() };
}

if (import.meta.main) await Bun.write(TARGET, await generateAssets());
