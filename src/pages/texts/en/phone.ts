/** Topics in the ntfy app, beside the page itself. */

export const phone = {
  title: "Get it on your phone",
  app: "With the ntfy app",
  /** `{}`: Notify me. */
  beside: "Open the topic’s page on the phone and tap {}, or use the ntfy app, free for Android and iPhone.",
  /** If the address is not https. */
  instead: "Browsers accept push only over HTTPS. The ntfy app works without it, and is free for Android and iPhone.",
  direct: "The app connects to this server itself, so it works wherever the phone can reach the server.",
  /** `{}`: a path. */
  withPath: "The ntfy app can’t read this server: it accepts only addresses without a path, and this one ends in {}.",
  /** `{}`: the address of this page, and an example. */
  ownMachine:
    "Your phone can’t reach {}. Open this page with the server’s address in your network, like {}, and it shows what to enter in the app.",
  /** Stands in an example of an address. */
  machine: "server",
  onAndroid: "The ntfy app on Android",
  /** `{}`: two stores. */
  androidInstall: "Install ntfy from {} or {}.",
  /** `{}`: a link with the words below. */
  androidOpen: "Scan this code, or open the topic’s page on the phone and tap {}.",
  openIn: "Open in ntfy",
  qr: (topic: string) => `QR code that opens topic ${topic} in the ntfy app`,
  androidAllow: "Allow notifications, and turn battery optimization off if the app asks.",
  /** `{}`: two words of the app. */
  androidType: "Nothing opens? In the app, tap {}, turn on {} and enter:",
  androidAnother: "Use another server",
  onIphone: "The ntfy app on iPhone",
  /** `{}`: the store. */
  iphoneInstall: "Install ntfy from the {}.",
  /** `{}`: a word of the app. */
  iphoneServer: "In its settings, enter this as {}:",
  /** `{}`: a word of the app. */
  iphoneTopic: "Tap {} and enter this topic:",
  /** `{}`: a setting of the server. */
  iphoneLate:
    "Messages arrive at once only if {} is set on this server. Otherwise iOS decides when the app looks: within half an hour, or after hours if the phone is idle.",
  iphoneAtOnce: (host: string) =>
    `Messages arrive at once: this server wakes the app through ${host}, which learns only that there’s something new.`,
  server: "Server address",
  topic: "Topic",
  copyServer: "Copy the server’s address",
  copyTopic: "Copy the topic",
};
