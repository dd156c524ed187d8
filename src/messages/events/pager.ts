/** Reads pages for the streams that are behind: one page a turn of the event loop, however many streams wait. */

/** A feed with streams that are behind: reads a page for those that wait for it, and says whether there is more to read. */
interface Behind {
  servePage(): Promise<boolean>;
}

export class Pager {
  /** First come, first served; a feed with more to read goes to the end. */
  readonly #feeds = new Set<Behind>();
  #serving = false;

  serve(feed: Behind): void {
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
