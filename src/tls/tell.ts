/** Tells operators when the certificate is about to end and there is no other: 14, 7 and 3 days before. */
import type { Notice, Notices } from "../ops/notices.ts";
import { DAY, HOUR, rfc3339, type Millis } from "../util/clock.ts";
import { utcWords, type Certificate } from "./certificate.ts";

/** Days before the end, the last one first; 0: it has expired. */
const STEPS = [0, 3, 7, 14] as const;

/**
 * The step that is reached: the fewest days of `STEPS` that are left; undefined: all is well. Short certificates (some live for six
 * days) are renewed when a third is left, so that less than a quarter has to be left too. Pure.
 */
export function stepAt({ from, until }: Pick<Certificate, "from" | "until">, now: Millis): number | undefined {
  const left = until - now;
  return left < (until - from) / 4 ? STEPS.find((days) => left <= days * DAY) : undefined;
}

const NOTICE = "certificate";
/** Whoever sets it up is watching, and needs no message; a server that was moved, and nobody watches, does. */
const WITHOUT_MS = HOUR;

interface Looked {
  /** Undefined: there has been none since the start. */
  certificate: Pick<Certificate, "from" | "until"> | undefined;
  /** Why there is no new one, in words. */
  trouble: string;
  /** Since the start, in ms. */
  withoutMs: number;
}

export async function tellOf(
  { certificate, trouble, withoutMs }: Looked,
  { notices, now }: { notices: Notices; now: Millis },
): Promise<void> {
  if (certificate === undefined) {
    if (withoutMs >= WITHOUT_MS) await notices.begin(NOTICE, missing(trouble), "none");
    return;
  }
  const { until } = certificate;
  const step = stepAt(certificate, now);
  if (step === undefined) await notices.end(NOTICE, over(until));
  else await notices.begin(NOTICE, ending(until, step, trouble), `${rfc3339(until)} ${step}`);
}

const missing = (trouble: string): Notice => ({
  title: "There is no HTTPS certificate",
  message: `Browsers and phones cannot connect over HTTPS. ${trouble}`,
  priority: "high",
});

function ending(until: Millis, step: number, trouble: string): Notice {
  const isOver = step === 0;
  return {
    title: isOver ? "The HTTPS certificate has expired" : `The HTTPS certificate expires in ${step} days or less`,
    message: `${isOver ? "Browsers and phones no longer connect: it expired on" : "It expires on"} ${utcWords(until)}. ${trouble}`,
    priority: step <= 3 ? "high" : "normal",
  };
}

const over = (until: Millis): Notice => ({
  title: "There is a new HTTPS certificate",
  message: `It is valid until ${utcWords(until)}.`,
  priority: "normal",
});
