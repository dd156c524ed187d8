/** The webhook of Sonarr, Radarr, Lidarr, Readarr, Prowlarr and Whisparr (REWRITES.md §8). */
import { field, lineAt, listAt, object, objectAt, objectsAt, proseAt, scalar, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { bytes, counted, firing, inWords, joined, resolved, testNotice, type Look } from "../../looks.ts";
import type { About, Source } from "../../tool.ts";
import { cut, line } from "../../text.ts";
import { present, type Told } from "../../told.ts";
import { bestLink, link } from "../../urls.ts";
import { POST } from "../../tool-setup.ts";

const MARKS = ["instanceName", "series", "movie", "artist", "author"];

export const servarr: Source<"servarr"> = {
  name: "servarr",
  title: "Servarr",
  setup: {
    title: "Sonarr, Radarr, Lidarr, Readarr, Prowlarr",
    place: "Settings, Connect, Add, Webhook",
    withHook: (url) => [
      { label: "Webhook URL", value: url },
      { ...POST, label: "Method" },
    ],
  },
  fits: (payload) =>
    typeof field(payload, "eventType") === "string" && MARKS.some((name) => Object.hasOwn(payload, name)),
  tell(payload, about) {
    const post = readPost(payload, about);
    if (post.event === "Test") return { ...testNotice("servarr", post.app ?? "Servarr", post.from), tags: post.tags };
    const { about: subject, ...said } = (EVENTS.get(post.event) ?? anyOther)(post);
    return {
      url: post.page,
      ...said,
      tags: post.tags,
      data: present({
        app: post.app,
        instance: lineAt(payload, "instanceName"),
        event: post.event,
        subject,
        release: lineAt(post.release, "releaseTitle"),
        download_id: post.download,
      }),
    };
  },
};

interface Post {
  payload: Fields;
  event: string;
  /** Which of the apps it is, by its own name. */
  app: string | undefined;
  /** The name that its owner gave it. */
  from: string;
  /** The series, film, artist or author, with the episode, album or book. */
  subject: string | undefined;
  release: Fields;
  download: string | undefined;
  /** The page of the subject. */
  page: string | undefined;
  tags: (string | undefined)[];
}

interface Said extends Look, Pick<Told, "lines" | "key" | "url"> {
  title: string;
  /** The subject of the title. */
  about?: string | undefined;
}

const APPS = ["Sonarr", "Radarr", "Lidarr", "Readarr", "Prowlarr", "Whisparr"];

function readPost(payload: Fields, { header }: About): Post {
  const agent = /^[A-Za-z]{1,20}(?=\/)/.exec(header?.("user-agent") ?? "")?.[0];
  const app = APPS.find((name) => name === agent) ?? appIn(payload);
  const downloaded = field(payload, "release") ?? field(payload, "downloadInfo");
  return {
    payload,
    event: lineAt(payload, "eventType") ?? "Event",
    app,
    from: lineAt(payload, "instanceName") ?? app ?? "Servarr",
    subject: subjectOf(payload),
    release: object(downloaded),
    download: lineAt(payload, "downloadId"),
    page: pageOf(payload),
    tags: [app?.toLowerCase() ?? "servarr", ...listAt(subjectIn(payload), "tags").slice(0, 8).map(scalar)],
  };
}

/** The app: by the instance's name, which must begin or end with it, by the manual of a health check, or by its media. */
function appIn(payload: Fields): string | undefined {
  const name = lineAt(payload, "instanceName")?.toLowerCase() ?? "";
  const manual = /^https:\/\/wiki\.servarr\.com\/([a-z]{1,20})\//.exec(lineAt(payload, "wikiUrl") ?? "")?.[1];
  const told = APPS.map((app) => [app, app.toLowerCase()] as const);
  const [app] =
    told.find(([, lower]) => name.startsWith(lower) || name.endsWith(lower)) ??
    told.find(([, lower]) => lower === manual) ??
    [];
  return app ?? managedBy(payload)?.[1];
}

/** What each app manages: its field, the app, and the path and field of its page. */
const SUBJECTS: [name: string, app: string, path: string, id: string][] = [
  ["series", "Sonarr", "series", "titleSlug"],
  ["movie", "Radarr", "movie", "tmdbId"],
  ["artist", "Lidarr", "artist", "mbId"],
  ["author", "Readarr", "author", "goodreadsId"],
];

const managedBy = (payload: Fields) => SUBJECTS.find(([name]) => isObject(field(payload, name)));
const subjectIn = (payload: Fields): Fields => objectAt(payload, managedBy(payload)?.[0] ?? "");

/** A page of the app; undefined if its owner did not set the app's address. */
const pageAt = (payload: Fields, path: string): string | undefined => {
  const address = lineAt(payload, "applicationUrl");
  return address === undefined ? undefined : link(address.replace(/\/$/, "") + path);
};

function pageOf(payload: Fields): string | undefined {
  const [, , path = "", id = ""] = managedBy(payload) ?? [];
  const key = lineAt(subjectIn(payload), id);
  return pageAt(payload, key === undefined ? "/" : `/${path}/${encodeURIComponent(key)}`);
}

function subjectOf(payload: Fields): string | undefined {
  const subject = subjectIn(payload);
  const name = lineAt(subject, "title", "name");
  const year = isObject(field(payload, "movie")) ? lineAt(subject, "year") : undefined;
  const works = [field(payload, "album"), field(payload, "book"), ...listAt(payload, "albums").slice(0, 3)];
  const titles = [...works, ...listAt(payload, "books").slice(0, 3)].map((work) => lineAt(object(work), "title"));
  return joined([joined([name, episodesOf(payload), year && `(${year})`], " "), joined(titles, ", ")], ": ");
}

const two = (text: string): string => text.padStart(2, "0");

/** `S03E05`, `S03E05–E06`, or how many there are. */
function episodesOf(payload: Fields): string | undefined {
  const episodes = listAt(payload, "episodes");
  const [first, last] = [object(episodes[0]), object(episodes.at(-1))];
  const [season, number] = [lineAt(first, "seasonNumber"), lineAt(first, "episodeNumber")];
  if (season === undefined || number === undefined) return undefined;
  const from = `S${two(season)}E${two(number)}`;
  const [lastSeason, to] = [lineAt(last, "seasonNumber"), lineAt(last, "episodeNumber")];
  if (episodes.length === 1 || to === undefined) return from;
  return lastSeason === season ? `${from}–E${two(to)}` : `${from} and ${episodes.length - 1} more`;
}

const episodeTitle = ({ payload }: Post): string | undefined => {
  const episodes = listAt(payload, "episodes");
  return episodes.length === 1 ? lineAt(object(episodes[0]), "title") : undefined;
};

// prettier-ignore
const EVENTS = new Map<string, (post: Post) => Said>([
  ["Grab",                      (post) => ({ ...about(post, "Grabbed"), ...looks.QUIET, lines: grabbed(post) })],
  ["Download",                  imported],
  ["DownloadFailure",           (post) => ({ ...looks.WARNING, title: `Download failed: ${lineAt(post.payload, "releaseTitle") ?? post.from}`, lines: [joined([lineAt(post.payload, "quality"), client(post)])] })],
  ["ImportFailure",             (post) => ({ ...about(post, "Import failed"), ...looks.FAILED, lines: [client(post)] })],
  ["ManualInteractionRequired", interaction],
  ["Health",                    unhealthy],
  ["HealthRestored",            unhealthy],
  ["ApplicationUpdate",         (post) => ({ ...looks.QUIET, title: `${post.from} updated to ${lineAt(post.payload, "newVersion") ?? "a new version"}`, lines: [proseAt(post.payload, "message")] })],
  ["Rename",                    (post) => ({ ...about(post, "Renamed"), ...looks.QUIET, lines: [counted(renamed(post), "file")] })],
  ["SeriesAdd",                 added],
  ["MovieAdded",                added],
  ["ArtistAdd",                 added],
  ["AuthorAdded",               added],
  ["SeriesDelete",              removed],
  ["MovieDelete",               removed],
  ["ArtistDelete",              removed],
  ["AlbumDelete",               removed],
  ["AuthorDelete",              removed],
  ["BookDelete",                removed],
  ["EpisodeFileDelete",         fileRemoved],
  ["MovieFileDelete",           fileRemoved],
  ["BookFileDelete",            fileRemoved],
]);

/** `Grabbed: The Expanse S03E05`. */
function about({ subject, release, from }: Post, done: string): Pick<Said, "title" | "about"> {
  const named = subject ?? lineAt(release, "releaseTitle", "title");
  return { title: `${done}: ${named ?? from}`, about: named };
}

const anyOther = (post: Post): Said => ({ ...about(post, inWords(post.event)), ...looks.NOTICE, lines: [post.from] });

const client = ({ payload }: Post): string | undefined => lineAt(payload, "downloadClient");

const grabbed = (post: Post): (string | undefined)[] => [
  episodeTitle(post),
  joined([lineAt(post.release, "quality"), bytes(field(post.release, "size")), lineAt(post.release, "indexer")]),
  post.subject === undefined ? undefined : lineAt(post.release, "releaseTitle"),
  client(post),
];

/** An import takes over the card of what had to be done by hand for the same download. */
function imported(post: Post): Said {
  const { payload } = post;
  const files = ["episodeFiles", "trackFiles", "bookFiles"].flatMap((name) => listAt(payload, name));
  const file = object(field(payload, "episodeFile") ?? field(payload, "movieFile") ?? files[0]);
  return {
    ...about(post, field(payload, "isUpgrade") === true ? "Upgraded" : "Imported"),
    ...looks.GOOD,
    lines: [
      episodeTitle(post),
      joined([lineAt(file, "quality"), bytes(field(file, "size")), files.length > 1 ? `${files.length} files` : ""]),
    ],
    key: downloadKey(post),
  };
}

const downloadKey = ({ from, download }: Post): string | undefined =>
  download === undefined ? undefined : `servarr:${from}:download:${download}`;

const MAX_REASONS = 3;

function interaction(post: Post): Said {
  const reasons = objectsAt(post.payload, "downloadStatusMessages", MAX_REASONS);
  return {
    ...about(post, "Import it by hand"),
    ...firing({ level: "warning", priority: "high" }),
    lines: [
      ...reasons.flatMap((reason) => listAt(reason, "messages").slice(0, MAX_REASONS)).map(text),
      lineAt(post.release, "releaseTitle", "title") ?? lineAt(reasons[0] ?? {}, "title"),
      client(post),
    ],
    key: downloadKey(post),
    url: pageAt(post.payload, "/activity/queue"),
  };
}

const text = (value: unknown): string => line(scalar(value) ?? "");

const HEALTH = new Map<string, Look>([
  ["error", looks.TROUBLE],
  ["warning", looks.WARNING],
  ["notice", looks.NOTICE],
]);
const MAX_CHECK = 90;

/** A check has the same name when it fails and when it recovers; only one of them has the address. */
function unhealthy({ payload, event, from }: Post): Said {
  const isRestored = event === "HealthRestored";
  const check = lineAt(payload, "type");
  const why = lineAt(payload, "message") ?? check ?? "health check";
  const shown = cut(why, MAX_CHECK);
  return {
    ...(isRestored ? resolved(looks.GOOD) : firing(HEALTH.get(text(field(payload, "level"))) ?? looks.WARNING)),
    title: isRestored ? `Resolved: ${from}: ${shown}` : `${from}: ${shown}`,
    lines: [shown === why ? undefined : why, check && inWords(check)],
    key: check === undefined ? undefined : `servarr:${from}:health:${check}`,
    url: bestLink([pageAt(payload, "/system/status"), lineAt(payload, "wikiUrl")]),
  };
}

const RENAMED = ["renamedEpisodeFiles", "renamedMovieFiles", "renamedTrackFiles", "renamedBookFiles"];
const renamed = ({ payload }: Post): number => RENAMED.reduce((n, name) => n + listAt(payload, name).length, 0);

function added(post: Post): Said {
  return { ...about(post, "Added"), ...looks.QUIET, lines: [post.from] };
}

function removed(post: Post): Said {
  const files = field(post.payload, "deletedFiles") === true ? "Its files were deleted too." : "Its files were kept.";
  return { ...about(post, "Removed"), ...looks.NOTICE, lines: [files] };
}

function fileRemoved(post: Post): Said {
  const file = ["episodeFile", "movieFile", "bookFile"].map((name) => objectAt(post.payload, name));
  const reason = lineAt(post.payload, "deleteReason");
  return {
    ...about(post, "File deleted"),
    ...(reason === "upgrade" ? looks.QUIET : looks.NOTICE),
    lines: [
      reason && inWords(reason),
      file.map((each) => lineAt(each, "relativePath", "path")).find((path) => path !== undefined),
    ],
  };
}
