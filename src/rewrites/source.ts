/** What a tool's file hands to the list in tools/all.ts (docs/design/REWRITES.md §1). */
import type { Millis } from "../util/clock.ts";
import type { Fields } from "./fields.ts";
import type { Told } from "./told.ts";

export interface About {
  /** Of the arrival. */
  now: Millis;
  /** The tool's own address, for links that it does not send. */
  link?: string;
  /** A header of the request, by its lower-case name: some tools say there what happened. */
  header?: (name: string) => string | null;
}

export interface Source<Name extends string = string> {
  /** In `?rewrite=`. */
  name: Name;
  /** As people write it. */
  title: string;
  /** Whether this has the shape of the tool's payloads, whatever name was asked for. */
  fits(payload: Fields, about: About): boolean;
  /** Undefined where the payload tells nothing. */
  tell(payload: Fields, about: About): Told | undefined;
}
