/** @jsxImportSource #jsx */
/** The files of a message on its card: pictures as they are, all else as links, and what has expired in words. */
import { isPicture, type Attachment } from "../../files/file.ts";
import type { Millis } from "../../util/clock.ts";
import { sizeWords } from "../elements/bytes.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import type { View } from "../view.ts";

interface FilesProps {
  view: View;
  attachments: readonly Attachment[];
  fileHref: (file: Attachment) => string;
  now: Millis;
}

export const Files = ({ view, attachments, fileHref, now }: FilesProps): Safe => {
  const isThere = ({ expires_at }: Attachment) => Date.parse(expires_at) > now;
  const there = attachments.filter(isThere);
  const others = attachments.filter((file) => !isThere(file) || !isPicture(file));
  return (
    <>
      {there.filter(isPicture).map((file) => (
        <a class="shot" href={fileHref(file)} rel="noreferrer">
          <img src={fileHref(file)} alt={file.name} {...sizeOf(file)} loading="lazy" />
        </a>
      ))}
      {others.length > 0 && (
        <ul class="files">
          {others.map((file) =>
            isThere(file) ? (
              <li>
                <a class="btn" href={fileHref(file)} rel="noreferrer">
                  <Icon view={view} name="download" />
                  <bdi>{file.name}</bdi>
                  <span class="dim">{sizeWords(view, file.size)}</span>
                </a>
              </li>
            ) : (
              <li class="dim">
                <bdi>{file.name}</bdi>: {view.texts.card.expired}
              </li>
            ),
          )}
        </ul>
      )}
    </>
  );
};

/** The largest that the style allows, in pixels. */
const [MAX_WIDTH, MAX_HEIGHT] = [480, 320];

/** The size at which it is shown, so that nothing moves when it is loaded. */
function sizeOf({ width, height }: Attachment): { width?: number; height?: number } {
  if (width === undefined || height === undefined) return {};
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
