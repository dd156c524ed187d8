/** Prepares records for the store, and says what became of each (docs/moving.md). */
import type { CheckSettings, Standing } from "../checks/check.ts";
import { decide, initial } from "../checks/decide/decide.ts";
import { dueAt } from "../checks/decide/missed.ts";
import { pingUrl } from "../checks/json.ts";
import { CheckBody } from "../checks/schema.ts";
import { DEFAULT_TOPIC, settingsOf } from "../checks/settings.ts";
import type { Deps } from "../deps.ts";
import { fileId, type StoredFile } from "../files/file.ts";
import { fileName } from "../files/name.ts";
import { toDraft } from "../messages/reading/draft.ts";
import { isTopicName, looksLikeKey } from "../names/topic.ts";
import type { Imported, Prepared } from "../store/moves.ts";
import { adoptSecret } from "../tokens/secret.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { type Millis, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { sha256 } from "../util/ids.ts";
import { Value } from "@sinclair/typebox/value";
import type {
  CheckRecord,
  FilePiece,
  MessageRecord,
  MoveRecord,
  NewCheckRecord,
  ServerSecretRecord,
} from "./record.ts";

export type ApplyDeps = Pick<Deps, "store" | "clock" | "config" | "log" | "files"> & { tokens: () => Promise<Tokens> };

export interface Applied {
  outcome: Imported;
  /** A new check's or hook's URL, once it is there; secret. */
  url?: string;
}

/** `base`: of URLs. */
export async function applyRecords(
  deps: ApplyDeps,
  records: readonly MoveRecord[],
  { isDry, base }: { isDry: boolean; base: string },
): Promise<Applied[]> {
  const applied = new Array<Applied>(records.length);
  const prepared: { index: number; record: Prepared }[] = [];
  try {
    for (const [index, record] of records.entries()) {
      const ready = await prepare(deps, record, isDry);
      if (typeof ready === "string") applied[index] = { outcome: ready };
      else prepared.push({ index, record: ready });
    }
    const { days } = deps.config.retention;
    const outcomes = await deps.store.moves.apply(
      prepared.map(({ record }) => record),
      { isDry, days },
    );
    for (const [i, { index, record }] of prepared.entries()) {
      const outcome = outcomes[i] ?? "invalid";
      const isThere = !isDry && (outcome === "created" || outcome === "exists");
      const url = isThere ? await urlOf(deps, record, base) : undefined;
      applied[index] = url === undefined ? { outcome } : { outcome, url };
    }
  } finally {
    for (const { hash } of prepared.flatMap(({ record: { files = [] } }) => files)) deps.files.release(hash);
  }
  return applied;
}

async function adopted(deps: ApplyDeps, { name, value }: ServerSecretRecord, isDry: boolean): Promise<Imported> {
  if (name === "urls") return (await adoptSecret(deps, value, isDry)) ? "created" : "taken";
  if ((await deps.store.deliveries.kept("vapid")) === value) return "exists";
  return (await deps.store.moves.keepVapid(value, isDry)) ? "created" : "taken";
}

const PIECES = { part: "created", whole: "created", known: "exists", damaged: "invalid", refused: "no_room" } as const;

async function stored({ files }: ApplyDeps, { data, ...piece }: FilePiece, isDry: boolean): Promise<Imported> {
  return isDry ? "created" : PIECES[await files.addPiece({ ...piece, bytes: Buffer.from(data, "base64") })];
}

async function prepare(deps: ApplyDeps, record: MoveRecord, isDry: boolean): Promise<Prepared | Imported> {
  switch (record.kind) {
    case "server_secret":
      return adopted(deps, record, isDry);
    case "file":
      return stored(deps, record, isDry);
    case "message":
    case "scheduled":
      return withFiles(deps, record, isDry);
    case "check":
      return withDue(deps.clock.now(), await withTokens(deps, record, isDry));
    case "new_check": {
      const made = checkOf(record, deps.clock.now());
      return typeof made === "string" ? made : withTokens(deps, made, isDry);
    }
    case "hook":
      return record.token === undefined ? withTokens(deps, record, isDry) : record;
    default:
      return record;
  }
}

