/** The HTTP API as a page. */

export const docs = {
  title: "HTTP API",
  version: (version: string) => `peal ${version}`,
  sameAs: "The same for programs:",
  keys: "Send a key in the header Authorization: Bearer svc_…, or as the password in Basic. Errors are RFC 9457 problems: code identifies the error, detail says what to do.",
  contents: "Contents",
  needsKey: "Needs an API key.",
  needsNone: "No key needed.",
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
