/** The words of pictures. `{}` stands for a time. */
import type { ByLevel } from "../../../store/days.ts";
import { lasting } from "../lasting.ts";
import { count, number } from "./numbers.ts";

const messages = (n: number): string => count(n, "message", "messages");
const after = (ms: number): string =>
  ms < 10_000 ? `${number(Math.round(ms / 100) / 10)}\u00a0s` : lasting(Math.round(ms / 1_000) * 1_000);

export const charts = {
  /** `112 messages: 3 errors, 4 warnings` */
  volume: ({ info, success, warning, error }: ByLevel) => {
    const parts = [
      error > 0 && count(error, "error", "errors"),
      warning > 0 && count(warning, "warning", "warnings"),
      success > 0 && count(success, "success", "successes"),
    ].filter((part) => part !== false);
    return [messages(info + success + warning + error), ...(parts.length > 0 ? [parts.join(", ")] : [])].join(": ");
  },
  /** For columns of messages, one an hour. */
  mostAnHour: (n: number) => `up to ${number(n)} an hour`,
  at: (time: string, words: string) => `${time}: ${words}`,
  day: {
    title: "Last 24 hours",
    byHour: (namespace: string) => `Messages by the hour in ${namespace}`,
    down: "down",
    since: "down since {}",
    during: "down {} to {}",
    times: (n: number, ms: number) => `down ${number(n)} times, ${lasting(ms)} in all`,
    timesSince: (n: number) => `down ${number(n)} times, the last since {}`,
    taken: (by: string | undefined) => `${by ?? "someone"} is on it`,
    isGap: "peal was off when its check-in was due",
    more: (n: number, isMore: boolean) =>
      `and ${isMore ? "more than " : ""}${number(n)} more ${n === 1 && !isMore ? "check that was" : "checks that were"} down`,
    elsewhere: (n: number, down: number, sum: number) =>
      `In ${number(n)} more ${n === 1 ? "namespace" : "namespaces"}: ${messages(sum)}, ${count(down, "check", "checks")} down.`,
    quiet: (names: string, more: number) =>
      `Nothing happened in ${names}${more === 0 ? "" : ` and ${number(more)} more ${more === 1 ? "namespace" : "namespaces"}`}.`,
  },
  month: {
    title: "Last 30 days",
    byDay: "By day",
    zone: (zone: string) => `Days in ${zone}`,
    clear: "Show every day",
  },
  week: {
    title: "Last 7 days",
    pushes: "Pushes a day",
    /** For a day, or for all of them. */
    outcome: (accepted: number, failed: number) =>
      `${count(accepted, "push", "pushes")} accepted, ${number(failed)} failed or expired`,
    good: "accepted",
    bad: "failed or expired",
    share: "Share accepted, hour by hour",
    accepted: (accepted: number, all: number) => `${number(accepted)} of ${number(all)} accepted`,
    median: (ms: number) => `median ${after(ms)}`,
    newest: (n: number) => `The ${number(n)} devices added last`,
    wrong: "Hours with pushes that failed",
  },
  spark: {
    /** For 24 hours. */
    sum: (n: number) => `${number(n)} in 24\u00a0h`,
    most: (n: number, time: string) => `most around ${time}: ${number(n)} in an hour`,
    mostAt: "peak {}",
  },
  fold: {
    title: "Devices in trouble",
    /** `8 waiting, certificate not trusted` */
    waiting: (n: number) => `${number(n)} waiting`,
    failed: (n: number) => `${number(n)} failed`,
    expired: (n: number) => `${number(n)} expired`,
  },
};
