/** What reading a body has to know where it came to a hook. */
import type { About } from "../../rewrites/tool.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { Fields } from "./ntfy.ts";

/** What a hook knows of what comes to it. Its body is another tool's, whatever it is (docs/publish.md). */
export interface Hooked {
  query: URLSearchParams;
  /** What the body says in the dialect of the hook; undefined: its shape decides. */
  hear: (body: unknown, about: About) => { fields: Fields } | { draft: Draft } | undefined;
  /** Fields that the hook takes from the body: they count before what it says itself. */
  mapped: (body: unknown) => Fields;
  /** Fields for what nobody says. */
  defaults: Fields;
}
