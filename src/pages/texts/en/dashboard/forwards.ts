/** The pages of forwards. Where a text has `{}`, a part of the page follows. */

export const forwards = {
  add: "Forward to another service",
  lede: "Each message of a topic is passed to a service you already use, with the same retries as for a phone.",
  services: "Services",
  /** What each kind is, in a few words. */
  about: new Map([
    ["webhook", "Your own program, as JSON that it can verify; or anything that takes Slack’s or Discord’s format."],
    ["ntfy", "A topic on another ntfy server."],
    ["gotify", "An application on a Gotify server."],
    ["discord", "A Discord server."],
    ["slack", "Slack, Mattermost or Rocket.Chat."],
    ["telegram", "A chat or a group, through a bot."],
    ["matrix", "A room on a Matrix homeserver."],
    ["pushover", "Pushover’s apps; urgent messages can ring until someone acknowledges them."],
    ["apprise", "Some 130 more services, through an Apprise API server."],
    ["email", "An address, through your mail provider."],
  ]),
  newOne: (service: string) => `Forward to ${service}`,
  changeOf: (name: string) => `Where ${name} sends`,
  topic: "Messages from topic",
  topicHint: "Its share link, or the last part of it.",
  nameHint: "Shown on the dashboard. If left empty, it’s the service’s name.",
  asUsual: "Default",
  secretStays: "It’s set, and never shown again. Leave the field empty to keep it.",
  removeSecret: (label: string) => `Remove it: ${label}`,
  create: "Create forward",
  noTopicYet: "There’s no topic to forward yet",
  where: "Where it sends",
  isSet: "set, not shown",
  change: "Change …",
  /** Of the forward that the server makes itself. `{}`: a setting. */
  ofServer: "The server created it because {} is set.",
  wrong: {
    name: "Enter a name of 1 to 100 characters.",
    needed: "Fill in this field.",
    shape: (example: string | undefined) =>
      `That isn’t in the form this field needs${example === undefined ? "" : `, for example ${example}`}.`,
    /** `most`: Infinity if there is no limit. */
    number: (least: number, most: number) =>
      most === Infinity ? `Enter a whole number, ${least} or more.` : `Enter a whole number from ${least} to ${most}.`,
    length: (least: number, most: number) => `Enter ${least} to ${most} characters.`,
    /** A secret that was right, in a form that is not: the page does not have it. */
    again: "Enter it again: secrets aren’t sent back to the page.",
    host: (host: string) =>
      `peal won’t send to this address, because it’s private or the connection isn’t encrypted. The server’s operator can allow it with PEAL_FORWARD_HOSTS=${host}.`,
    full: "This namespace can’t have more forwards, or the topic more devices.",
    /** The API's words about combinations of settings, and ours. */
    said: new Map([
      [
        "is this server: a message would come back, and be forwarded again",
        "That’s this server: each message would come back and be forwarded again.",
      ],
      ["must not have a user name or password", "Enter the address without a user name and password."],
      ["can't be used together with a user name", "Use a token or a user name, not both."],
      ["either `key` or `urls` is needed, not both", "Enter a configuration key or Apprise URLs, not both."],
      ["can only be used with `key`", "Tags only work with a configuration key."],
      ["must be one mail address, or `Name <address>`", "Enter one address, with or without a name."],
      ["must be mail addresses with commas between them", "Enter email addresses, separated by commas."],
      ["has more than 20 addresses", "Enter at most 20 addresses."],
      [
        "must be entered again, because it would go to another host",
        "Enter it again: it would be sent to a different host.",
      ],
      [
        "must be `whsec_` and the base64 of 16 bytes or more",
        "Enter whsec_ and at least 16 bytes in Base64, or any other text.",
      ],
    ]),
  },
  removed: {
    link: "Remove forward …",
    again: "To add it again, you need its credentials.",
    button: "Remove forward",
    keep: "Keep forward",
  },
  noTopics: "It doesn’t follow any topic, so nothing is sent to it.",
  flash: {
    made: (name: string) => `${name} is ready. Send a test to see if it arrives.`,
    changed: "Saved. Send a test to see if it arrives.",
  },
};
