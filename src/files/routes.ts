/** Files over HTTP (API.md §4): the topic's key is the right to read them. */
import { type TObject, Type } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { notModified } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { namedTopic } from "../topics/lookup.ts";
import { beginningOf } from "./disk.ts";
import { isFileId } from "./file.ts";
import { disposition } from "./name.ts";
import { PICTURE_MARK, pictureIn } from "./picture.ts";
import { rangeIn } from "./range.ts";

type FileDeps = Pick<Deps, "store" | "clock" | "files" | "keyUse" | "limits" | "log">;

const BYTES = Type.Unsafe<TObject>({ type: "string", format: "binary" });

const file = endpointsOf<FileDeps>("messages")("GET /:ns/:key/files/:id/:name", {
  summary: "A file of a message, by the `url` of its attachment",
  description:
    "PNG, JPEG, GIF and WebP, by their first bytes, are shown; all else is a download of `application/octet-stream`. " +
    "Takes one `Range`.",
  scope: "topic key",
  limit: ["read"],
  find: namedTopic,
  answers: {
    200: { description: "The file.", type: "application/octet-stream", schema: BYTES },
    206: { description: "The range that was asked for.", type: "application/octet-stream", schema: BYTES },
    304: { description: "As it was." },
  },
  problems: [404, 416],
  handle: async ({ deps, request, found: topic, params: { id, name } }) => {
    const kept = isFileId(id) ? await deps.store.files.find(topic.id, id, name) : undefined;
    const onDisk = kept && (await beginningOf(deps.files.pathOf(kept.hash), PICTURE_MARK));
    // bytes that are not those of the message, as after a restore without files, count as missing
    if (kept === undefined || onDisk?.size !== kept.size) throw problem.unknownFile();
    const tag = `"${kept.hash}"`;
    const known = notModified(request, tag, CACHE);
    if (known !== undefined) return known;
    const picture = pictureIn(onDisk.head);
    const headers = {
      ...GUARDED,
      etag: tag,
      "accept-ranges": "bytes",
      "content-type": picture?.type ?? "application/octet-stream",
      "content-disposition": disposition(picture === undefined ? "attachment" : "inline", name),
    };
    return sliced(request, { path: deps.files.pathOf(kept.hash), size: kept.size, tag }, headers);
  },
});

export const fileRoutes = (deps: FileDeps) => routesOf(deps, [file]);

/** The content of a file is a stranger's: nothing in it runs, loads anything or is taken for something else. */
const GUARDED = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
};
/** The hash is in the URL, so the content never changes; but its message may be deleted. */
const CACHE = "private, max-age=86400, immutable";

/** Bun sends it from the disk as the socket takes it: a slow reader holds nothing in memory (measured). */
function sliced(
  request: Request,
  { path, size, tag }: { path: string; size: number; tag: string },
  headers: Record<string, string>,
): Response {
  const condition = request.headers.get("if-range");
  const range = condition === null || condition === tag ? rangeIn(request.headers.get("range"), size) : undefined;
  const cached = { ...headers, "cache-control": CACHE };
  if (range === "unsatisfiable") throw problem.rangeNotSatisfiable(size);
  if (range === undefined) return new Response(Bun.file(path), { headers: cached });
  const { start, end } = range;
  return new Response(Bun.file(path).slice(start, end), {
    status: 206,
    headers: { ...cached, "content-range": `bytes ${start}-${end - 1}/${size}` },
  });
}