/** A message without its attachments, and those of them whose bytes came: a link to another one would lead nowhere. */
async function withFiles<R extends Pick<MessageRecord, "draft">>(
  { files }: ApplyDeps,
  record: R,
  isDry: boolean,
): Promise<(R & Pick<Prepared, "files">) | "invalid"> {
  const { attachments = [], ...draft } = record.draft;
  if (toDraft(draft, draft.source, 0).kind === "refused") return "invalid";
  const held: StoredFile[] = [];
  for (const { sha256: hash, name, type, size, width, height } of isDry ? [] : attachments)
    if (hash !== undefined && (await files.hold({ hash, size })))
      held.push(defined<StoredFile>({ hash, id: fileId(hash), name: fileName(name, type), type, size, width, height }));
  return { ...record, draft, ...(held.length > 0 && { files: held }) };
}

/** What a check or hook gets instead of the secrets that it came without. A try makes none that would be kept. */
async function withTokens<R extends CheckRecord | Extract<Prepared, { kind: "hook" }>>(
  { tokens }: ApplyDeps,
  record: R,
  isDry: boolean,
): Promise<R & Pick<Prepared, "made">> {
  if (isDry) {
    const [tokenHash, gotifyHash, badgeToken] = ["url", "gotify", "badge"].map((of) => sha256(`${of}/${record.id}`));
    return {
      ...record,
      made: { tokenHash: tokenHash ?? "", gotifyHash: gotifyHash ?? "", badgeToken: badgeToken ?? "" },
    };
  }
  const made = await tokens();
  const token = record.kind === "check" ? made.ofCheck(record.id, 0) : made.ofHook(record.id, 0);
  const gotifyHash = sha256(made.ofGotify(record.id, 0));
  return { ...record, made: { tokenHash: sha256(token), gotifyHash, badgeToken: made.ofBadge(record.id) } };
}

/** A job may have pinged the other server meanwhile: what fell due since is held back, as after an absence of this server. */
function withDue<R extends CheckRecord>(now: Millis, record: R): R & Pick<Prepared, "dueAt"> {
  const standing = record.standing as unknown as Standing;
  const isPast = (standing.deadlineAt ?? Infinity) <= now && standing.state !== "paused";
  const gap = { from: standing.lastEventAt ?? Date.parse(record.created_at), to: now };
  const after = isPast ? decide(standing, { kind: "tick", gap }, now).after : standing;
  return { ...record, standing: after as unknown as R["standing"], dueAt: dueAt(after) };
}

/** A check of another server, before its first ping. */
function checkOf({ id, namespace, body }: NewCheckRecord, now: Millis): CheckRecord | "invalid" {
  if (!Value.Check(CheckBody, body)) return "invalid";
  const settings: CheckSettings | object[] = settingsOf(body);
  const topic = body.topic ?? DEFAULT_TOPIC;
  if (Array.isArray(settings) || !isTopicName(topic) || looksLikeKey(topic)) return "invalid";
  const fresh = initial(settings, now);
  const standing = body.paused === true ? decide(fresh, { kind: "pause" }, now).after : fresh;
  return {
    kind: "check",
    id,
    namespace,
    topic,
    created_at: rfc3339(now),
    standing: standing as unknown as CheckRecord["standing"],
  };
}

/** None for a URL that is not derived from this server's secret: it is the one that it was before. */
async function urlOf({ store, tokens }: ApplyDeps, record: Prepared, base: string): Promise<string | undefined> {
  if (record.kind === "check" && record.made !== undefined) {
    const check = await store.checks.byId(record.id);
    if (check === undefined) return undefined;
    const token = (await tokens()).ofCheck(check.id, check.tokenGeneration);
    return sha256(token) === check.tokenHash ? pingUrl(base, token) : undefined;
  }
  return undefined;
}
