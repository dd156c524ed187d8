/** Pages of problems. */

export const error = {
  request: (id: string) => `request ${id}`,
  again: "Try again",
  haveCode: "I have the code",
  toStart: "Go to start page",
  /** By status, for problems without a page. */
  titles: new Map([
    [400, "The server can’t understand this request"],
    [401, "You need to sign in"],
    [403, "Not allowed"],
    [404, "Not found"],
    [405, "This address doesn’t support that"],
    [409, "This conflicts with something that already exists"],
    [413, "Too large"],
    [414, "The address is too long"],
    [415, "Unsupported content type"],
    [422, "Something you entered isn’t valid"],
    [503, "The server can’t do this right now"],
  ]),
  pages: {
    unknown_topic: {
      title: "There’s no topic at this link",
      text: "The link may be mistyped, or it may have been replaced by a new one. If so, the messages are still there at the new link. Ask whoever gave it to you.",
    },
    publish_by_post: {
      title: "This address is for sending messages",
      text: "Scripts and tools post here with a key. To read the topic, open its share link: it ends in a long key, and you’ll find it on the dashboard.",
    },
    unknown_message: {
      title: "This message is gone",
      text: "It was deleted, or it was older than this topic keeps messages.",
    },
    not_found: { title: "There’s nothing at this address", text: "The link may be mistyped." },
    sign_in_needed: {
      title: "You’re signed out",
      text: "Your session has ended, and nothing was changed. What you typed isn’t lost: sign in (a new tab opens), then reload this page, which sends the form again.",
    },
    cross_site: {
      title: "This form came from somewhere else",
      text: "It wasn’t sent from a page on this server, or the browser didn’t confirm that it was. Nothing was changed. Open the page here and send the form again.",
    },
    rate_limited: {
      title: "Too many requests",
      text: "This server limits how many requests one address can make. Wait a moment, then try again.",
    },
    internal: {
      title: "Something went wrong on our side",
      text: "Try again in a minute. If it keeps happening, the server’s log has the reason under this number:",
    },
    unavailable: {
      title: "The server can’t store anything right now",
      text: "Its disk may be full. Nothing was changed or lost. Try again in a minute.",
    },
    busy: {
      title: "The server is overloaded",
      text: "Many people are reading at once. Try again in a few seconds.",
    },
    sign_in_busy: {
      title: "The server is busy with other sign-ins",
      text: "Many sign-ins are waiting, and there was no room for yours: your password wasn’t checked, and this doesn’t count as a failed attempt. Try again in 2 seconds, and keep trying if necessary: whoever has been trying longest goes next.",
    },
    stopping: { title: "The server is restarting", text: "Try again in a moment." },
    not_set_up: {
      title: "This server is waiting for its owner",
      before: "Whoever started it has a setup code: in its log, in ",
      after: ", or printed by this command.",
    },
  },
};
