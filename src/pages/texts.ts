/** Every word that pages say, in English; another language is another object of this shape. */
import type { Level } from "../messages/message.ts";

const number = (n: number): string => n.toLocaleString("en");
const count = (n: number, one: string, many: string): string => `${number(n)}\u00a0${n === 1 ? one : many}`;

export const texts = {
  language: "en",
  /** Of dates: the day before the month, 24 hours. */
  locale: "en-GB",
  skip: "Skip to content",
  theme: { toDark: "Switch to the dark theme", toLight: "Switch to the light theme" },
  copy: { copy: "Copy", done: "Copied", command: "Copy command", number: "Copy request number" },
  command: "Command",
  commandLanguage: "Language of the command",
  tools: { title: "From a tool that has webhooks" },

  error: {
    request: (id: string) => `request ${id}`,
    again: "Try again",
    haveCode: "I have the code",
    toStart: "To the start page",
    pages: {
      unknown_topic: {
        title: "No topic lives at this link",
        text: "The link may be mistyped, or it was replaced by a new one. If it was replaced, the messages are still there under the new one. Ask whoever gave it to you.",
      },
      unknown_message: {
        title: "This message is gone",
        text: "It was deleted, or it was older than the topic keeps messages.",
      },
      not_found: { title: "Nothing is at this address", text: "The link may be mistyped." },
      cross_site: {
        title: "This form came from somewhere else",
        text: "It was not sent by a page of this server, or the browser did not say so. Nothing was changed. Open the page here and send the form again.",
      },
      rate_limited: {
        title: "That was too fast",
        text: "This server answers one address only so many times in a row. Wait a moment, then try again.",
      },
      internal: {
        title: "That did not work, and it is our fault",
        text: "Try again in a minute. If it stays, the log of the server has the reason under this number:",
      },
      unavailable: {
        title: "The server cannot store anything now",
        text: "Its disk may be full. Nothing was changed or lost. Try again in a minute.",
      },
      stopping: { title: "The server is restarting", text: "Try again in a moment." },
      not_set_up: {
        title: "This server is waiting for its owner",
        before: "Whoever started it has a set-up code: in its log, in ",
        after: ", or printed by this command.",
      },
    },
  },

  level: { info: "Info", success: "Success", warning: "Warning", error: "Error" } satisfies Record<Level, string>,
  priority: { urgent: "Urgent", high: "high priority", low: "low priority" },
  source: new Map([
    ["api", "API"],
    ["ntfy", "ntfy"],
    ["check", "check"],
    ["dashboard", "dashboard"],
    ["schedule", "scheduled"],
    ["system", "peal"],
  ]),
  rewrite: new Map([
    ["alertmanager", "Alertmanager"],
    ["uptimekuma", "Uptime Kuma"],
    ["grafana", "Grafana"],
    ["komodo", "Komodo"],
  ]),

  card: {
    message: (id: number) => `Message ${number(id)}`,
    resolved: "Resolved",
    firingSince: "firing since",
    /** `{}`: a duration. */
    firingFor: "firing for {}",
    happened: "happened",
    open: (host: string) => `Open ${host}`,
    write: (address: string) => `Write to ${address}`,
    call: (telephone: string) => `Call ${telephone}`,
    image: (host: string) => `Image from ${host}`,
    showLines: (lines: number) => `Show all ${count(lines, "line", "lines")}`,
    showAll: "Show all",
    earlier: (n: number, more: boolean) => (more ? `the ${number(n)} before, and more` : `${number(n)} earlier`),
    menu: "More for this message",
    waiting: "waiting for someone",
    /** Followed by a time. */
    ringsUntil: "Rings every minute until someone acknowledges, at the latest until",
    rangUntil: "Nobody acknowledged it. It rang until",
    acknowledge: "Acknowledge",
    notAcknowledged: "That did not reach the server. Try again.",
    /** Followed by a time. */
    acknowledged: "acknowledged",
    copyText: "Copy text",
    copyLink: "Copy link",
  },

  feed: {
    search: "Search",
    searchTopic: "Search this topic",
    show: "Show",
    all: "All",
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
    nothingYet: "Nothing here yet",
    sendFirst: "Send the first message. It shows up here by itself.",
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
    withoutScript:
      "Without JavaScript, reload the page to see what is new; notifications need it as well. Times are in UTC.",
    description: (namespace: string) => `Messages of a topic in ${namespace}, live.`,
  },

  notify: {
    about: "Notifications",
    start: "Notify me",
    offTitle: "Get these on this device",
    off: "A notification for every new message, also when this page is closed.",
    askingTitle: "The browser asks you",
    asking: "Allow notifications there, and they come also when this page is closed.",
    onTitle: "Notifications are on for this browser",
    test: "Send test",
    stop: "Stop notifying",
    lostTitle: "Notifications have stopped",
    lost: "The browser or its push service has dropped this subscription. What was missed is here on the page.",
    startAgain: "Notify me again",
    failedTitle: "Notifications are not on",
    blockedTitle: "This browser blocks notifications from peal.",
    blocked: "Allow them in the site settings (the sign left of the address), then reload.",
    insecureTitle: "Browsers accept push only over https.",
    insecure: "You can read here. For notifications, ask whoever runs this server for its https address.",
    unsupportedTitle: "This browser cannot receive push.",
    unsupported: "A private window, perhaps, or an old version. Open this page in another browser for notifications.",
    homeScreenTitle: "Two taps before the bell",
    homeScreen: "iPhones and iPads notify only from an icon on the Home Screen.",
    step1: { before: "Tap ", what: "Share", after: " in the bar of the browser." },
    step2: { before: "Choose ", what: "Add to Home Screen", after: "." },
    step3: { before: "Open peal from the new icon and tap ", what: "Notify me", after: "." },
  },

  home: {
    title: "peal is running",
    lede: "Messages that were published here are read by the share link of their topic.",
    publish: "Publish a message",
    publishHint:
      "$KEY is an API key. The first part of the address is its namespace, the second the topic, which is made when it is new.",
    read: "Read a topic",
    readBefore: "The answer to a published message has a ",
    readAfter: ": the topic's share link. Anyone who has it can read the topic, and nobody else.",
    docs: "All of the HTTP API",
  },

  docs: {
    title: "HTTP API",
    version: (version: string) => `peal ${version}`,
    sameAs: "For programs, the same as",
    keys: "A key goes into the header Authorization: Bearer svc_…, or into Basic as the password. Errors are RFC 9457 problems: code says which, detail what to do.",
    contents: "Contents",
    needsKey: "Needs an API key.",
    needsNone: "Needs no key.",
    parameters: "Parameters",
    body: "Body",
    problem: "A problem.",
    required: "required",
    or: "or",
    listOf: (of: string, most: number | undefined) => `list of ${of}${most === undefined ? "" : `, ≤ ${most}`}`,
    characters: "characters",
    bytes: "bytes",
    anything: "anything",
  },

  setup: {
    steps: "Set-up",
    step1: "Claim",
    step2: "First message",
    title: "Claim this server",
    lede: "Whoever holds the code becomes its admin. You do this once.",
    code: "Set-up code",
    filled: "Filled in from your link.",
    whereBefore: "The code is in the server's log and in ",
    whereBetween: "; ",
    whereAfter: " prints it again.",
    wrong: "This is not the code of this server. A new one is made at each start: take the latest.",
    claim: "Claim and go on",
    noBrowserBefore: "No browser here? A server that starts with ",
    noBrowserAfter: " needs no code.",
    firstTitle: "Send your first message",
    readyBefore: "Namespace ",
    readyBetween: ", topic ",
    readyAfter: " and a key for them are ready. Paste this into any terminal that reaches this server.",
    itWorks: "It works",
    onlyNowBefore: "The key in this line is shown ",
    onlyNow: "only now",
    onlyNowAfter: ". Keep it in your password manager. It is the admin's: it can also make other keys.",
    waiting: "Waiting for your first message …",
    waitingHint: "It shows up here by itself. Without JavaScript, open the topic.",
    arrived: "Your first message is here",
    testFailed: "The test was not sent. The log of the server may say why.",
    openTopic: "Open the topic",
    sendTest: "No terminal? Send a test",
    shareHint: "The address of the topic is its share link: anyone who has it can read along.",
    claimedTitle: "This server is set up already",
    claimedBefore: "Somebody has claimed it with its code, which works once. On the machine itself ",
    claimedAfter: " makes new keys.",
  },

  /** What the script says: handed to it by the page. */
  live: {
    connecting: "Connecting",
    live: "Live",
    reconnecting: "Reconnecting",
    polling: "Live, checks every 15 s",
    offline: "Offline, showing what was loaded",
    gone: "This link does not work any more: it was replaced by a new one, or the topic was deleted.",
    newOne: "1 new message",
    newMany: "{} new messages",
    lastLooked: "You last looked at {}",
    today: "Today",
    yesterday: "Yesterday",
    hour: "h",
    minute: "min",
    dayUnit: "d",
    locale: "en-GB",
    sent: "Sent",
    notSent: "Not sent",
    unanswered: "The question was closed without an answer. Nothing was changed.",
    noPushService:
      "The browser cannot reach its push service. Its settings may forbid it, or a firewall stands in between.",
    serverAway: "The server did not answer. Try again in a moment.",
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
  },

  /** What the service worker says: handed to it with its script. */
  worker: {
    acknowledge: "Acknowledge",
    notAcknowledged: "That did not reach the server: not acknowledged",
    /** `{}`: the button. */
    notSent: "“{}” could not be sent",
  },
};

/** The catalogue's part for the script, as the text of an attribute. */
export const liveTexts = (): string => JSON.stringify(texts.live);
