/** What a file is: the record of a message, and the bytes on disk that it stands for. */
import type { Topic } from "../topics/topic.ts";

/** Files that a message may have. */
export const MAX_FILES = 4;

/** A file that came whole and lies on disk under its hash, for no message yet. */
export interface StoredFile {
  /** SHA-256, hexadecimal. */
  hash: string;
  /** `fileId` of the hash. */
  id: string;
  /** Bytes. */
  size: number;
  name: string;
  type: string;
  /** Of a picture, in pixels, as it is shown. */
  width?: number;
  height?: number;
}

/** A file as its message keeps it. The URL is not kept: a rotated key is another. */
export interface Attachment {
  id: string;
  name: string;
  type: string;
  size: number;
  width?: number;
  height?: number;
  expires_at: string;
}

/** Digits of the hash that name a file in URLs: 128 bits. What is in the file decides, so that a cache is never wrong. */
const ID_DIGITS = 32;

export const fileId = (hash: string): string => hash.slice(0, ID_DIGITS);

export const isFileId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text);

/** `base`: of the URL, or of the path alone. The name is what a browser saves it as. */
export const fileUrl = (
  base: string,
  { namespace, key }: Pick<Topic, "namespace" | "key">,
  { id, name }: Pick<Attachment, "id" | "name">,
): string => `${base}/${namespace}/${key}/files/${id}/${encodeURIComponent(name)}`;

/** As it is answered (API.md §4). */
export const attachmentJson = (
  base: string,
  topic: Pick<Topic, "namespace" | "key">,
  { id, name, type, size, ...rest }: Attachment,
): object => ({ name, type, size, url: fileUrl(base, topic, { id, name }), ...rest });

/** Types of pictures that browsers show, by their first bytes: all else is downloaded. */
const SHOWN = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

export const isPicture = ({ type }: Pick<Attachment, "type">): boolean => SHOWN.has(type);

/** The first picture that is still there, as a notification shows it. */
export const pictureOf = (attachments: readonly Attachment[] | undefined): Attachment | undefined =>
  attachments?.find(isPicture);
