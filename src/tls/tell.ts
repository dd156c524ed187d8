/** Tells operators on the topic `peal` when a certificate is about to end and there is no other: 14, 7 and 3 days before. */
import type { Draft } from "../drafts/draft.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { DAY, rfc3339, type Millis } from "../util/clock.ts";
import type { Certificate } from "./certificate.ts";

export interface Teller {
  /** `trouble`: why there is no new certificate, in words. */
  look(certificate: Certificate | undefined, trouble: string | undefined): Promise<void>;
}

/** Days before the end, the last one first; 0: it has ended. */
const STEPS = [0, 3, 7, 14] as const;

/** The step that is reached: the fewest days of `STEPS` that are left. Pure. */
export const stepAt = (until: Millis, now: Millis): number | undefined =>
  STEPS.find((days) => until - now <= days * DAY);

/** A short certificate (RFC 9773 has some of six days) is no trouble while less than two thirds of it have passed. */
export const isNearEnd = ({ from, until }: Pick<Certificate, "from" | "until">, now: Millis): boolean =>
  until - now < (until - from) / 3;

/** What was told, kept over restarts: of which certificate, and at which step. */
interface Told {
  until: Millis;
  step: number;
}

export function createTeller({ store, clock, log }: { store: Store; clock: { now(): Millis }; log: Log }): Teller {
  let told: Told | null | undefined;

  async function publish(draft: Draft): Promise<void> {
    for (const { id } of await store.namespaces.list())
      await store.messages.publish({ namespaceId: id, to: { name: SERVER_TOPIC }, draft });
  }
  async function keep(now: Told | null): Promise<void> {
    told = now;
    await store.deliveries.keep("tls", JSON.stringify(now));
  }
  return {
    look: async (certificate, trouble) => {
      if (certificate === undefined) return;
      const now = clock.now();
      const { until } = certificate;
      try {
        told ??= JSON.parse((await store.deliveries.kept("tls")) ?? "null") as Told | null;
        const step = isNearEnd(certificate, now) ? stepAt(until, now) : undefined;
        if (step === undefined) {
          if (told === null) return;
          await publish(over(until));
          await keep(null);
        } else if (told?.until !== until || step < told.step) {
          await publish(ending({ until, step, trouble }));
          await keep({ until, step });
        }
      } catch (error) {
        log.warn("operators cannot be told of their certificate", {
          error: error instanceof Error ? error : String(error),
        });
      }
    },
  };
}

const SHARED = { format: "text", source: "system", dedup_key: "tls" } as const;

function ending({ until, step, trouble }: { until: Millis; step: number; trouble: string | undefined }): Draft {
  const isOver = step === 0;
  return {
    ...SHARED,
    title: isOver ? "The https certificate has ended" : `The https certificate ends in ${step} days or less`,
    message: `${isOver ? "Browsers and phones no longer connect: it ended on" : "It ends on"} ${rfc3339(until)}. ${trouble ?? "Replace it."}`,
    ...{ level: step <= 3 ? "error" : "warning", priority: step <= 3 ? "high" : "normal", status: "firing" },
  };
}

const over = (until: Millis): Draft => ({
  ...SHARED,
  title: "There is a new https certificate",
  message: `It is valid until ${rfc3339(until)}.`,
  ...{ level: "success", priority: "normal", status: "resolved" },
});
