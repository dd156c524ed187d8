/**
 * Certificates made at test time: one authority per process, and what it signs.
 *
 *   authority.cert                      PEM, for `tls.ca` inside the test
 *   authority.file                      the same as a file, for NODE_EXTRA_CA_CERTS of a spawned server
 *   authority.issue()                   `{ cert, key }` in PEM for localhost, 127.0.0.1 and ::1
 *   authority.issue(["push.example"])   for these names
 *   authority.issue(names, { until })   one that expires then (epoch ms); `from`: and is valid from then on
 *   newAuthority()                      another authority, which is not trusted
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const DAY = 86_400_000;
const LOCAL = ["localhost", "127.0.0.1", "::1"];

export interface Certificate {
  /** PEM, followed by the authority's. */
  cert: string;
  /** PEM. */
  key: string;
}

export interface Authority {
  readonly cert: string;
  readonly file: string;
  issue(names?: readonly string[], options?: { from?: number; until?: number }): Certificate;
}

/** Makes another authority. */
export function newAuthority(name = `peal tests ${randomBytes(4).toString("hex")}`): Authority {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signed = (subject: string, key: KeyObject, extensions: readonly Buffer[], times: Times) =>
    pem("CERTIFICATE", certificate({ issuer: name, subject, key, extensions, ...times, signer: privateKey }));
  const cert = signed(name, publicKey, [IS_AUTHORITY, keyId(publicKey)], { until: Date.now() + DAY });

  return {
    cert,
    file: ownFile(cert),
    issue: (names = LOCAL, { from, until = Date.now() + DAY } = {}) => {
      const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const subject = names[0] ?? "";
      return {
        cert:
          signed(subject, pair.publicKey, [FOR_SERVERS, alternativeNames(names)], {
            ...(from !== undefined && { from }),
            until,
          }) + cert,
        key: pair.privateKey.export({ type: "pkcs8", format: "pem" }),
      };
    },
  };
}

/** A file without a name: open in this process, and gone when it ends in any way (`bun test` calls no exit handler). */
function ownFile(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "peal-test-"));
  const path = join(directory, "ca.pem");
  writeFileSync(path, text);
  const fd = openSync(path, "r");
  rmSync(directory, { recursive: true });
  return `/proc/${process.pid}/fd/${fd}`;
}

/* An X.509 certificate (RFC 5280 §4.1) in DER (X.690), as far as needed here. */

interface Times {
  /** A day ago, unless given. */
  from?: number;
  until: number;
}

interface Signed extends Times {
  issuer: string;
  subject: string;
  key: KeyObject;
  extensions: readonly Buffer[];
  signer: KeyObject;
}

function certificate({ issuer, subject, key, extensions, from, until, signer }: Signed): Buffer {
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    commonName(issuer),
    sequence(time(from ?? Math.min(Date.now(), until) - DAY), time(until)),
    commonName(subject),
    key.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(...extensions)),
  );
  return sequence(body, ECDSA_SHA256, bits(sign("sha256", body, signer)));
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const n = content.length;
  const length = n < 0x80 ? [n] : n < 0x100 ? [0x81, n] : [0x82, n >> 8, n & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
const integer = (bytes: Uint8Array): Buffer => der(0x02, bytes);
const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.from([0]), bytes);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const TRUE = der(0x01, Buffer.from([0xff]));

/** The first two arcs share a byte, the others are in base 128. */
function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const base128 = (arc: number): number[] => (arc < 128 ? [arc] : [...high(arc >> 7), arc & 127]);
  const high = (arc: number): number[] => base128(arc).map((byte) => byte | 128);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

const time = (at: number): Buffer => der(0x18, Buffer.from(new Date(at).toISOString().replace(/\.\d+|[-:T]/g, "")));
const commonName = (name: string): Buffer =>
  sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from(name)))));

const ECDSA_SHA256 = sequence(oid("1.2.840.10045.4.3.2"));
const IS_AUTHORITY = sequence(oid("2.5.29.19"), TRUE, octets(sequence(TRUE)));
const FOR_SERVERS = sequence(oid("2.5.29.37"), octets(sequence(oid("1.3.6.1.5.5.7.3.1"))));
const keyId = (key: KeyObject): Buffer =>
  sequence(
    oid("2.5.29.14"),
    octets(
      octets(
        createHash("sha1")
          .update(key.export({ type: "spki", format: "der" }))
          .digest(),
      ),
    ),
  );

function alternativeNames(names: readonly string[]): Buffer {
  const entries = names.map((name) =>
    isIP(name) === 0 ? der(0x82, Buffer.from(name)) : der(0x87, addressBytes(name)),
  );
  return sequence(oid("2.5.29.17"), octets(sequence(...entries)));
}

const addressBytes = (address: string): Buffer =>
  isIP(address) === 4 ? Buffer.from(address.split(".").map(Number)) : LOOPBACK6;
const LOOPBACK6 = Buffer.concat([Buffer.alloc(15), Buffer.from([1])]);

const pem = (label: string, bytes: Buffer): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64").replace(/.{64}(?=.)/g, "$&\n")}\n-----END ${label}-----\n`;

/** The authority of this test process. */
export const authority = newAuthority();
