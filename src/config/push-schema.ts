/** The settings of pushes; `schema.ts` has the others. */
import { anyProxy, appleId, baseUrl, bundleId, contact, forwardHosts, hosts, secureUrl, word } from "./forms.ts";
import { setting } from "./setting.ts";

/** By their names in the file, as in `schema.ts`. */
export const PushSettings = {
  apns_key: setting(
    {
      description:
        "Apple's key for pushes to your own iOS app; as `PEAL_APNS_KEY_FILE` it can be replaced while peal runs.",
      form: "the text of a `.p8` file",
      isSecret: () => true,
    },
    (text) => text,
  ),
  apns_key_id: setting(
    {
      description: "The id of that key; as `PEAL_APNS_KEY_ID_FILE` it can be replaced together with it.",
      form: "10 letters and digits",
    },
    appleId,
  ),
  apns_team_id: setting({ description: "The id of your team at Apple.", form: "10 letters and digits" }, appleId),
  apns_topic: setting(
    { description: "The bundle id of the app.", form: "a bundle id like `com.example.app`" },
    bundleId,
  ),
  apns_url: setting(
    { description: "Instead of Apple's servers: a proxy, or a server for tests.", form: "an absolute https URL" },
    secureUrl,
  ),
  apns_critical: setting(
    {
      default: "off",
      description: "Whether `urgent` is a critical alert, which Apple must grant to the app.",
      form: "`on` or `off`",
    },
    word("on", "off"),
  ),
  fcm_credentials: setting(
    {
      description:
        "A Firebase service account, for pushes to your own Android app; as `PEAL_FCM_CREDENTIALS_FILE` it can be replaced while peal runs.",
      form: "the JSON of the service account",
      isSecret: () => true,
    },
    (text) => text,
  ),
  fcm_style: setting(
    {
      default: "data",
      description:
        "`data`: the app shows the notification; `notification`: Android does, for apps that weren't written for peal.",
      form: "`data` or `notification`",
    },
    word("data", "notification"),
  ),
  fcm_url: setting(
    { description: "Instead of Google's servers: a proxy, or a server for tests.", form: "an absolute https URL" },
    secureUrl,
  ),
  vapid_subject: setting(
    {
      description: "The contact that push services can use for this server. Default: the base URL if it is https.",
      form: "`mailto:` and an address, or an https URL",
    },
    contact,
  ),
  push_hosts: setting(
    {
      description:
        "Push services besides those of the browsers, for example your own UnifiedPush server; only these can have another port or a private address.",
      form: "a comma list of `host` or `host:port`",
    },
    hosts,
  ),
  forward_hosts: setting(
    {
      description:
        "Servers that forwards may reach over plain http or at a private address, such as Gotify on your NAS; others must be public and have https.",
      form: "a comma list of `host` or `host:port`, where the host can be an IP address",
    },
    forwardHosts,
  ),
  ntfy_upstream: setting(
    {
      description:
        "An ntfy server that wakes the iPhone app of ntfy, usually `https://ntfy.sh`: it learns that there is something new, and nothing else. Needs `PEAL_BASE_URL`.",
      form: "an absolute https URL",
    },
    baseUrl,
  ),
  https_proxy: setting(
    { description: "The proxy that pushes go through.", form: "an absolute http or https URL", isSecret: () => true },
    anyProxy,
  ),
  receipts: setting(
    {
      default: "off",
      description: "Whether browsers report when a notification was shown.",
      form: "`on` or `off`",
    },
    word("on", "off"),
  ),
};
