/** Notify me. */

export const notify = {
  about: "Notifications",
  start: "Notify me",
  offTitle: "Get notified on this device",
  off: "Get a notification for every new message, even when this page is closed.",
  askingTitle: "Your browser is asking",
  asking: "Allow notifications there to get them even when this page is closed.",
  joiningTitle: "Asking the push service",
  joining: "This takes a few seconds.",
  onTitle: "Notifications are on in this browser",
  stop: "Stop notifications",
  lostTitle: "Notifications have stopped",
  lost: "The browser or its push service dropped this subscription. Anything you missed is here on the page.",
  startAgain: "Notify me again",
  failedTitle: "Notifications aren’t on",
  blockedTitle: "This browser blocks notifications from peal.",
  blocked: "Allow them in the site settings (the icon to the left of the address), then reload.",
  insecureTitle: "Browsers accept push only over HTTPS.",
  insecure: "You can read messages here. For notifications, ask whoever runs this server for its HTTPS address.",
  /** With a link of the words below in the place of `{}`. */
  insecureApp:
    "You can read messages here. For notifications, use {}, or ask whoever runs this server for its HTTPS address.",
  ntfyApp: "the ntfy app",
  unsupportedTitle: "This browser can’t receive push.",
  unsupported: "It may be a private window or an old version. For notifications, open this page in another browser.",
  /** With the same link. */
  unsupportedApp:
    "It may be a private window or an old version. For notifications, open this page in another browser, or use {}.",
  homeScreenTitle: "Add to Home Screen first",
  homeScreen: "iPhones and iPads allow notifications only from a Home Screen icon.",
  quiet: "Mute on this device",
  quietWhat: "Mutes this topic on this device only, including urgent messages. They still appear on this page.",
  quietHour: "1 hour",
  quietTomorrow: "Until tomorrow",
  mutedWhat: "Until then, nothing from this topic is sent to this device.",
  step1: { before: "Tap ", what: "Share", after: " in the browser’s toolbar." },
  step2: { before: "Choose ", what: "Add to Home Screen", after: "." },
  step3: { before: "Open peal from the new icon and tap ", what: "Notify me", after: "." },
};
