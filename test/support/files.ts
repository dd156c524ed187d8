/** Files as tests send them, and as they are on disk. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Attachment } from "../../src/files/file.ts";
import { sha256 } from "../../src/util/ids.ts";
import { answer, type TestMessage } from "./client.ts";
import type { TestServer } from "./server.ts";

export interface WithFiles extends TestMessage {
  attachments?: (Attachment & { url: string })[];
  ignored?: { path: string; message: string }[];
}

const latin1 = (text: string) => Buffer.from(text, "latin1");

/** A PNG of which only the beginning is valid, because nothing reads further; `rest` follows it. */
export function png(width: number, height: number, rest: Uint8Array = new Uint8Array()): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  return Buffer.concat([latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), size, latin1("\x08\x02\0\0\0"), rest]);
}

/** A complete PNG of one pixel, which browsers draw. */
export const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Bytes that are not text, always the same for a seed. */
export function noise(bytes: number, seed = 1): Buffer {
  const made = Buffer.alloc(bytes);
  let state = seed;
  for (let at = 0; at < bytes; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    made[at] = state >>> 16;
  }
  return made;
}

/** Publishes bytes, as `curl -T` does: PUT, without a content type. */
export const put = async (
  peal: TestServer,
  path: string,
  body: Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Response> =>
  peal.request(path, { method: "PUT", body, headers: { authorization: `Bearer ${peal.adminKey}`, ...headers } });

export const sent = async (...given: Parameters<typeof put>): Promise<WithFiles> =>
  answer<WithFiles>(201, await put(...given));

/** Publishes a form; a part with a file name is a file. */
export async function form(
  peal: TestServer,
  path: string,
  parts: readonly [name: string, value: string | Uint8Array, filename?: string, type?: string][],
  headers: Record<string, string> = {},
): Promise<WithFiles> {
  const body = new FormData();
  for (const [name, value, filename, type] of parts)
    if (filename === undefined) body.append(name, String(value));
    else body.append(name, new Blob([value], type === undefined ? {} : { type }), filename);
  const init = { method: "POST", body, headers: { authorization: `Bearer ${peal.adminKey}`, ...headers } };
  return answer<WithFiles>(201, await peal.request(path, init));
}

/** What is below `files/`: names and sizes, including unfinished files, except what is swept meanwhile. */
export function onDisk(dataDir: string): { name: string; bytes: number; isWhole: boolean }[] {
  const root = join(dataDir, "files");
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(({ name, parentPath }) => {
      const content = contentOf(join(parentPath, name));
      return content === undefined ? [] : [{ name, bytes: content.length, isWhole: sha256(content) === name }];
    });
}

function contentOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** How many files `onDisk` finds. It reads none of them: to read hundreds takes a second. */
export const countOnDisk = (dataDir: string): number =>
  readdirSync(join(dataDir, "files"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    .length;

export const bytesOnDisk = (dataDir: string): number => onDisk(dataDir).reduce((sum, { bytes }) => sum + bytes, 0);

/** The bytes at the URL of an attachment. */
export const fetched = async (peal: TestServer, { url }: { url: string }): Promise<Uint8Array> =>
  (await peal.request(url)).bytes();
