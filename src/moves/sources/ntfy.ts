/**
 * ntfy's message cache and its users (https://github.com/binwiederhier/ntfy, `server/message_cache.go` and `user/manager.go`; the
 * tests run ntfy 2.27 and a cache of schema 13). Pure.
 */
import type { Draft } from "../../drafts/draft.ts";
import { jsonIn } from "../../util/json.ts";
import { rfc3339 } from "../../util/clock.ts";
import { sh } from "../../util/text/quoting.ts";
import type { MoveRecord } from "../record.ts";
import { draftOf, idOf, topicNamed } from "./foreign.ts";

/** A row of `messages`. Columns that a version does not have are absent. */
export interface CachedMessage {
  /** In the order in which they were stored. */
  id: number;
  mid: string;
  /** What its sender calls it, so that a later one takes its place; else its `mid`, or nothing. */
  sequence_id?: string;
  /** Seconds since 1970: when it was sent, or when it will be. */
  time: number;
  /** `message`, or a change of an earlier one: `message_delete`, `message_clear`. */
  event?: string;
  topic: string;
  message: string;
  title: string;
  priority: number;
  tags: string;
  click: string;
  icon?: string;
  actions?: string;
  attachment_name: string;
  attachment_url: string;
  attachment_expires: number;
  content_type?: string;
  /** `base64`: bytes that are no text, for an app that ntfy is the distributor of (UnifiedPush). */
  encoding: string;
  /** 0: it waits for its time. */
  published: number;
}

/** Why a row is left out: it tells of another one, its sender has deleted it, or no person is meant to read it. */
export type NoMessage = "event" | "deleted" | "bytes";

/** `deletedAt`: the `id` of the row, if there is one, that deletes what is before it under this name in the topic. */
export function recordOf(
  row: CachedMessage,
  namespace: string,
  deletedAt: (topic: string, sequence: string) => number | undefined,
): MoveRecord | NoMessage {
  if (row.event !== undefined && row.event !== "" && row.event !== "message") return "event";
  if (row.encoding === "base64") return "bytes";
  if ((deletedAt(row.topic, sequenceOf(row)) ?? 0) > row.id) return "deleted";
  const draft = draftOfRow(row);
  const place = { namespace, topic: topicNamed(row.topic) };
  const at = rfc3339(row.time * 1000);
  if (row.published !== 0) return { kind: "message", ...place, created_at: at, draft };
  const id = idOf(16, "ntfy", namespace, row.topic, row.mid);
  return { kind: "scheduled", id, ...place, created_at: at, deliver_at: at, draft };
}

const sequenceOf = ({ sequence_id: sequence = "", mid }: CachedMessage): string => (sequence === "" ? mid : sequence);

function draftOfRow(row: CachedMessage): Draft {
  const { title, priority, tags, click, icon = "", actions = "", content_type: type } = row;
  const list = jsonIn(actions);
  const sequence = sequenceOf(row);
  return draftOf(
    {
      message: [row.message, attachmentOf(row)].filter((part) => part !== "").join("\n\n"),
      ...(title !== "" && { title }),
      ...(priority > 0 && { priority }),
      ...(tags !== "" && { tags: tags.split(",") }),
      ...(click !== "" && { url: click }),
      ...(icon !== "" && { icon }),
      ...(Array.isArray(list) && list.length > 0 && { actions: list }),
      ...(type === "text/markdown" && { format: "markdown" }),
      ...(sequence !== row.mid && { dedup_key: sequence }),
    },
    "ntfy",
  );
}

/** The bytes are deleted after some hours: the name stays, and the address if it is not ntfy's own, which never expires. */
function attachmentOf({
  attachment_name: name,
  attachment_url: url,
  attachment_expires: expires,
}: CachedMessage): string {
  if (name === "" && url === "") return "";
  return expires === 0 && url !== "" ? `Attachment: ${name === "" ? url : `${name}, ${url}`}` : `Attachment: ${name}`;
}

/** A person. */
export interface NtfyUser {
  id: string;
  name: string;
  role: string;
  /** The labels of its tokens. */
  tokens: readonly string[];
}

/**
 * Commands that make the people and keys. ntfy has passwords as bcrypt, which peal does not read, and its tokens have another
 * form than a key of peal, so both are new.
 */
export const commandsFor = (users: readonly NtfyUser[], namespace: string): string[] =>
  users.flatMap(({ name, role, tokens }) => [
    `peal admin create ${sh(name)}${role === "admin" ? "" : ` --namespaces ${namespace}`}`,
    ...tokens.map((label, index) => {
      const title = `${name}: ${label === "" ? `token ${index + 1}` : label}`;
      return `peal keys create --namespace ${namespace} --scope publish --name ${sh(title)}`;
    }),
  ]);
