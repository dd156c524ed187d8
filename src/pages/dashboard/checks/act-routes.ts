/** The buttons on a check's page, each of which does one thing; the log keeps who pressed it. */
import { actOn, snoozeEnd } from "../../../checks/act.ts";
import type { Check, OwnerEvent } from "../../../checks/check.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Flash } from "../frame/flash.ts";
import { BACK } from "../messages/back.ts";
import { type CheckPagesDeps, checkRoutes, pathOf } from "./on-check.ts";
import { toldBy } from "./check/gather.ts";

export function actRoutes(deps: CheckPagesDeps) {
  const tested = async (check: Check): Promise<Flash> => {
    const { length } = (await toldBy(deps, check)).reached;
    return { say: "checks.test", values: [check.topic.name, length], ...(length === 0 && { tone: "warning" }) };
  };
  const acked = ({ standing: { incident } }: Check): Flash =>
    incident === undefined ? { say: "checks.over", tone: "info" } : { say: "checks.ack" };
  const snooze = { kind: "snooze" } as const;
  const acts: readonly [
    path: string,
    event: (now: Millis) => OwnerEvent,
    said: Flash | typeof acked | typeof tested,
  ][] = [
    ["/pause", () => ({ kind: "pause" }), { say: "checks.pause" }],
    ["/resume", () => ({ kind: "resume" }), { say: "checks.resume" }],
    ["/ack", () => ({ kind: "ack" }), acked],
    ["/snooze", (now) => ({ ...snooze, until: snoozeEnd({ for: "1h" }, now) }), { say: "checks.snooze" }],
    ["/unsnooze", (now) => ({ ...snooze, until: now }), { say: "checks.unsnooze" }],
    ["/test", () => ({ kind: "test" }), tested],
  ];
  const routes = checkRoutes(deps);
  for (const [path, event, said] of acts)
    routes.form(path, "signed in", async ({ desk: { now, visitor }, check, form }) => {
      const done = await actOn(deps, check, { ...event(now), by: visitor.person.name });
      const to = BACK.get(form.get("from")) ?? pathOf(check);
      return { to, flash: typeof said === "function" ? await said(done) : said };
    });
  return routes.routes;
}
