/** The webhook of Seerr, Overseerr and Jellyseerr with its default JSON (REWRITES.md §8). */
import { lineAt, listAt, object, objectAt, proseAt, scalarAt, valueAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { firing, inWords, resolved, testNotice, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { cut } from "../../text.ts";
import { present, sha } from "../../told.ts";

export const seerr: Source<"seerr"> = {
  name: "seerr",
  title: "Seerr",
  setup: {
    title: "Seerr, Overseerr, Jellyseerr",
    place: "Settings, Notifications, Webhook",
    withHook: (url) => [{ label: "Webhook URL", value: url }],
  },
  fits: (payload) =>
    /^[A-Z]{1,20}_[A-Z_]{1,40}$/.test(scalarAt(payload, "notification_type") ?? "") &&
    Object.hasOwn(payload, "subject"),
  tell(payload) {
    const type = lineAt(payload, "notification_type") ?? "";
    if (type === "TEST_NOTIFICATION") return testNotice("seerr", "Seerr");
    const [media, request, issue] = ["media", "request", "issue"].map((name) => objectAt(payload, name));
    const subject = lineAt(payload, "subject");
    return {
      ...lookOf(type, object(issue)),
      title: [lineAt(payload, "event") ?? inWords(type), subject].filter((each) => each !== undefined).join(": "),
      lines: linesOf(payload, type.startsWith("ISSUE_")),
      tags: ["seerr", lineAt(object(media), "media_type")],
      key: keyOf(subject, object(request), object(issue)),
      data: present({
        type,
        subject,
        request_id: valueAt(object(request), "request_id"),
        issue_id: valueAt(object(issue), "issue_id"),
        media: present({
          type: lineAt(object(media), "media_type"),
          tmdb_id: valueAt(object(media), "tmdbId"),
          tvdb_id: valueAt(object(media), "tvdbId"),
          status: lineAt(object(media), "status"),
        }),
      }),
    };
  },
};

/** What somebody has to decide fires until it is decided. */
const LOOKS = new Map<string, Look>([
  ["MEDIA_PENDING", firing(looks.NOTICE)],
  ["MEDIA_APPROVED", resolved(looks.QUIET)],
  ["MEDIA_AUTO_APPROVED", resolved(looks.QUIET)],
  ["MEDIA_AVAILABLE", resolved(looks.GOOD)],
  ["MEDIA_DECLINED", resolved(looks.NOTICE)],
  ["MEDIA_FAILED", firing(looks.TROUBLE)],
  ["ISSUE_CREATED", firing(looks.WARNING)],
  ["ISSUE_REOPENED", firing(looks.WARNING)],
  ["ISSUE_RESOLVED", resolved(looks.GOOD)],
]);

/** A comment does not change the state of its issue. */
function lookOf(type: string, issue: Fields): Look {
  if (type !== "ISSUE_COMMENT") return LOOKS.get(type) ?? looks.NOTICE;
  return lineAt(issue, "issue_status") === "RESOLVED" ? resolved(looks.NOTICE) : firing(looks.NOTICE);
}

/** The subject keeps two servers with equal ids apart. */
function keyOf(subject: string | undefined, request: Fields, issue: Fields): string | undefined {
  const [asked, reported] = [lineAt(request, "request_id"), lineAt(issue, "issue_id")];
  const what = reported === undefined ? asked && `request:${asked}` : `issue:${reported}`;
  return what && `seerr:${what}:${sha(8, subject ?? "")}`;
}

const MAX_OVERVIEW = 200;
const MAX_EXTRA = 5;

/** The message of an issue is what its reporter wrote; a request's tells the story of the film. */
function linesOf(payload: Fields, isIssue: boolean): (string | undefined)[] {
  const [request, issue, comment] = ["request", "issue", "comment"].map((name) => objectAt(payload, name));
  const [by, reporter] = [
    lineAt(object(request), "requestedBy_username"),
    lineAt(object(issue), "reportedBy_username"),
  ];
  const [said, speaker] = [
    proseAt(object(comment), "comment_message"),
    lineAt(object(comment), "commentedBy_username"),
  ];
  const text = proseAt(payload, "message");
  return [
    said && `${speaker ?? "Somebody"}: ${said}`,
    isIssue ? text : undefined,
    by && `Requested by ${by}`,
    reporter && `Reported by ${reporter}`,
    ...listAt(payload, "extra").slice(0, MAX_EXTRA).map(extraOf),
    isIssue || text === undefined ? undefined : cut(text, MAX_OVERVIEW),
  ];
}

function extraOf(extra: unknown): string | undefined {
  const [name, value] = [lineAt(object(extra), "name"), lineAt(object(extra), "value")];
  return name === undefined || value === undefined ? value : `${name}: ${value}`;
}
