/** The feed as an app: without a manifest, iPhones before iOS 26 open its icon as a bookmark, which gets no push (WEB.md §5). */
import { feedUrl } from "../../http/urls.ts";
import type { Topic } from "../../topics/topic.ts";
import { appManifest } from "../manifest.ts";

/** `base`: the base path. Each feed is a separate app, which opens there. */
export const manifestOf = (base: string, topic: Topic): object =>
  appManifest(base, {
    start: feedUrl(base, topic),
    scope: `${base}/`,
    name: `${topic.name} · peal`,
    shortName: topic.name,
  });
