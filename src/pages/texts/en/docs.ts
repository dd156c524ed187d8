/** The HTTP API as a page. */

export const docs = {
  title: "HTTP API",
  version: (version: string) => `peal ${version}`,
  sameAs: "For programs, the same as",
  keys: "A key goes into the header Authorization: Bearer svc_…, or into Basic as the password. Errors are RFC 9457 problems: code says which, detail what to do.",
  contents: "Contents",
  needsKey: "Needs an API key.",
  needsNone: "Needs no key.",
  parameters: "Parameters",
  body: "Body",
  problem: "A problem.",
  required: "required",
  or: "or",
  listOf: (of: string, most: number | undefined) => `list of ${of}${most === undefined ? "" : `, ≤ ${most}`}`,
  characters: "characters",
  bytes: "bytes",
  anything: "anything",
};
