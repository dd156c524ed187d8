/** The webhook of Plex Media Server: the JSON of its field `payload` (REWRITES.md §8). */
import { field, lineAt, objectAt, scalarAt, valueAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { inWords, joined, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { present } from "../../told.ts";

export const plex: Source<"plex"> = {
  name: "plex",
  title: "Plex",
  setup: {
    place: "Settings, Webhooks, Add Webhook",
    withHook: (url) => [{ label: "URL", value: url }],
  },
  fits: (payload) =>
    /^(?:media|library|admin|device|playback)\.[a-z.]{1,40}$/.test(scalarAt(payload, "event") ?? "") &&
    (isObject(field(payload, "Server")) || isObject(field(payload, "Metadata"))),
  tell(payload) {
    const event = lineAt(payload, "event") ?? "";
    const [account, server, player] = ["Account", "Server", "Player"].map((name) => titleIn(payload, name));
    const item = objectAt(payload, "Metadata");
    const about = itemOf(item);
    const {
      say,
      look = looks.QUIET,
      hint,
    } = EVENTS.get(event) ?? { say: () => joined([inWords(last(event)), about], ": ") };
    return {
      ...look,
      title: say({ who: account ?? "Somebody", what: about ?? "something", server: server ?? "Plex", player }),
      lines: [
        lineAt(item, "type") === "episode" ? lineAt(item, "title") : undefined,
        hint ?? joined([player, server]),
        lineAt(item, "librarySectionTitle"),
      ],
      tags: ["plex", lineAt(item, "type")],
      data: present({
        event,
        account,
        server,
        player,
        item: present({ title: about, type: lineAt(item, "type"), key: valueAt(item, "ratingKey") }),
      }),
    };
  },
};

interface Words {
  who: string;
  what: string;
  server: string;
  player: string | undefined;
}

// prettier-ignore
const EVENTS = new Map<string, { say: (words: Words) => string; look?: Look; hint?: string }>([
  ["media.play",               { say: ({ who, what }) => `${who} plays ${what}` }],
  ["media.resume",             { say: ({ who, what }) => `${who} goes on with ${what}` }],
  ["media.pause",              { say: ({ who, what }) => `${who} has paused ${what}` }],
  ["media.stop",               { say: ({ who, what }) => `${who} has stopped ${what}` }],
  ["media.scrobble",           { say: ({ who, what }) => `${who} has finished ${what}` }],
  ["media.rate",               { say: ({ who, what }) => `${who} has rated ${what}` }],
  ["playback.started",         { say: ({ who, what }) => `${who} plays ${what}` }],
  ["library.new",              { say: ({ what }) => `Added: ${what}` }],
  ["library.on.deck",          { say: ({ what }) => `On deck: ${what}` }],
  ["device.new",               { say: ({ server, player }) => `${server}: new device ${player ?? ""}`, look: looks.NOTICE }],
  ["admin.database.backup",    { say: ({ server }) => `${server}: database backed up`, look: looks.DONE }],
  ["admin.database.corrupted", { say: ({ server }) => `${server}: database is corrupted`, look: looks.TROUBLE, hint: "Repair it or restore one of its backups." }],
]);

const last = (event: string): string => event.split(".").at(-1) ?? event;
const titleIn = (payload: Fields, name: string): string | undefined => lineAt(objectAt(payload, name), "title");
const two = (text: string): string => text.padStart(2, "0");

/** An episode by its series, a song by its artist, everything else with its year. */
function itemOf(item: Fields): string | undefined {
  const [title, parent, grandparent] = [
    lineAt(item, "title"),
    lineAt(item, "parentTitle"),
    lineAt(item, "grandparentTitle"),
  ];
  const [season, episode, year] = [lineAt(item, "parentIndex"), lineAt(item, "index"), lineAt(item, "year")];
  switch (lineAt(item, "type")) {
    case "episode":
      return joined([grandparent, season && episode ? `S${two(season)}E${two(episode)}` : title], " ");
    case "track":
      return joined([grandparent, title], " – ");
    case "season":
    case "album":
      return joined([parent, title], " – ");
    default:
      return title === undefined || year === undefined ? title : `${title} (${year})`;
  }
}
