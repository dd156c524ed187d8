/** Decrypts what was encrypted for a browser (RFC 8291 §3, RFC 8188 §2), implemented independently. */
import { createDecipheriv, hkdfSync, type ECDH } from "node:crypto";

const TAG = 16;

/** The plaintext; undefined when it was not encrypted for these keys. `body`: salt, record size, sender's key, one record. */
export function opened(body: Buffer, receiver: ECDH, auth: Buffer): Buffer | undefined {
  const salt = body.subarray(0, 16);
  const idLength = body[20] ?? 0;
  const sender = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (idLength !== 65 || record.length <= TAG || record.length > body.readUInt32BE(16)) return undefined;
  try {
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver.getPublicKey(), sender]);
    const secret = hkdf(receiver.computeSecret(sender), auth, info, 32);
    const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
    const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(record.subarray(-TAG));
    const padded = Buffer.concat([decipher.update(record.subarray(0, -TAG)), decipher.final()]);
    // the last record ends with 2 and as many zeros as the sender wanted
    const end = padded.findLastIndex((byte) => byte !== 0);
    return padded[end] === 2 ? padded.subarray(0, end) : undefined;
  } catch {
    return undefined;
  }
}

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length));
