/** Checks the settings of a forward by its kind, and parts what is shown from what is sealed. Pure. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import type { Kind } from "../delivery/forwards/kind.ts";
import { destinationOf } from "../delivery/transport/destination.ts";
import type { Endpoint } from "../delivery/transport/endpoint.ts";
import { fieldErrors } from "../http/body.ts";
import { type FieldError, problem } from "../http/problem.ts";

export type Settings = Readonly<Record<string, unknown>>;

const PATH = "/settings";
/** How kinds call the field that names the host. */
const HOST_FIELDS = ["url", "server", "host"];

/**
 * The settings after a change. What is left out stays, as does a secret that is empty, since forms show none; `null` takes a value
 * away. A secret goes to no other host than it was entered for. @throws Problem 422
 */
export function changedSettings(kind: Kind, given: Settings, before: Settings): Settings {
  const known = Object.keys(kind.settings.properties);
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  const after: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(given))
    if (value === null) Reflect.deleteProperty(after, name);
    else if (value !== "" || !kind.secrets.includes(name)) after[name] = value;
  const errors: FieldError[] = [
    ...unknown.map((name) => ({ path: `/${name}`, message: `is no setting of ${kind.name}: ${known.join(", ")} are` })),
    ...fieldErrors(Value.Errors<TSchema>(kind.settings, after)),
  ];
  if (errors.length === 0) errors.push(...(kind.wrong?.(after) ?? []), ...strayed(kind, given, before, after));
  if (errors.length > 0)
    throw problem.validationFailed(errors.map(({ path, message }) => ({ path: PATH + path, message })));
  return after;
}

/** Whoever may change a forward could else read its secrets, by having them sent to a server of their own. */
function strayed(kind: Kind, given: Settings, before: Settings, after: Settings): FieldError[] {
  if (!Value.Check<TSchema>(kind.settings, before) || placeOf(kind, before) === placeOf(kind, after)) return [];
  return kind.secrets
    .filter((name) => after[name] !== undefined && (given[name] ?? "") === "")
    .map((name) => ({ path: `/${name}`, message: "must be entered again, because it would go to another host" }));
}

function placeOf(kind: Kind, to: Settings): string | undefined {
  const url = URL.parse(kind.destination(to));
  return url === null ? undefined : `${url.protocol}//${url.host}`;
}

/** `hosts`: the setting PEAL_FORWARD_HOSTS. `own`: addresses of this server. @throws Problem 422 */
export function destinationIn(kind: Kind, to: Settings, hosts: readonly string[], own: readonly string[]): Endpoint {
  const path = `${PATH}/${HOST_FIELDS.find((name) => name in kind.settings.properties) ?? ""}`;
  const destination = destinationOf(kind.destination(to), hosts);
  if (typeof destination === "string") {
    if (destination.includes("PEAL_FORWARD_HOSTS")) throw problem.hostNotAllowed(path, destination);
    throw problem.validationFailed([{ path, message: destination }]);
  }
  if (own.some((address) => URL.parse(address)?.origin === destination.origin))
    throw problem.validationFailed([
      { path, message: "is this server: a message would come back, and be forwarded again" },
    ]);
  return destination;
}

/** Those that may be shown, and those that may not. */
export function parted({ secrets }: Kind, to: Settings): { shown: Settings; secret: Settings } {
  const entries = Object.entries(to);
  const isSecret = ([name]: readonly [string, unknown]) => secrets.includes(name);
  return {
    shown: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secret: Object.fromEntries(entries.filter(isSecret)),
  };
}
