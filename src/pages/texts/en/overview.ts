/** The first page of the dashboard. `{}`: a time or a link stands there. */
import { number } from "./numbers.ts";
import { capital, spelled } from "./spelled.ts";

const are = (n: number): string => (n === 1 ? "is" : "are");

interface Heading {
  down: number;
  failed: number;
  /** More than so many failed. */
  isMore: boolean;
  waiting: number;
  checks: number;
}

export const overview = {
  title: "Overview",
  heading: ({ down, failed, isMore, waiting, checks }: Heading) => {
    const parts = [
      down > 0 && `${spelled(down)} ${down === 1 ? "check" : "checks"} ${are(down)} down`,
      failed > 0 && `${isMore ? "more than " : ""}${spelled(failed)} ${failed === 1 ? "push" : "pushes"} failed`,
      waiting > 0 && `${spelled(waiting)} urgent ${waiting === 1 ? "message waits" : "messages wait"} for someone`,
    ].filter((part) => part !== false);
    if (parts.length > 0) return `${capital(parts.join(", "))}.`;
    if (checks === 0) return "Nothing needs you.";
    return checks === 1
      ? "Nothing needs you, the one check is fine."
      : `Nothing needs you, all ${spelled(checks)} checks are fine.`;
  },
  /** Of the checks that are not down. */
  others: ({ fine, late, down }: { fine: number; late: number; down: number }) => {
    if (fine === 0) return "";
    const who = down === 0 ? "" : fine === 1 ? "The other one is fine" : `The other ${number(fine)} are fine`;
    const lateWords = late === 0 ? "" : `${spelled(late)} of them a little late`;
    if (who === "")
      return late === 0
        ? ""
        : `${capital(spelled(late))} ${late === 1 ? "check" : "checks"} ${are(late)} a little late.`;
    return late === 0 ? `${who}.` : `${who}, ${lateWords}.`;
  },
  lastMessage: "Last message {}.",
  noMessage: "No message has come yet.",
  needsYou: "Needs you",
  state: { down: "Down", failed: "Failed" },
  /** `why`: a sentence, or nothing. */
  notAccepted: (title: string) => `“${title}” was not accepted`,
  waiting: "Urgent, waiting for someone since {}.",
  acknowledge: "Acknowledge",
  moreDown: (n: number) => `${number(n)} more ${n === 1 ? "check is" : "checks are"} down`,
  moreFailed: (n: number, isMore: boolean) =>
    isMore ? `More than ${number(n)} more pushes failed` : `${number(n)} more ${n === 1 ? "push" : "pushes"} failed`,
  latest: "Latest messages",
  allTopics: "All topics",
  empty: { title: "No messages yet", text: "What your scripts and tools send shows up here by itself." },
  muteAll: "Mute everything for 1 h",
  mutedUntil: "Muted until {}",
  start: {
    title: "Get started",
    done: (n: number, all: number) => `${number(n)} of ${number(all)} done`,
    isDone: "done",
    hide: "Hide",
    message: "Send a first message",
    device: "Connect a phone",
    check: "Watch a cron job: one line at its end, and silence raises the alarm",
    https: "Serve peal over https: phones accept push only from there",
  },
};
