/** JSON Web Tokens as a push service reads them (RFC 7515, 7519), implemented independently. */
import { verify, type KeyObject } from "node:crypto";

export interface Jwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
}

/** The contents of a token; undefined when it is invalid, or not signed by that key in that way. */
export function verifiedJwt(token: string, alg: "ES256" | "RS256", key: KeyObject): Jwt | undefined {
  const [header = "", claims = "", signature = "", ...more] = token.split(".");
  const jwt = { header: json(header), claims: json(claims) };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${header}.${claims}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  return more.length === 0 && jwt.header["alg"] === alg && isSigned ? jwt : undefined;
}

function json(part: string): Record<string, unknown> {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;
  } catch {
    return {};
  }
}
