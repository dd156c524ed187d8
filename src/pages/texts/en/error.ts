/** Pages of problems. */

export const error = {
  request: (id: string) => `request ${id}`,
  again: "Try again",
  haveCode: "I have the code",
  toStart: "To the start page",
  /** By status, where a problem has no page of its own. */
  titles: new Map([
    [400, "This request cannot be understood"],
    [401, "One has to be signed in for this"],
    [403, "This is not allowed"],
    [404, "There is no such thing here"],
    [405, "This address does not do that"],
    [409, "This clashes with what is there already"],
    [413, "This is too large"],
    [414, "The address is too long"],
    [415, "This form of content is not read here"],
    [422, "Something in it is wrong"],
    [503, "The server cannot do this now"],
  ]),
  pages: {
    unknown_topic: {
      title: "No topic lives at this link",
      text: "The link may be mistyped, or it was replaced by a new one. If it was replaced, the messages are still there under the new one. Ask whoever gave it to you.",
    },
    publish_by_post: {
      title: "Messages are sent to this address",
      text: "Scripts and tools post here, with a key. To read the topic, open its share link: it ends in a long key, and the dashboard shows it.",
    },
    unknown_message: {
      title: "This message is gone",
      text: "It was deleted, or it was older than the topic keeps messages.",
    },
    not_found: { title: "Nothing is at this address", text: "The link may be mistyped." },
    sign_in_needed: {
      title: "You are signed out",
      text: "Your session has ended, and nothing was changed. What you typed is not lost: sign in (a new tab opens), then reload this page, which sends the form again.",
    },
    cross_site: {
      title: "This form came from somewhere else",
      text: "It was not sent by a page of this server, or the browser did not say so. Nothing was changed. Open the page here and send the form again.",
    },
    rate_limited: {
      title: "That was too fast",
      text: "This server answers one address only so many times in a row. Wait a moment, then try again.",
    },
    internal: {
      title: "That did not work, and it is our fault",
      text: "Try again in a minute. If it stays, the log of the server has the reason under this number:",
    },
    unavailable: {
      title: "The server cannot store anything now",
      text: "Its disk may be full. Nothing was changed or lost. Try again in a minute.",
    },
    busy: {
      title: "The server has too much to do",
      text: "Many people are reading at once. Try again in a few seconds.",
    },
    sign_in_busy: {
      title: "The server is busy with other passwords",
      text: "Many sign-ins wait to be checked, and there was no room for yours: nobody looked at your password, and this does not count as a failed try. Try again in 2 seconds, and keep trying if necessary: whoever has been trying longest goes next.",
    },
    stopping: { title: "The server is restarting", text: "Try again in a moment." },
    not_set_up: {
      title: "This server is waiting for its owner",
      before: "Whoever started it has a set-up code: in its log, in ",
      after: ", or printed by this command.",
    },
  },
};
