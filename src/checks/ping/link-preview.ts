/** Recognises requests that nobody meant as a ping: a browser or chat that previews a link would keep a dead job alive. Pure. */

const LOOKING = /\b(?:prefetch|preview|prerender)\b/i;
const HEADERS = ["sec-purpose", "purpose", "x-purpose", "x-moz"];

/** The names of chats, mail programs and search engines that fetch links somebody posted. */
const BOTS = new RegExp(
  [
    ...[
      "(?:Uri|Url|Link|Bing|Microsoft)Preview",
      "Slackbot",
      "Slack-ImgProxy",
      "Discordbot",
      "TelegramBot",
      "WhatsApp/",
    ],
    ...[
      "Twitterbot",
      "facebookexternalhit",
      "Facebot",
      "LinkedInBot",
      "Synapse \\(bot",
      "Mattermost",
      "Rocket\\.?Chat",
    ],
    ...["Mastodon/", "Viber", "redditbot", "Pinterestbot", "vkShare", "Iframely", "Embedly", "Googlebot"],
    ...["Google-PageRenderer", "GoogleImageProxy", "bingbot", "Applebot", "DuckDuckBot", "YandexBot", "Baiduspider"],
  ].join("|"),
  "i",
);

/** A preview only reads: it never posts. */
export function isPreview({ method, headers }: Pick<Request, "method" | "headers">): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  return HEADERS.some((name) => LOOKING.test(headers.get(name) ?? "")) || BOTS.test(headers.get("user-agent") ?? "");
}
