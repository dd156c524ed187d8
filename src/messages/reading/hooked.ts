/** What the code that reads a body has to know about the hook that it came to. */
import type { About } from "../../rewrites/tool.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { Fields } from "./ntfy.ts";

/** What a hook knows about its requests. Their bodies are other tools', whatever they are (docs/publish.md). */
export interface Hooked {
  query: URLSearchParams;
  /** What the body says in the dialect of the hook; undefined if its shape decides. */
  hear: (body: unknown, about: About) => { fields: Fields } | { draft: Draft } | undefined;
  /** The fields that the hook takes from the body: they count before what the body says itself. */
  mapped: (body: unknown) => Fields;
  /** Values for fields that nobody gives. */
  defaults: Fields;
}
