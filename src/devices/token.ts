/**
 * Checks the token by which a push service knows a device, in the form that each platform has. Pure. delivery/transport
 * decides which endpoints and addresses are refused (endpoint.ts, private-addresses.ts).
 */
import { endpointOf, keysProblem } from "../delivery/transport/endpoint.ts";
import type { FieldError } from "../http/problem.ts";
import type { Platform, PushKeys } from "./device.ts";

/** Apple asks not to assume a length; all tokens so far have 64 or 160 digits. */
const APNS = /^(?:[0-9a-f]{2}){32,100}$/i;
/** Google does not document the form. */
const FCM = /^[!-~]{8,4096}$/;

interface Token {
  token: string;
  keys?: PushKeys;
}

/** Returns the token in the form that is stored, or says what is wrong with it without quoting it. `hosts`: PEAL_PUSH_HOSTS. */
export function tokenOf(
  platform: Platform,
  { token, keys }: { token: string; keys?: PushKeys | undefined },
  hosts: readonly string[],
): Token | FieldError[] {
  if (platform === "web") return webToken(token, keys, hosts);
  if (platform === "forward") return [{ path: "/token", message: "can't be used with a forward" }];
  const wrong = platform === "ios" ? wrongForApple(token) : wrongForGoogle(token);
  const errors = wrong === undefined ? [] : [{ path: "/token", message: wrong }];
  if (keys !== undefined) errors.push({ path: "/keys", message: "can only be used with the platform `web`" });
  return errors.length > 0 ? errors : { token: platform === "ios" ? token.toLowerCase() : token };
}

const wrongForApple = (token: string): string | undefined =>
  APNS.test(token) ? undefined : "must be an APNs device token: 64 to 200 hex digits, an even number of them";

const wrongForGoogle = (token: string): string | undefined =>
  FCM.test(token) ? undefined : "must be an FCM registration token: 8 to 4,096 printable characters without spaces";

function webToken(token: string, keys: PushKeys | undefined, hosts: readonly string[]): Token | FieldError[] {
  const errors: FieldError[] = [];
  const endpoint = endpointOf(token, hosts);
  if (typeof endpoint === "string") errors.push({ path: "/token", message: endpoint });
  const wrong = keys === undefined ? "is required with the platform `web`" : keysProblem(keys.p256dh, keys.auth);
  if (wrong !== undefined) errors.push({ path: "/keys", message: wrong });
  if (typeof endpoint === "string" || keys === undefined || errors.length > 0) return errors;
  return { token: endpoint.url, keys: { p256dh: unpadded(keys.p256dh), auth: unpadded(keys.auth) } };
}

/** The unpadded base64url of RFC 7515 §2. */
const unpadded = (text: string): string => text.replace(/=+$/, "");
