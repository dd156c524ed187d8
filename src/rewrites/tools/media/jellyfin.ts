/** Jellyfin's webhook plugin, with all properties sent (REWRITES.md §8). */
import { field, hasOne, lineAt, scalarAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { firing, inWords, joined, resolved, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { instant } from "../../times.ts";
import { present, type Told } from "../../told.ts";
import { link } from "../../urls.ts";
import { TURN_ON } from "../../tool-setup.ts";

export const jellyfin: Source<"jellyfin"> = {
  name: "jellyfin",
  title: "Jellyfin",
  setup: {
    place: {
      en: "Dashboard, Plugins, Webhook (from the catalogue), Add Generic Destination; then choose what it sends",
      de: "Dashboard, Plugins, Webhook (aus dem Katalog), Add Generic Destination; dann ankreuzen, was gesendet werden soll",
    },
    withHook: (url) => [
      { label: "Webhook Url", value: url },
      { label: TURN_ON, value: "Send All Properties (ignores template)", isChoice: true },
    ],
    notes: [
      "The Webhook plugin comes from Jellyfin's catalogue. Choose the notification types yourself; with **Task Completed**, a task that succeeds",
      "closes the card of its failure. This works with a hook only, since Jellyfin labels its JSON as plain text.",
    ],
  },
  fits: (payload) =>
    typeof field(payload, "NotificationType") === "string" && hasOne(payload, "ServerId", "ServerName"),
  tell(payload, { now }) {
    const type = lineAt(payload, "NotificationType") ?? "";
    const { about, ...said } = (TYPES.get(type) ?? anyOther)(payload, type);
    return {
      ...said,
      tags: ["jellyfin", lineAt(payload, "ItemType")?.toLowerCase()],
      url: pageOf(payload),
      at: instant(field(payload, "UtcTimestamp"), now) ?? instant(field(payload, "EndTime"), now),
      data: present({
        type,
        server: lineAt(payload, "ServerName"),
        item: about,
        user: textAt(payload, "NotificationUsername"),
        device: textAt(payload, "DeviceName"),
        task: textAt(payload, "TaskName"),
        plugin: textAt(payload, "PluginName"),
      }),
    };
  },
};

interface Said extends Look, Pick<Told, "title" | "lines" | "key"> {
  /** The item. */
  about?: string | undefined;
}

/** The plugin puts a backslash before quotes, which templates need; it does so in all properties too. */
const textAt = (payload: Fields, ...names: string[]): string | undefined =>
  lineAt(payload, ...names)?.replaceAll('\\"', '"');

// prettier-ignore
const TYPES = new Map<string, (payload: Fields, type: string) => Said>([
  ["ItemAdded",                   (p) => item(p, "Added", looks.QUIET)],
  ["ItemDeleted",                 (p) => item(p, "Removed", looks.QUIET)],
  ["PlaybackStart",               (p) => playback(p, "plays")],
  ["PlaybackProgress",            (p) => playback(p, field(p, "IsPaused") === true ? "has paused" : "plays")],
  ["PlaybackStop",                (p) => playback(p, field(p, "PlayedToCompletion") === true ? "has finished" : "has stopped")],
  ["SubtitleDownloadFailure",     (p) => item(p, "No subtitles", looks.WARNING)],
  ["AuthenticationFailure",       (p) => user(p, "Sign-in failed", looks.WARNING)],
  ["AuthenticationSuccess",       (p) => user(p, "Signed in", looks.QUIET)],
  ["SessionStart",                (p) => user(p, "Session started", looks.QUIET)],
  ["UserLockedOut",               (p) => user(p, "Locked out", looks.TROUBLE)],
  ["UserCreated",                 (p) => user(p, "User created", looks.NOTICE)],
  ["UserDeleted",                 (p) => user(p, "User deleted", looks.NOTICE)],
  ["UserUpdated",                 (p) => user(p, "User changed", looks.QUIET)],
  ["UserPasswordChanged",         (p) => user(p, "Password changed", looks.NOTICE)],
  ["PendingRestart",              (p) => ({ ...looks.WARNING, title: `${server(p)} needs a restart`, lines: [version(p)] })],
  ["TaskCompleted",               task],
  ["PluginInstalling",            (p) => plugin(p, "is being installed", looks.QUIET)],
  ["PluginInstalled",             (p) => plugin(p, "was installed", looks.QUIET)],
  ["PluginUpdated",               (p) => plugin(p, "was updated", looks.QUIET)],
  ["PluginUninstalled",           (p) => plugin(p, "was removed", looks.NOTICE)],
  ["PluginInstallationCancelled", (p) => plugin(p, "was not installed: cancelled", looks.NOTICE)],
  ["PluginInstallationFailed",    (p) => plugin(p, "could not be installed", looks.FAILED)],
]);

const anyOther = (payload: Fields, type: string): Said => ({
  ...looks.NOTICE,
  ...named(payload, inWords(type)),
  lines: [server(payload)],
});

const server = (payload: Fields): string => textAt(payload, "ServerName") ?? "Jellyfin";
const version = (payload: Fields): string | undefined => {
  const text = lineAt(payload, "ServerVersion");
  return text && `Jellyfin ${text}`;
};

/** `Added: The Expanse S03E05`. */
function named(payload: Fields, done: string): Pick<Said, "title" | "about"> {
  const about = itemOf(payload);
  return { title: joined([done, about], ": "), about };
}

/** An episode by its series, a song by its artist, everything else with its year. */
function itemOf(payload: Fields): string | undefined {
  const [series, artist, name] = ["SeriesName", "Artist", "Name"].map((each) => textAt(payload, each));
  const [season, episode] = [lineAt(payload, "SeasonNumber00"), lineAt(payload, "EpisodeNumber00")];
  if (series !== undefined) {
    const number = joined([season && `S${season}`, episode && `E${episode}`], "");
    return joined([series, number ?? name], " ");
  }
  if (artist !== undefined) return joined([artist, name], " – ");
  const year = lineAt(payload, "Year");
  return name === undefined || year === undefined ? name : `${name} (${year})`;
}

/** The title of an episode; its series is in the title of the message. */
const episodeOf = (payload: Fields): string | undefined =>
  lineAt(payload, "EpisodeNumber00") === undefined ? undefined : textAt(payload, "Name");

const item = (payload: Fields, done: string, look: Look): Said => ({
  ...look,
  ...named(payload, done),
  lines: [episodeOf(payload), joined([lineAt(payload, "ItemType"), server(payload)])],
});

function playback(payload: Fields, does: string): Said {
  const about = itemOf(payload);
  const [position, length] = [lineAt(payload, "PlaybackPosition"), lineAt(payload, "RunTime")];
  return {
    ...looks.QUIET,
    title: `${textAt(payload, "NotificationUsername") ?? "Somebody"} ${does} ${about ?? "something"}`,
    about,
    lines: [
      episodeOf(payload),
      joined([textAt(payload, "DeviceName"), textAt(payload, "ClientName", "Client")]),
      position && length && does !== "has finished" ? `At ${position} of ${length}` : undefined,
    ],
  };
}

const user = (payload: Fields, done: string, look: Look): Said => ({
  ...look,
  title: `${done}: ${textAt(payload, "NotificationUsername", "Username") ?? "unknown user"}`,
  lines: [
    joined([textAt(payload, "DeviceName"), textAt(payload, "ClientName", "Client", "App")]),
    joined([lineAt(payload, "RemoteEndPoint"), server(payload)], " → "),
  ],
});

const plugin = (payload: Fields, done: string, look: Look): Said => ({
  ...look,
  title: `Plugin ${textAt(payload, "PluginName") ?? ""} ${done}`,
  lines: [
    textAt(payload, "ExceptionMessage"),
    textAt(payload, "ExceptionMessageInner"),
    joined([lineAt(payload, "PluginVersion") && `Version ${lineAt(payload, "PluginVersion") ?? ""}`, server(payload)]),
  ],
});

/** A task that ran well ends the card of the one that failed. */
function task(payload: Fields): Said {
  const status = lineAt(payload, "ResultStatus") ?? "Completed";
  const name = textAt(payload, "TaskName", "ResultName") ?? "Task";
  const id = lineAt(payload, "ResultKey", "TaskId");
  const isDone = status === "Completed";
  return {
    ...(isDone ? resolved(looks.DONE) : status === "Failed" ? firing(looks.TROUBLE) : firing(looks.WARNING)),
    title: `${name}: ${isDone ? "done" : inWords(status).toLowerCase()}`,
    lines: [textAt(payload, "ResultErrorMessage"), server(payload)],
    key: id && `jellyfin:${lineAt(payload, "ServerId") ?? server(payload)}:task:${id}`,
  };
}

function pageOf(payload: Fields): string | undefined {
  const [address, id] = [link(scalarAt(payload, "ServerUrl")), lineAt(payload, "ItemId")];
  if (address === undefined || id === undefined) return address;
  return link(`${address.replace(/\/$/, "")}/web/#/details?id=${encodeURIComponent(id)}`);
}
