/** What the script of a feed says: handed to it by the page. */

export const live = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  polling: "Live, checks every 15 s",
  offline: "Offline, showing what is stored",
  /** `{}`: a time. */
  offlineSince:
    "No connection since {}. These messages are stored on this device. New ones appear when the connection is back; nothing is lost.",
  gone: "This link does not work any more: it was replaced by a new one, or the topic was deleted.",
  newOne: "1 new message",
  newMany: "{} new messages",
  /** Read out: how many, then of the latest its heading and its level. */
  latest: "{}, latest: {}, {}",
  lastLooked: "You last looked at {}",
  /** Behind what a run of messages says. `{n}`: how many, `{}`: the first time and the last. */
  run: "×{n}, {} to {}",
  today: "Today",
  yesterday: "Yesterday",
  locale: "en-GB",
  /** `{}`: a time. */
  mutedUntil: "Muted until {}",
  muteNeeds: "Only a device that gets notifications can be muted.",
  sent: "Sent",
  notSent: "Not sent",
  unanswered: "The question was closed without an answer. Nothing was changed.",
  noPushService:
    "The browser cannot reach its push service. Its settings may forbid it, or a firewall stands in between.",
  serverAway: "The server did not answer. Try again in a moment.",
  tooManyDevices: "This server cannot notify any more devices. Please tell whoever runs it.",
  testSending: "On its way to the push service …",
  /** `{}`: the status and words of the push service, in brackets. */
  testAccepted: "The push service accepted the test{}. It should be on the screen.",
  testFailed: "The push service did not accept the test{}.",
  testLater: "Not accepted yet{}. The server tries again by itself.",
  testExpired: "The test could not be sent in time{}.",
  testCancelled: "The test was not sent{}.",
  /** `{}`: a time. */
  lastAccepted: "Last push accepted at {}.",
  noneYet: "No push was sent to it yet.",
  /** `{}`: what the push service said. */
  lastFailed: "The last push was not accepted: {}",
};
