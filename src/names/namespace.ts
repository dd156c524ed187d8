/** The form of a namespace's name (API.md §1). */
import { looksLikeKey } from "./topic.ts";

/** First segments of paths that the server keeps for itself. */
const RESERVED = new Set(
  (
    "v1 v2 api ntfy health healthz ready metrics docs devices keys ping summary webpush static assets app login logout " +
    "setup account settings signup file hook message notify status application auth client current stream"
  ).split(" "),
);
const NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,31}$/;

export const isReserved = (segment: string): boolean => RESERVED.has(segment);

/** Whether a namespace may have this name: it is not a topic key or reserved. `base`: the first segment of the base path. */
export const isNamespaceName = (text: string, base?: string): boolean =>
  NAMESPACE.test(text) && !looksLikeKey(text) && !isReserved(text) && text !== base;
