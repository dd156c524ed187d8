/** Tells operators when the certificate is about to end and there is no other: 14, 7 and 3 days before. */
import type { Notice, Notices } from "../ops/notices.ts";
import { DAY, rfc3339, type Millis } from "../util/clock.ts";
import type { Certificate } from "./certificate.ts";

/** Days before the end, the last one first; 0: it has ended. */
const STEPS = [0, 3, 7, 14] as const;

/** The step that is reached: the fewest days of `STEPS` that are left. Pure. */
export const stepAt = (until: Millis, now: Millis): number | undefined =>
  STEPS.find((days) => until - now <= days * DAY);

/** A short certificate (RFC 9773 has some of six days) is no trouble while less than two thirds of it have passed. */
const isNearEnd = ({ from, until }: Pick<Certificate, "from" | "until">, now: Millis): boolean =>
  until - now < (until - from) / 3;

const NOTICE = "certificate";

/** `trouble`: why there is no new certificate, in words. */
export async function tellOf(
  certificate: Pick<Certificate, "from" | "until">,
  trouble: string | undefined,
  { notices, now }: { notices: Notices; now: Millis },
): Promise<void> {
  const { until } = certificate;
  const step = isNearEnd(certificate, now) ? stepAt(until, now) : undefined;
  if (step === undefined) await notices.end(NOTICE, over(until));
  else await notices.begin(NOTICE, ending(until, step, trouble), `${rfc3339(until)} ${step}`);
}

function ending(until: Millis, step: number, trouble: string | undefined): Notice {
  const isOver = step === 0;
  return {
    title: isOver ? "The https certificate has ended" : `The https certificate ends in ${step} days or less`,
    message: `${isOver ? "Browsers and phones no longer connect: it ended on" : "It ends on"} ${rfc3339(until)}. ${trouble ?? "Replace it."}`,
    priority: step <= 3 ? "high" : "normal",
  };
}

const over = (until: Millis): Notice => ({
  title: "There is a new https certificate",
  message: `It is valid until ${rfc3339(until)}.`,
  priority: "normal",
});
