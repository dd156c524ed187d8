/** All kinds of forwards. Forms and lists show them in this order. */
import type { Device } from "../../devices/device.ts";
import { draftOf, type Message } from "../../messages/message.ts";
import { apprise } from "./apprise.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { gotify } from "./gotify.ts";
import type { Kind } from "./kind.ts";
import { matrix } from "./matrix.ts";
import { ntfy } from "./ntfy.ts";
import { pushover } from "./pushover.ts";
import { slack } from "./slack.ts";
import { telegram } from "./telegram.ts";
import { upstream } from "./upstream.ts";
import { webhook } from "./webhook.ts";

export const KINDS: readonly Kind[] = [
  ...[email, telegram, discord, slack, matrix],
  ...[ntfy, gotify, pushover, apprise, webhook],
];

const BY_NAME: ReadonlyMap<string, Kind> = new Map([...KINDS, upstream].map((kind) => [kind.name, kind]));

export const kindNamed = (name: string): Kind | undefined => BY_NAME.get(name);

/** Whether the service of a forward has nothing to do with a message. */
export const isSkipped = ({ forward }: Pick<Device, "forward">, message: Message): boolean =>
  forward !== undefined && kindNamed(forward.kind)?.skips?.(draftOf(message)) === true;

/** Whether several messages for a device may be shown as one. */
export function mayFold({ forward }: Pick<Device, "forward">): boolean {
  const digests = forward === undefined ? true : (kindNamed(forward.kind)?.digests ?? true);
  return typeof digests === "function" ? digests(forward?.settings ?? {}) : digests;
}
