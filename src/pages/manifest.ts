/** What makes a page an app for the Home Screen (WEB.md §5). */
import { assetPath, imagePath } from "./assets.ts";

interface App {
  /** The address at which it opens, which also identifies it. */
  start: string;
  /** The addresses that it shows in its own window. */
  scope: string;
  name: string;
  shortName: string;
  /** Pages that its icon's menu leads to. */
  shortcuts?: readonly { name: string; url: string }[];
}

/** Source: https://www.w3.org/TR/appmanifest/. `base`: the base path. */
export const appManifest = (base: string, { start, scope, name, shortName, shortcuts }: App): object => ({
  id: start,
  start_url: start,
  scope,
  name,
  short_name: shortName,
  display: "standalone",
  background_color: "#f7f6f3",
  theme_color: "#f7f6f3",
  // the bell keeps to the middle: a system may cut any shape out of the ground around it
  icons: [
    { src: assetPath(base, "app-icon.svg"), sizes: "any", type: "image/svg+xml", purpose: "any maskable" },
    { src: imagePath(base, "app-icon-192.png"), sizes: "192x192", type: "image/png", purpose: "any maskable" },
    { src: imagePath(base, "app-icon-512.png"), sizes: "512x512", type: "image/png", purpose: "any maskable" },
  ],
  ...(shortcuts && { shortcuts }),
});

export const MANIFEST = "application/manifest+json";
