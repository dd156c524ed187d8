/** The feed of a topic. */
import { count, number } from "../numbers.ts";

export const feed = {
  search: "Search",
  searchTopic: "Search this topic",
  /** About the numbers on the chips, if there are older messages. */
  counted: "Counts cover this page only",
  today: "Today",
  yesterday: "Yesterday",
  clearTag: "Show all tags",
  older: "Older messages",
  newest: "Newest messages",
  searchedTo: (id: number) => `Searched back to message ${number(id)} so far.`,
  goOn: "Keep searching",
  noneFound: (words: string) => `No messages match “${words}”`,
  searched: "The titles and text of all messages were searched.",
  clearSearch: "Clear search",
  noneHere: "No matching messages",
  showAll: "Show all messages",
  noneOlder: "No older messages",
  noneKept: "No messages left",
  nothingYet: "Nothing here yet",
  sendFirst: "Send the first message, and it will appear here.",
  keyHint: (namespace: string) => ({
    before: " is a key for namespace ",
    namespace,
    after: " that can publish. Ask whoever runs this server for one. It’s never shown on this page.",
  }),
  about: "About this topic",
  elsewhere: "Elsewhere",
  copyLink: "Copy link",
  whoReads: "Anyone with the link can read this topic.",
  staysFor: (days: number, messages: number) =>
    days > 0 && messages > 0
      ? `Keeps up to ${count(messages, "message", "messages")} for ${count(days, "day", "days")}.`
      : days > 0
        ? `Keeps messages for ${count(days, "day", "days")}.`
        : messages > 0
          ? `Keeps the latest ${count(messages, "message", "messages")}.`
          : "Keeps messages until they’re deleted.",
  keys: {
    title: "Keyboard shortcuts",
    /** `{}`: a key each. */
    short: "{} {} next and previous, {} search, {} mute, {} all shortcuts.",
    all: [
      ["j", "Next message"],
      ["k", "Previous message"],
      ["/", "Search"],
      ["c", "Copy the message"],
      ["m", "Mute on this device, or unmute"],
      ["?", "Show this list"],
    ] as [key: string, what: string][],
    on: "Keyboard shortcuts on",
    show: "All shortcuts",
  },
  withoutScript: (zone: string) =>
    `Without JavaScript, reload the page to see new messages; notifications need JavaScript too. Times are in ${zone}.`,
  description: (namespace: string) => `Messages from a topic in ${namespace}, live.`,
};
