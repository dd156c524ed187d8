/** Says why a push service could not be asked, in a few plain words: never with the URL, which may be a capability. */

/** The words for the codes of Bun 1.4.5's fetch and of node:dns. */
export const REASONS: ReadonlyMap<string, string> = new Map([
  ["ECONNREFUSED", "connection refused"],
  ["ECONNRESET", "connection closed"],
  ["EPIPE", "connection closed"],
  ["EHOSTUNREACH", "host not reachable"],
  ["ENETUNREACH", "network not reachable"],
  ["ETIMEDOUT", "connection timed out"],
  ["ENOTFOUND", "no such host"],
  ["ENODATA", "no such host"],
  ["EAI_AGAIN", "the name could not be looked up"],
  ["EPROTO", "the TLS handshake failed"],
  ["ERR_PROXY_TUNNEL", "the proxy opened no tunnel"],
  ["HTTP2Unsupported", "speaks no HTTP/2"],
  ["HTTP2GoAway", "connection ended by GOAWAY"],
  ["HTTP2StreamReset", "stream reset"],
  ["HTTP2RefusedStream", "stream refused"],
  ["HTTP2ProtocolError", "stream or connection ended"],
  ["CERT_HAS_EXPIRED", "certificate not valid: it has expired"],
  ["CERT_NOT_YET_VALID", "certificate not valid: not yet"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate not valid: it is of another name"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate not valid: self-signed"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "certificate not valid: of an authority that is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT", "certificate not valid: of an authority that is not trusted"],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "certificate not valid: of an authority that is not trusted"],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "certificate not valid: its chain is not complete"],
]);

/** The words for an error of fetch or the resolver. A code without words is quoted. */
export function reasonOf(error: unknown): string {
  const code = codeOf(error);
  const known = REASONS.get(code);
  if (known !== undefined) return known;
  if (code.includes("CERT")) return `certificate not valid: ${code}`;
  return code === "" ? "could not be asked" : `could not be asked: ${code}`;
}

/** No connection was made, so another address of the host may work. */
export const isNotConnected = (error: unknown): boolean =>
  ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ETIMEDOUT"].includes(codeOf(error));

/** The proxy did not connect to the host. */
export const isNoTunnel = (error: unknown): boolean => codeOf(error) === "ERR_PROXY_TUNNEL";

/** The code of an error; empty if it has none. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}
