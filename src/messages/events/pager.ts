/** Reads pages for the streams that are behind: one page a turn of the event loop, whoever and however many they are. */
import type { Feed } from "./feed.ts";

export class Pager {
  /** First come, first served; a feed with more to read goes to the end. */
  readonly #feeds = new Set<Feed>();
  #serving = false;

  serve(feed: Feed): void {
    this.#feeds.add(feed);
    if (this.#serving) return;
    this.#serving = true;
    setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    for (const feed of this.#feeds) {
      this.#feeds.delete(feed);
      if (await feed.servePage()) this.#feeds.add(feed);
      await new Promise(setImmediate);
    }
    this.#serving = false;
  }
}
