/** The texts that the script uses (`texts.live` of the catalogue), which the page carries. */

export interface Words {
  connecting: string;
  live: string;
  reconnecting: string;
  polling: string;
  offline: string;
  /** Only on the dashboard. */
  signedOut: string;
  offlineSince: string;
  /** On a feed: its link was replaced or its topic deleted. On the dashboard: the page is gone. */
  gone: string;
  newOne: string;
  newMany: string;
  latest: string;
  lastLooked: string;
  run: string;
  ago: string;
  justNow: string;
  today: string;
  yesterday: string;
  locale: string;
  mutedUntil: string;
  muteNeeds: string;
  sent: string;
  notSent: string;
  unanswered: string;
  noPushService: string;
  serverAway: string;
  tooManyDevices: string;
  testSending: string;
  testAccepted: string;
  testFailed: string;
  testLater: string;
  testExpired: string;
  testCancelled: string;
  lastAccepted: string;
  noneYet: string;
  lastFailed: string;
}

export const words = JSON.parse(document.documentElement.dataset["words"] ?? "{}") as Words;
