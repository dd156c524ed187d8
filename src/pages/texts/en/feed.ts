/** The feed of a topic. */
import { count, number } from "./numbers.ts";

export const feed = {
  search: "Search",
  searchTopic: "Search this topic",
  show: "Show",
  all: "All",
  onPage: "on this page",
  messages: "Messages",
  today: "Today",
  yesterday: "Yesterday",
  tagged: "Tagged",
  clearTag: "Show all tags",
  older: "Older messages",
  newest: "Newest messages",
  searchedTo: (id: number) => `Searched back to message ${number(id)}, no further yet.`,
  goOn: "Search on",
  noneFound: (words: string) => `No message says “${words}”`,
  searched: "Titles and text of all messages were searched.",
  clearSearch: "Clear search",
  noneHere: "No message like this",
  showAll: "Show all messages",
  noneOlder: "Nothing older is kept here",
  noneKept: "Nothing is kept here any more",
  nothingYet: "Nothing here yet",
  sendFirst: "Send the first message: it shows up here.",
  keyHint: (namespace: string) => ({
    before: " is a key of namespace ",
    namespace,
    after: " that may publish. Whoever runs this server makes one. This page never shows it.",
  }),
  about: "About this topic",
  elsewhere: "Elsewhere",
  copyLink: "Copy link",
  whoReads: "Anyone with the link can read this topic.",
  staysFor: (days: number, messages: number) =>
    days > 0 && messages > 0
      ? `Messages stay for ${count(days, "day", "days")}, the latest ${number(messages)} of them.`
      : days > 0
        ? `Messages stay for ${count(days, "day", "days")}.`
        : messages > 0
          ? `The latest ${count(messages, "message", "messages")} are kept.`
          : "Messages stay until they are deleted.",
  keys: {
    title: "Keys",
    /** `{}`: a key each. */
    short: "{} {} next and previous, {} search, {} mute, {} all of them.",
    all: [
      ["j", "Next message"],
      ["k", "Previous message"],
      ["/", "Search"],
      ["c", "Copy the message"],
      ["m", "Mute on this device, or unmute"],
      ["?", "This list"],
    ] as [key: string, what: string][],
    on: "Keys are on",
    close: "Close",
    show: "All keys",
  },
  withoutScript: (zone: string) =>
    `Without JavaScript, reload the page to see what is new; notifications need it as well. Times are those of ${zone}.`,
  description: (namespace: string) => `Messages of a topic in ${namespace}, live.`,
};
