/** The catalogue's part for the script (`texts.live`), as the page hands it over. */

export interface Words {
  connecting: string;
  live: string;
  reconnecting: string;
  polling: string;
  offline: string;
  /** Of the dashboard. */
  signedOut: string;
  offlineSince: string;
  /** Of a feed whose link was replaced; of the dashboard, where a page is there no longer. */
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
