/** Pages of problems. */

export const error = {
  request: (id: string) => `request ${id}`,
  again: "Try again",
  haveCode: "I have the code",
  toStart: "To the start page",
  pages: {
    unknown_topic: {
      title: "No topic lives at this link",
      text: "The link may be mistyped, or it was replaced by a new one. If it was replaced, the messages are still there under the new one. Ask whoever gave it to you.",
    },
    unknown_message: {
      title: "This message is gone",
      text: "It was deleted, or it was older than the topic keeps messages.",
    },
    not_found: { title: "Nothing is at this address", text: "The link may be mistyped." },
    sign_in_needed: {
      title: "You are signed out",
      text: "Your session has ended, and nothing was changed. Sign in, then send the form again.",
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
    stopping: { title: "The server is restarting", text: "Try again in a moment." },
    not_set_up: {
      title: "This server is waiting for its owner",
      before: "Whoever started it has a set-up code: in its log, in ",
      after: ", or printed by this command.",
    },
  },
};
