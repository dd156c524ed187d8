/**
 * Which pages of the dashboard are compressed: those that hold no secret, whatever the request is and whoever wrote what they
 * show (WEB.md §1). All others are sent as they are: they have topic keys in their links beside the words of messages (overview,
 * topics, deliveries, a device, a check and any new page), URLs of hooks and pings, share links, or a key that is shown once.
 * Each message makes an open page ask for itself again, so somebody who may publish, and sees the lengths of answers, could try a
 * guess with every message.
 */
import { innerPath, rawPath } from "../../http/path.ts";

/** Named one by one, so that a new page is plain until somebody has looked at what it holds. */
const SECRETLESS =
  /^\/-\/(?:checks|checks\/new|checks\/[0-9a-z]+\/edit|devices|settings|settings\/(?:mute|namespaces|password|people\/new|people\/[0-9a-z]+))$/;

/** `base`: the path that the server is at. */
export const isSecretless = (request: Request, base: string): boolean =>
  SECRETLESS.test(innerPath(rawPath(request.url), base));
