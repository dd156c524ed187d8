/**
 * A person's last use: requests that an open page makes by itself do not count, because no one may be there
 * (docs/dashboard.md).
 */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { inProcess } from "../support/server.ts";
import { cookieOf, login, person } from "../support/signin.ts";

const HOUR = 3_600_000;
type Headers = Record<string, string>;
// prettier-ignore
const asked: [what: string, path: string, headers: Headers, isUse: boolean][] = [
  ["a page",                      "/-/",       { accept: "text/html" },                    true],
  ["what it shows, once more",    "/-/",       { accept: "text/html", "peal-again": "1" }, false],
  ["its stream, by who came back", "/-/events", { accept: "text/event-stream" },            true],
];

test("someone who signed in, by password or proxy, counts as seen when a page is opened or returned to, not when it refreshes itself", async () => {
  const clock = heldClock();
  await using peal = await inProcess({ clock, env: { PEAL_AUTH_HEADER: "Remote-User" } });
  const id = await person(peal);
  const cookie = cookieOf(await login(peal));
  const sessionSeenAt = async () => {
    const path = `/-/local/people/${id}/sessions`;
    return (await answer<{ sessions: Headers[] }>(200, await peal.local(path))).sessions[0]?.["last_seen_at"];
  };
  const personSeenAt = async () =>
    (await answer<{ people: Headers[] }>(200, await peal.local("/-/local/people"))).people[0]?.["last_seen_at"];
  const ways: [who: string, as: Headers, seenAt: () => Promise<string | undefined>][] = [
    ["by a cookie", { cookie }, sessionSeenAt],
    ["by a proxy", { "remote-user": "mara" }, personSeenAt],
  ];
  for (const [what, path, headers, isUse] of asked)
    for (const [who, as, seenAt] of ways) {
      clock.advance(HOUR);
      const answered = await peal.request(path, { headers: { ...headers, ...as } });
      expect([what, who, answered.status]).toEqual([what, who, 200]);
      await answered.body?.cancel();
      await peal.topic(`after-${clock.now()}`); // this write comes after that of the last use
      expect([what, who, (await seenAt()) === new Date(clock.now()).toISOString()]).toEqual([what, who, isUse]);
    }
});
