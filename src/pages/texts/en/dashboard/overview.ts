/** The first page of the dashboard. `{}` stands for a time or a link. */
import { number } from "../numbers.ts";
import { capital, spelled } from "../spelled.ts";

const are = (n: number): string => (n === 1 ? "is" : "are");

interface Heading {
  down: number;
  failed: number;
  /** More have failed than were counted. */
  isMore: boolean;
  waiting: number;
  moreWaiting: boolean;
  /** Alerts, without those that wait. */
  firing: number;
  moreFiring: boolean;
  /** Publishes are refused, to protect what is stored. */
  isRefusing: boolean;
  /** `none` gets through, because no push service answers; `some` wait for one of them. */
  pushes: "none" | "some" | undefined;
  /** The chosen one. */
  namespace: string | undefined;
  checks: Checks;
}
/** `fine` and `late` are absent if they are not known. `fresh`: never checked in. */
interface Checks {
  all: number;
  fine?: number;
  late?: number;
  paused: number;
  fresh: number;
}

export const overview = {
  heading: (given: Heading) => {
    const { isRefusing, down, failed, isMore, waiting, moreWaiting, firing, moreFiring } = given;
    const { pushes, namespace, checks } = given;
    const parts = [
      isRefusing && "publishing is refused",
      waiting > 0 &&
        `${moreWaiting ? "more than " : ""}${spelled(waiting)} urgent ${waiting === 1 ? "message is" : "messages are"} unacknowledged`,
      firing > 0 &&
        `${moreFiring ? "more than " : ""}${spelled(firing)} ${firing === 1 ? "alert is" : "alerts are"} firing`,
      down > 0 && `${spelled(down)} ${down === 1 ? "check" : "checks"} ${are(down)} down`,
      failed > 0 && `${isMore ? "more than " : ""}${spelled(failed)} ${failed === 1 ? "push" : "pushes"} failed`,
      pushes === "none" && "pushes aren’t getting through",
      pushes === "some" && "some pushes aren’t getting through",
    ].filter((part) => part !== false);
    if (parts.length > 0) return `${capital(parts.join(", "))}.`;
    const { all, fine = 0 } = checks;
    const quiet = namespace === undefined ? "All quiet" : `All quiet in ${namespace}`;
    if (fine === 0) return `${quiet}.`;
    if (fine < all) return `${quiet}. ${capital(spelled(fine))} ${fine === 1 ? "check is" : "checks are"} fine.`;
    return all === 1 ? `${quiet}. Your one check is fine.` : `${quiet}. All ${spelled(all)} checks are fine.`;
  },
  /** The checks that are not down; if none is down, the heading says how many are fine. */
  others: ({ down, fine = 0, late = 0, paused, fresh, handled = 0 }: Checks & { down: number; handled?: number }) => {
    const isAll = late + paused + fresh + handled === 0;
    const parts = [
      down > 0 &&
        fine > 0 &&
        `${isAll ? "the other " : ""}${isAll && fine === 1 ? "one" : number(fine)} ${are(fine)} fine`,
      handled > 0 && `${number(handled)} ${are(handled)} being handled`,
      late > 0 && `${number(late)} ${are(late)} a little late`,
      paused > 0 && `${number(paused)} ${are(paused)} paused`,
      fresh > 0 && `${number(fresh)} ${fresh === 1 ? "has" : "have"} never checked in`,
    ].filter((part) => part !== false);
    return parts.length === 0 ? "" : `${capital(parts.join(", "))}.`;
  },
  lastMessage: "Last message: {}.",
  noMessage: "No messages yet.",
  /** The reason follows it. */
  refusing: "Why publishing is refused:",
  state: { down: "Down", failed: "Failed" },
  /** Why follows it. */
  notAccepted: (title: string) => `“${title}” wasn’t accepted`,
  moreDown: (n: number) => `${number(n)} more ${n === 1 ? "check is" : "checks are"} down`,
  moreFailed: (n: number, isMore: boolean) =>
    isMore ? `More than ${number(n)} more pushes failed` : `${number(n)} more ${n === 1 ? "push" : "pushes"} failed`,
  latest: "Latest messages",
  allMessages: "All messages",
  empty: { title: "No messages yet", text: "Messages from your scripts and tools appear here." },
  muteAll: "Mute everything …",
  start: {
    title: "Get started",
    done: (n: number, all: number) => `${number(n)} of ${number(all)} done`,
    isDone: "done",
    hide: "Hide",
    message: "Send your first message",
    device: "Connect a phone or this browser",
    check: "Monitor a cron job: add one line, get alerted when it stops",
    https: "Serve peal over HTTPS: phones need it for push",
  },
};
