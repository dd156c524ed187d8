/** A request for a certificate (PKCS #10, RFC 2986), and what a certificate is called (RFC 9773 §4.1). */
import { createPublicKey, sign, type KeyObject, type X509Certificate } from "node:crypto";
import { bits, der, octets, oid, sequence, values } from "./der.ts";

const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const EXTENSION_REQUEST = oid("1.2.840.113549.1.9.14");
const SUBJECT_ALT_NAME = oid("2.5.29.17");
const AUTHORITY_KEY_ID = oid("2.5.29.35");
const DNS_NAME = 0x82;

/** For one name of DNS, in DER. `key`: EC of the curve P-256. The subject is empty: the name is in its extension (RFC 8555 §7.4). */
export function csr(name: string, key: KeyObject): Buffer {
  const names = sequence(SUBJECT_ALT_NAME, octets(sequence(der(DNS_NAME, Buffer.from(name, "latin1")))));
  const info = sequence(
    der(0x02, Buffer.from([0])), // version 1
    sequence(),
    createPublicKey(key).export({ type: "spki", format: "der" }),
    der(0xa0, sequence(EXTENSION_REQUEST, der(0x31, sequence(names)))),
  );
  return sequence(info, ECDSA_SHA256, bits(sign("sha256", info, key)));
}

/** Its name for the authority: the id of its issuer's key and its number; undefined if it has no such id. */
export function certificateId({ raw }: Pick<X509Certificate, "raw">): string | undefined {
  const [certificate] = values(raw);
  const [info] = values(certificate?.content ?? Buffer.alloc(0));
  const fields = values(info?.content ?? Buffer.alloc(0));
  const number = fields.find(({ tag }) => tag === 0x02)?.content; // the version is inside a tag of its own
  const extensions = values(fields.find(({ tag }) => tag === 0xa3)?.content ?? Buffer.alloc(0))[0];
  const wanted = values(AUTHORITY_KEY_ID)[0]?.content;
  for (const extension of values(extensions?.content ?? Buffer.alloc(0))) {
    const [id, ...rest] = values(extension.content);
    if (wanted === undefined || id?.content.equals(wanted) !== true) continue;
    const [inner] = values(rest.at(-1)?.content ?? Buffer.alloc(0));
    const keyId = values(inner?.content ?? Buffer.alloc(0)).find(({ tag }) => tag === 0x80)?.content;
    if (keyId !== undefined && number !== undefined) return `${base64url(keyId)}.${base64url(number)}`;
  }
  return undefined;
}

const base64url = (bytes: Buffer): string => bytes.toString("base64url");
