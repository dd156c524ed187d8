/** The buttons on a check's page, each of which does one thing; the log keeps who pressed it. */
import { Elysia } from "elysia";
import { actOn, snoozeEnd } from "../../../checks/act.ts";
import type { Check, OwnerEvent } from "../../../checks/check.ts";
import type { Millis } from "../../../util/clock.ts";
import { pages } from "../../respond.ts";
import { UNREAD } from "../desk.ts";
import type { Flash } from "../frame/flash.ts";
import { BACK } from "../messages/back.ts";
import { atCheck, type CheckPagesDeps, LIST, pathOf } from "./on-check.ts";
import { toldBy } from "./check/gather.ts";

export function actRoutes(deps: CheckPagesDeps) {
  const tested = async (check: Check): Promise<Flash> => {
    const { length } = (await toldBy(deps, check)).reached;
    return { say: "checks.test", values: [check.topic.name, length], ...(length === 0 && { tone: "warning" }) };
  };
  const acked = ({ standing: { incident } }: Check): Flash =>
    incident === undefined ? { say: "checks.over", tone: "info" } : { say: "checks.ack" };
  const acting = (event: (now: Millis) => OwnerEvent, flash: Flash | ((check: Check) => Flash | Promise<Flash>)) =>
    atCheck(deps, "signed in", async ({ now, visitor }, check, form) => {
      const done = await actOn(deps, check, { ...event(now), by: visitor.person.name });
      const to = BACK.get(form.get("from")) ?? pathOf(check);
      return { to, flash: typeof flash === "function" ? await flash(done) : flash };
    });
  const quiet = (now: Millis): OwnerEvent => ({ kind: "snooze", until: snoozeEnd({ for: "1h" }, now) });
  const loud = (now: Millis): OwnerEvent => ({ kind: "snooze", until: now });
  return new Elysia({ prefix: `${LIST}/:id` })
    .use(pages)
    .post(
      "/pause",
      acting(() => ({ kind: "pause" }), { say: "checks.pause" }),
      UNREAD,
    )
    .post(
      "/resume",
      acting(() => ({ kind: "resume" }), { say: "checks.resume" }),
      UNREAD,
    )
    .post(
      "/ack",
      acting(() => ({ kind: "ack" }), acked),
      UNREAD,
    )
    .post("/snooze", acting(quiet, { say: "checks.snooze" }), UNREAD)
    .post("/unsnooze", acting(loud, { say: "checks.unsnooze" }), UNREAD)
    .post(
      "/test",
      acting(() => ({ kind: "test" }), tested),
      UNREAD,
    );
}
