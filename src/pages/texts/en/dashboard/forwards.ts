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
    ["matrix", "A room."],
    ["pushover", "Its apps; urgent messages can ring until someone acknowledges them."],
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
  where: "Where it sends",
  isSet: "set, not shown",
  yes: "yes",
  no: "no",
  change: "Change …",
  wrong: {
    name: "Enter a name of 1 to 100 characters.",
    needed: "Fill in this field.",
    shape: (example: string | undefined) =>
      `That isn’t in the form this field needs${example === undefined ? "" : `, for example ${example}`}.`,
    number: "Enter a whole number.",
    host: (host: string) =>
      `peal doesn’t send there: the address isn’t public, or not over HTTPS. Whoever runs this server can allow it with PEAL_FORWARD_HOSTS=${host}.`,
    itself: "That’s this server: each message would come back and be forwarded again.",
    full: "This namespace has as many forwards as it can, or the topic as many devices.",
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
