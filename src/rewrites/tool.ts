/** What the file of a tool says: its name, where people set it up, and how its posts are read (REWRITES.md §1). */
import type { Millis } from "../util/clock.ts";
import type { Fields } from "./fields.ts";
import type { Setup } from "./tool-setup.ts";
import type { Told } from "./told.ts";

export interface About {
  /** When the payload arrived. */
  now: Millis;
  /** The tool's own address, for links that it does not send. */
  link?: string;
  /** A header of the request, by its lower-case name: some tools say there what happened. */
  header?: (name: string) => string | null;
}

export interface Tool<Name extends string = string> {
  /** Lower-case letters and digits: the value of `?rewrite=`, and the tag of its messages. */
  name: Name;
  /** The name as people write it. */
  title: string;
  /** The tool in whose form it posts. */
  postsAs?: string;
  /** Absent: people set it up without help. */
  setup?: Setup;
}

/** A tool whose posts are read. */
export interface Source<Name extends string = string> extends Tool<Name> {
  /** Whether it has the shape of the tool's payloads, whatever name was asked for. */
  fits(payload: Fields, about: About): boolean;
  /** Undefined if the payload says nothing. */
  tell(payload: Fields, about: About): Told | undefined;
}
