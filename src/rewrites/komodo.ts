/** Komodo's alerts, 2.x and 1.16 (docs/design/REWRITES.md §5). */
import { field, isObject, object } from "./fields.ts";
import type { Source } from "./source.ts";

export const komodo: Source<"komodo"> = {
  name: "komodo",
  title: "Komodo",
  fits: (payload) =>
    typeof field(object(field(payload, "data")), "type") === "string" && isObject(field(payload, "target")),
  tell: () => undefined,
};
