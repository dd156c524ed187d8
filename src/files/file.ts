/** A file: the record of a message, and the bytes on disk that it stands for. */
import type { Topic } from "../topics/topic.ts";

/** The most files of a message. */
export const MAX_FILES = 4;

/** A file that came whole and is on disk under its hash, but belongs to no message yet. */
export interface StoredFile {
  /** SHA-256, hexadecimal. */
  hash: string;
  /** `fileId` of the hash. */
  id: string;
  /** Bytes. */
  size: number;
  name: string;
  type: string;
  /** A picture's width in pixels, as it is shown. */
  width?: number;
  height?: number;
}

/** A file as its message keeps it. The URL is not kept: it changes when the topic's key is rotated. */
export interface Attachment {
  id: string;
  name: string;
  type: string;
  size: number;
  width?: number;
  height?: number;
  expires_at: string;
}

/** Digits of the hash that name a file in URLs: 128 bits. The content decides them, so a cache is never wrong. */
const ID_DIGITS = 32;

export const fileId = (hash: string): string => hash.slice(0, ID_DIGITS);

export const isFileId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** `base`: of a URL, or of the path alone. A browser saves the file under the name at the end. */
export const fileUrl = (
  base: string,
  { namespace, key }: Pick<Topic, "namespace" | "key">,
  { id, name }: Pick<Attachment, "id" | "name">,
): string => `${base}/${namespace}/${key}/files/${id}/${encodeURIComponent(name)}`;

/** The JSON of a file (API.md §4). */
export const attachmentJson = (
  base: string,
  topic: Pick<Topic, "namespace" | "key">,
  { id, name, type, size, ...rest }: Attachment,
): object => ({ name, type, size, url: fileUrl(base, topic, { id, name }), ...rest });

/** Pictures that browsers are shown, by their first bytes: everything else is downloaded. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const isPicture = ({ type }: Pick<Attachment, "type">): boolean => SHOWN.has(type);

/** The first picture that has not expired, for a notification to show. */
export const pictureOf = (attachments: readonly Attachment[] | undefined): Attachment | undefined =>
  attachments?.find(isPicture);
