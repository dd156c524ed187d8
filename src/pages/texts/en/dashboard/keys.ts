/** The page of keys. */
import type { Scope } from "../../../../keys/key.ts";
import { number } from "../numbers.ts";

export const keys = {
  lede: "Scripts use a key to publish. Readers don’t need one, only the share link.",
  ready: (label: string) => `Key “${label}” is ready. Copy it now.`,
  once: "peal keeps only a fingerprint, so this is the only time you’ll see it.",
  copySecret: "Copy the new key",
  copied: "I’ve copied it",
  /** Of a key that only reads. */
  reads: "Dashboards such as Homepage use it to show checks and topics. It can change nothing.",
  wasShown: (label: string) =>
    `Key “${label}” can’t be shown again: a key is shown only once. If nobody copied it, revoke it and create another.`,
  hello: "Hello",
  new: "New key",
  label: "Label",
  labelHint: "For example: NAS backup",
  may: "Access",
  scope: {
    publish: "publish",
    read: "read checks, topics and messages",
    full: "publish, topics and checks",
    admin: "everything (admin)",
  } satisfies Record<Scope, string>,
  scopeChoice: {
    publish: "Publish only",
    read: "Read only",
    full: "Publish, topics and checks",
    admin: "Everything, keys too (admin)",
  } satisfies Record<Scope, string>,
  ends: "Expires",
  endsChoice: { never: "Never", month: "In 30 days", year: "In a year" },
  make: "Create key",
  password: "You’ll be asked for your password.",
  fault: {
    label: "At most 100 characters, no invisible characters.",
    scope: "Choose what it can access. Only admins can create keys that can do everything.",
    namespace: "Choose a namespace.",
    ends: "Choose when it expires.",
  },
  head: { key: "Key", may: "Access", used: "Last used", expires: "Expires", action: "Action" },
  nameless: "Unnamed key",
  own: "from PEAL_ADMIN_KEY",
  /** `{}`: a date. */
  made: "created {}",
  inNamespace: (name: string) => `in ${name}`,
  never: "Never",
  from: (address: string) => `, from ${address}`,
  command: "from the command line",
  idle: "Not in use? Revoke it.",
  /** `{}`: a date. */
  ended: "Expired {}",
  revoke: "Revoke …",
  revokeName: (label: string) => `Revoke ${label}`,
  adminOnly: "An admin can revoke it.",
  none: "No keys yet",
  noneText: "Create one above. A script sends it with each message.",
  noNamespace: "There’s no namespace you can see, so there’s nothing to create a key for. An admin can change that.",
  more: (shown: number) => `These are the latest ${number(shown)}. \`peal keys list\` shows them all.`,
  ask: {
    question: (label: string) => `Revoke key “${label}”?`,
    stops: "Anything that uses it stops working immediately: publishing returns 401, and open streams end.",
    stays: "Messages, topics and checks stay. A new key can take its place.",
    own: "It was set by PEAL_ADMIN_KEY. A restart doesn’t bring it back.",
    go: "Revoke key",
    keep: "Keep key",
  },
  flash: {
    revoked: (label: string) => `Key “${label}” revoked. It no longer works.`,
  },
};
