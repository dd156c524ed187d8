/** Files: those that a message names, their bytes in all, and those that no message names any more. */
import { and, eq, gte, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import type { Attachment, StoredFile } from "../../../files/file.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { rfc3339, type Millis } from "../../../util/clock.ts";
import { defined } from "../../../util/defined.ts";
import type { FileStore } from "../../files.ts";
import { execute, type Orm } from "../differences.ts";
import { deleteSome, placeholders, prepared, pick } from "../statements.ts";
import type { Engine } from "../engine.ts";
import { attachment, file, fileTotal } from "../schema/files.ts";

const given = placeholders<typeof attachment, "id" | "next" | "now" | "hash" | "size" | "files" | "bytes">();

/** How many unused files are looked at, at once: one that is just being named again is skipped. */
const LOOKED = 200;

export function fileStore({ read, write, writer }: Engine): FileStore {
  const count = totals(write);
  const q = {
    find: prepared(() =>
      read
        .select({ hash: file.hash, size: file.size })
        .from(attachment)
        .innerJoin(file, eq(file.row, attachment.fileRow))
        .where(
          and(
            gte(file.hash, given.id), // hashes that begin with the id: `g` comes after all digits
            lt(file.hash, given.next),
            eq(attachment.topicId, given.topicId),
            eq(attachment.name, given.name),
            isNull(attachment.discardedRow),
          ),
        )
        .limit(1),
    ),
    total: prepared(() =>
      read.select({ files: fileTotal.files, bytes: fileTotal.bytes }).from(fileTotal).where(eq(fileTotal.row, 1)),
    ),
    unused: prepared(() =>
      write
        .select({ row: file.row, hash: file.hash, size: file.size })
        .from(file)
        .where(eq(file.refs, sql`0`))
        .limit(LOOKED),
    ),
    forget: prepared(() => write.delete(file).where(eq(file.row, given.row))),
  };
  return {
    find: async (topicId, id, name) => q.find.all({ topicId, id, next: `${id}g`, name })[0],

    known: async (hashes) =>
      new Set(
        read
          .select({ hash: file.hash })
          .from(file)
          .where(inArray(file.hash, [...hashes]))
          .all()
          .map(({ hash }) => hash),
      ),

    total: () => q.total.all()[0] ?? { files: 0, bytes: 0 },

    forgetUnused: async (isFree, limit) =>
      writer.run(() => {
        const gone: string[] = [];
        for (const { row, hash, size } of q.unused.all()) {
          if (gone.length === limit) break;
          if (!isFree(hash)) continue;
          q.forget.run({ row });
          count.add({ files: -1, bytes: -size });
          gone.push(hash);
        }
        return { result: gone };
      }),
  };
}

/** Deletes attachments that have expired, inside a job; returns how many. */
export function attachmentExpirer({ write, clock }: Engine): (limit: number) => number {
  const expire = prepared(() => deleteSome(write, attachment, lte(attachment.expiresAt, given.now)));
  return (limit) => execute(expire, { now: clock.now(), limit }).changes;
}

export interface Kept {
  /** As the message names them. */
  attachments: Attachment[];
  /** There was no room for these. */
  leftOut: StoredFile[];
  /** Ties them to the message, once it has a row. */
  tie(to: { messageRow: number } | { scheduledRow: number }): void;
}

/** Takes files into the store, inside the job that stores their message. */
export function attacher({ write, filesInAll, fileMs }: Engine) {
  const count = totals(write);
  const q = {
    find: prepared(() => write.select({ row: file.row }).from(file).where(eq(file.hash, given.hash))),
    add: prepared(() => write.insert(file).values(pick(given, "hash", "size"))),
    attach: prepared(() =>
      write
        .insert(attachment)
        .values(pick(given, "fileRow", "topicId", "messageRow", "scheduledRow", "name", "expiresAt")),
    ),
  };
  /** Its row; undefined: there is no room. */
  const rowOf = ({ hash, size }: StoredFile): number | undefined => {
    const [known] = q.find.all({ hash });
    if (known !== undefined) return known.row;
    if (count.bytes() + size > filesInAll) return undefined;
    q.add.run({ hash, size });
    count.add({ files: 1, bytes: size });
    return q.find.all({ hash })[0]?.row;
  };

  /** `from`: when the message can first be seen; its files are kept from then on. */
  return (files: readonly StoredFile[], topicId: TopicId, from: Millis): Kept => {
    const expiresAt = from + fileMs;
    const taken: { fileRow: number; attachment: Attachment }[] = [];
    const leftOut: StoredFile[] = [];
    for (const one of files) {
      const fileRow = rowOf(one);
      const { id, name, type, size, width, height } = one;
      if (fileRow === undefined) leftOut.push(one);
      else
        taken.push({
          fileRow,
          attachment: defined<Attachment>({ id, name, type, size, width, height, expires_at: rfc3339(expiresAt) }),
        });
    }
    return {
      attachments: taken.map((one) => one.attachment),
      leftOut,
      tie: (to) => {
        for (const { fileRow, attachment: of } of taken)
          q.attach.run({ messageRow: null, scheduledRow: null, ...to, fileRow, topicId, name: of.name, expiresAt });
      },
    };
  };
}

/** The totals, kept as numbers: inside jobs. */
function totals(write: Orm) {
  const get = prepared(() => write.select({ bytes: fileTotal.bytes }).from(fileTotal).where(eq(fileTotal.row, 1)));
  const add = prepared(() =>
    write
      .insert(fileTotal)
      .values({ row: 1, ...pick(given, "files", "bytes") })
      .onConflictDoUpdate({
        target: fileTotal.row,
        set: { files: sql`${fileTotal.files} + excluded.files`, bytes: sql`${fileTotal.bytes} + excluded.bytes` },
      }),
  );
  return {
    bytes: (): number => get.all()[0]?.bytes ?? 0,
    add: (by: { files: number; bytes: number }): void => {
      add.run(by);
    },
  };
}
