/** The feed as an app: without one, iPhones before iOS 26 open an icon of the Home Screen as a bookmark, which gets no push (WEB.md §5). */
import { feedUrl } from "../../http/urls.ts";
import type { Topic } from "../../topics/topic.ts";
import { assetPath, imagePath } from "../assets.ts";

/** Source: https://www.w3.org/TR/appmanifest/. `base`: the base path. Each feed is an app of its own, which opens there. */
export const manifestOf = (base: string, topic: Topic): object => {
  const start = feedUrl(base, topic);
  return {
    id: start,
    start_url: start,
    scope: `${base}/`,
    name: `${topic.name} · peal`,
    short_name: topic.name,
    display: "standalone",
    background_color: "#f7f6f3",
    theme_color: "#f7f6f3",
    // the bell keeps to the middle: a system may cut any shape out of the ground around it
    icons: [
      { src: assetPath(base, "app-icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any maskable" },
      { src: imagePath(base, "app-icon-192.png"), sizes: "192x192", type: "image/png", purpose: "any maskable" },
      { src: imagePath(base, "app-icon-512.png"), sizes: "512x512", type: "image/png", purpose: "any maskable" },
    ],
  };
};
