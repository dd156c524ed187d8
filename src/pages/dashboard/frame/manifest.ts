/** The dashboard as an app. Feeds are outside its scope: each is another app. */
import { appManifest } from "../../manifest.ts";
import type { View } from "../../view.ts";

/** Below the base path. */
export const MANIFEST_PATH = "/-/manifest.webmanifest";

/** In the reader's language. It has nothing that only people with an account may know. */
export function deskManifest({ base, texts }: Pick<View, "base" | "texts">): object {
  const start = `${base}/-/`;
  return appManifest(base, {
    ...{ start, scope: start, name: "peal", shortName: "peal" },
    shortcuts: (["messages", "checks"] as const).map((page) => ({
      name: texts.desk.entries.checks,
      url: start + page,
    })),
  });
}
