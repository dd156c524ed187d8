/** The texts of a feed's script, which the page passes to it. */

export const live = {
  connecting: "Connecting",
  live: "Live",
  reconnecting: "Reconnecting",
  polling: "Live, checks every 15 s",
  offline: "Offline, showing stored messages",
  /** `{}`: a time. */
  offlineSince:
    "No connection since {}. These messages are stored on this device. New ones will appear when you’re back online; nothing is lost.",
  gone: "This link no longer works: it was replaced by a new one, or the topic was deleted.",
  newOne: "1 new message",
  newMany: "{} new messages",
  /** Read out after how many there are, and before its level. `{}`: the heading of the latest. */
  latest: "latest: {}",
  lastLooked: "You last looked at {}",
  /** After the text of a run of messages. `{n}`: how many, `{}`: the first time and the last. */
  run: "×{n}, {} to {}",
  /** `{}`: how long. */
  ago: "{} ago",
  justNow: "just now",
  today: "Today",
  yesterday: "Yesterday",
  locale: "en-GB",
  /** `{}`: a time. */
  mutedUntil: "Muted until {}",
  muteNeeds: "Only a device that gets notifications can be muted.",
  sent: "Sent",
  notSent: "Not sent",
  unanswered: "You dismissed the prompt. Nothing was changed.",
  noPushService: "The browser can’t reach its push service. Its settings or a firewall may be blocking it.",
  serverAway: "The server didn’t respond. Try again in a moment.",
  tooManyDevices: "This server has reached its device limit. Please let whoever runs it know.",
  testSending: "On its way to the push service …",
  /** `{}`: the status and words of the push service, in brackets. */
  testAccepted: "The push service accepted the test{}. It should be on your screen.",
  testFailed: "The push service didn’t accept the test{}.",
  testLater: "Not accepted yet{}. The server keeps retrying.",
  testExpired: "The test couldn’t be sent in time{}.",
  testCancelled: "The test wasn’t sent{}.",
  /** `{}`: a time. */
  lastAccepted: "Last push accepted at {}.",
  noneYet: "No push has been sent to it yet.",
  /** `{}`: what the push service said. */
  lastFailed: "The last push wasn’t accepted: {}",
};
