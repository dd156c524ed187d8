/** First run. */
import { number } from "./numbers.ts";

export const setup = {
  steps: "Setup",
  step1: "Claim",
  step2: "First message",
  step3: "Your phone",
  title: "Claim this server",
  /** Says in one line what peal is. */
  what: "peal takes messages from your scripts and tools and notifies your phone.",
  lede: "Whoever has the code becomes the admin. You do this once.",
  code: "Setup code",
  name: "Your name",
  passwordHint: "At least 12 characters, any kind. A short sentence works well.",
  filled: "Filled in from your link.",
  whereBefore: "The code is in the server’s log and in ",
  whereBetween: "; ",
  whereAfter: " prints it again.",
  /** If there is already a key: the start prints none. */
  askBefore: "On the server, ",
  askAfter: " prints one.",
  wrong: "That code isn’t valid. Each start creates a new one; use the latest.",
  claim: "Claim and continue",
  noBrowserBefore: "No browser here? ",
  noBrowserAfter: " does the same in a terminal.",
  firstTitle: "Send your first message",
  /** `{}`: namespace and topic. */
  ready:
    "A namespace ({}), a topic ({}) and a key are ready. Paste the URL into a tool, or run the command in any terminal that can reach this server.",
  readyBefore:
    "A namespace ({}) and a topic ({}) are ready. Paste a URL into a tool, or publish with a key from any terminal.",
  /** `{}`: topic and namespace. */
  missing: "It would go to topic {} in namespace {}, which doesn’t exist: it was deleted or never created.",
  makeTopic: "Create the topic",
  // ASCII without characters that a shell reads: it is used in commands (snippets.tsx)
  itWorks: "It works",
  /** `{}`: the words below. */
  onlyNow: "The key in this line is shown {}. Save it in your password manager. It can publish, and nothing else.",
  onlyNowStrong: "only now",
  /** `{}`: the name of the variable. */
  keyAgain:
    "Replace {} with a key from this namespace. Keys are shown only once; if you’ve lost yours, create a new one that can publish here.",
  withKey: "With a key",
  makeKey: "Create a new key",
  waiting: "Waiting for your first message …",
  waitingHint: "It will appear here automatically.",
  waitingDevice: "Waiting for a device …",
  waitingDeviceHere: "It will appear here automatically.",
  waitingDeviceHint: "Usually 15 seconds on Android, 40 on an iPhone.",
  arrived: "Your first message is here",
  testFailed: "The test wasn’t sent. The server’s log may show why.",
  next: "Next: your phone",
  skip: "Skip",
  openTopic: "Open the topic",
  sendTest: "No terminal? Send a test",
  phoneLede: "No app store, no account. The page is the app.",
  connect: "Connect a phone",
  linkHint: "Anyone with this link can read the topic. You can replace it at any time.",
  iphone: "iPhone, iPad",
  /** `{}`: the browser. */
  iphone1: "Scan the code with the camera and open the link in {}.",
  /** `{}`: a sign, then the two words below. */
  iphone2: "Tap {} {}, then {}. iPhones allow push only from the Home Screen.",
  iphone2Taps: ["Share", "Add to Home Screen"] as [string, string],
  iphone3: "Open peal from its new icon, tap {}, then {}.",
  allow: "Allow",
  android1: "Scan the code with the camera and open the link. Chrome, Firefox and Samsung Internet all work.",
  tap: "Tap {}.",
  android3: "Tap {}. You can install the page to get an icon, but you don’t have to.",
  /** In front of how to use the ntfy app, where the page is another way. */
  appLede: "Another way: the ntfy app, free for Android and iPhone.",
  sendToApp: "Send a test message",
  flash: { sent: "Test message sent. Check the app." },
  computer: "This computer",
  computerTitle: "Get it on this computer",
  computerLede: "Browsers trust their own machine without HTTPS, so notifications work here right away.",
  /** If there is no HTTPS, and the reader is on another machine. */
  pageLede: "Without HTTPS, your phone can show messages but can’t be notified.",
  pageLedeApp:
    "Without HTTPS, a phone’s browser can show messages but can’t notify you. The ntfy app can, and is free for Android and iPhone.",
  pageTitle: "Or open the page on your phone",
  page1: "Scan the code with the camera and open the link.",
  page2: "New messages appear while the page is open.",
  /** `{}`: a link. */
  computer1: "{} in the browser you use every day.",
  computer2: "Click {}, then {}.",
  computer3: "Keep the browser running; you can close the tab.",
  nameless: "Unnamed device",
  justNow: "just now",
  /** `{}`: a time. */
  since: "since {}",
  noTest: "No test has been sent to it yet.",
  testAccepted: (service: string, ms: number) => `Test push accepted by ${service} in ${number(ms)}\u00a0ms.`,
  testStuck: (service: string) => `The test push hasn’t reached ${service} yet.`,
  testPending: (service: string) => `The test push is on its way to ${service} …`,
  testRefused: (service: string) => `${service} didn’t accept the test push.`,
  testLate: (service: string) => `${service} couldn’t be reached in time.`,
  testCancelled: "The test push wasn’t sent: the device is gone.",
  lookAtIt: "Check the device. Nothing there? A Focus or Do Not Disturb may be hiding it.",
  sendAgain: "Send again",
  later: "Do this later",
  toOverview: "Open the overview",
  httpsTitle: "Phones accept push only over HTTPS",
  httpsLede:
    "Publishing, the live feed and checks work without it. For push, give this server an HTTPS address with what you already use:",
  ways: "Ways to get HTTPS",
  own: "peal itself",
  /** `{}`: three words of settings. */
  ownText:
    "peal gets a certificate for a domain name of yours and renews it. With {}, no port has to be open to the internet: name who hosts your DNS ({}) and set a token that may change its records. Without it, port 80 of the name has to lead to this machine.",
  ownThen: "Restart peal with these values. This page then says whether it worked.",
  ownTailscale: "Or with Tailscale on this machine, without a domain name:",
  /** `{}`: the address. */
  ownWorks: "HTTPS works: your phone will be able to subscribe at {}.",
  ownFails: "HTTPS doesn’t work yet.",
  /** `{}`: names, and the name of this server. */
  ownOther: "The certificate is for {} and not for {}, so browsers refuse it.",
  checkAgain: "Check again",
  /** `{}`: the name of the file. */
  caddy: "In your {}, with a domain name that points to this machine:",
  tailscale: "On this machine. Only devices in your tailnet can reach it:",
  /** `{}`: an address. */
  cloudflare: "Add a public hostname that leads to {}, or run:",
  cloudflareHint: "The tunnel may hold back live streams; the feed then checks for new messages every 15 s.",
  thenTell: "Then set peal’s address as an environment variable (or with --base-url) and restart it:",
  setting: "Setting",
  claimedTitle: "This server is already set up",
  claimedBefore: "Setup is done once. On the server itself, ",
  claimedAfter: " creates new keys.",
  goOn: "Continue setup",
};
