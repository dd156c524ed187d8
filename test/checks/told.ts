/** Alerts in the form in which the store hands them over to be composed. */
import type { Alert, Check, CheckRow, CheckSettings, Composed, Told } from "../../src/checks/check.ts";
import { compose } from "../../src/checks/alerts/compose.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import { type Step, Story, T0 } from "./story.ts";
import type { TopicId } from "../../src/topics/topic.ts";

/** The id of a check: 26 characters. */
export const ID = "0123456789abcdefghjkmnpqrs";

export function toldOf({ standing }: Pick<Story, "standing">, alert: Alert, id = ID): Told {
  const check: Check = {
    row: 1 as CheckRow,
    id,
    namespaceId: 1 as NamespaceId,
    namespace: "home",
    topic: { id: 1 as TopicId, key: `checks-${ID}`, name: "checks" },
    tokenGeneration: 0,
    tokenHash: "f".repeat(64),
    badgeToken: "b".repeat(26),
    createdAt: T0,
    standing,
  };
  return { check, alert };
}

/** The messages that the last step makes. */
export function composedOf(
  given: Partial<CheckSettings>,
  steps: readonly Step[],
  now: number,
  zone = "UTC",
): Composed[] {
  const story = new Story(given);
  const { alerts } = story.play(...steps);
  return compose(
    alerts.map((alert) => toldOf(story, alert)),
    { now, zone },
  );
}
