/** The zone of a reader's times. */

/** Zones by the name that was sent; the machine knows a few hundred, and checking one takes 60 µs. */
const known = new Map<string, string>();

/** The zone that the script found out (cookie `zone`, an IANA name), else the server's. */
export function zoneOf({ headers }: Request): string {
  const sent = /(?:^|;\s*)zone=([A-Za-z][\w+/-]{1,63})(?:;|$)/.exec(headers.get("cookie") ?? "")?.[1];
  return (sent === undefined ? undefined : knownZone(sent)) ?? (own ??= zoneNamed(undefined));
}
let own: string | undefined;

function knownZone(name: string): string | undefined {
  const before = known.get(name);
  if (before !== undefined) return before;
  try {
    const zone = zoneNamed(name);
    if (known.size < MAX_KNOWN) known.set(name, zone);
    return zone;
  } catch {
    return undefined;
  }
}
const MAX_KNOWN = 1_000;

/** Throws when there is none of this name. */
const zoneNamed = (timeZone: string | undefined): string =>
  new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
