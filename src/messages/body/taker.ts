/** Stores the files of one body as they come. */
import type { Deps } from "../../deps.ts";
import type { StoredFile } from "../../files/file.ts";
import type { Chunks } from "../../files/keep.ts";
import type { Incoming, LeftOut } from "../../files/write.ts";
import type { StreamedFile } from "../../files/multipart.ts";
import { fileName } from "../../files/name.ts";
import { mediaType } from "../../http/body.ts";

export interface Taken {
  /** The path of the part; empty for the body itself. */
  path: string;
  /** The name that it is stored under, or would have been. */
  name: string;
  made: StoredFile | LeftOut;
}

export class Taker {
  readonly #held: StoredFile[] = [];
  readonly #keeper: Deps["files"];
  #count = 0;

  constructor(keeper: Deps["files"]) {
    this.#keeper = keeper;
  }

  get isOn(): boolean {
    return this.#keeper.limits !== undefined;
  }

  async letGo(): Promise<void> {
    await this.#keeper.letGo(this.#held);
  }

  async take({ name: path, type, filename }: StreamedFile, chunks: Chunks, size?: number): Promise<Taken> {
    const incoming: Incoming = { name: filename, type: mediaType(type), ...(size !== undefined && { size }) };
    const made = await this.#keeper.take(incoming, chunks, this.#count++);
    if (isLeftOut(made)) return { path, name: fileName(filename, incoming.type), made };
    this.#held.push(made);
    return { path, name: made.name, made };
  }
}

export const isLeftOut = (made: StoredFile | LeftOut): made is LeftOut => "reason" in made;
