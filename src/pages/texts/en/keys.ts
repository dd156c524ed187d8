/** The page of keys. */
import type { Scope } from "../../../keys/key.ts";
import { number } from "./numbers.ts";

export const keys = {
  lede: "Scripts use a key to publish. Readers need none, only the share link.",
  ready: (label: string) => `Key “${label}” is ready. Copy it now.`,
  once: "peal keeps only a fingerprint, so this is the one time you see it.",
  copySecret: "Copy the new key",
  copied: "I have copied it",
  wasShown: (label: string) =>
    `The secret of key “${label}” cannot be shown again: it is shown only once. If nobody copied it, revoke the key and make another.`,
  hello: "Hello",
  new: "New key",
  label: "Label",
  labelHint: "Where will it live?",
  may: "May",
  scope: {
    publish: "publish",
    full: "publish, topics and checks",
    admin: "everything (admin)",
  } satisfies Record<Scope, string>,
  scopeChoice: {
    publish: "Publish only",
    full: "Publish, topics and checks",
    admin: "Everything, keys too (admin)",
  } satisfies Record<Scope, string>,
  namespace: "Namespace",
  ends: "Expires",
  endsChoice: { never: "Never", month: "In 30 days", year: "In a year" },
  make: "Make key",
  password: "You will be asked for your password.",
  fault: {
    label: "At most 100 characters, and none that cannot be seen.",
    scope: "Choose what it may do. Keys that may do everything are made by admins.",
    namespace: "Choose a namespace.",
    ends: "Choose when it expires.",
  },
  head: { key: "Key", may: "May", used: "Last used", expires: "Expires", action: "Action" },
  nameless: "without a label",
  own: "from PEAL_ADMIN_KEY",
  /** `{}`: a date. */
  made: "made {}",
  inNamespace: (name: string) => `in ${name}`,
  never: "Never",
  from: (address: string) => `, from ${address}`,
  command: "from the command line",
  idle: "Nobody misses it? Revoke it.",
  /** `{}`: a date. */
  ended: "Ended {}",
  revoke: "Revoke …",
  revokeName: (label: string) => `Revoke ${label}`,
  adminOnly: "An admin can revoke it.",
  none: "No key yet",
  noneText: "Make one above. A script sends it along with each message.",
  noNamespace:
    "There is no namespace that you may see, so there is nothing to make a key for. An admin can change that.",
  more: (shown: number) => `These are the latest ${number(shown)}. \`peal keys list\` shows all.`,
  ask: {
    question: (label: string) => `Revoke key “${label}”?`,
    stops: "What uses it stops working at once: publishing answers 401, streams that it holds open end.",
    stays: "Messages, topics and checks stay. A new key can take its place.",
    own: "It was set by PEAL_ADMIN_KEY. A restart does not bring it back.",
    go: "Revoke key",
    keep: "Keep key",
  },
  flash: {
    revoked: (label: string) => `Key “${label}” is revoked. It stopped working.`,
  },
};
