/** The request for a certificate, read by OpenSSL. */
import { expect, test } from "bun:test";
import { generateKeyPairSync, X509Certificate } from "node:crypto";
import { certificateId, csr } from "../../src/tls/acme/csr.ts";
import { renewAt } from "../../src/tls/acme/when.ts";
import { stepAt } from "../../src/tls/tell.ts";
import { DAY } from "../../src/util/clock.ts";
import { testWith } from "../support/tools.ts";

testWith("openssl")("OpenSSL reads the name, and finds that the key signed it", async () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const child = Bun.spawn(["openssl", "req", "-inform", "DER", "-noout", "-text", "-verify"], {
    stdin: csr("peal.example.net", privateKey),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [text, said] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect(await child.exited).toBe(0);
  expect(said).toMatch(/verify OK/i);
  expect(text).toContain("DNS:peal.example.net");
  expect(text).toContain("ecdsa-with-SHA256");
});

test("the id of a certificate is that of the example in RFC 9773, appendix A", () => {
  const id = certificateId(new X509Certificate(EXAMPLE));
  expect(id).toBe("aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE");
});

test("a certificate is renewed in its last third, or in the authority's window", () => {
  const certificate = { from: 0, until: 90 * DAY };
  expect(renewAt(certificate, undefined, 0)).toBe(60 * DAY);
  expect(renewAt(certificate, undefined, 1)).toBe(63 * DAY);
  expect(renewAt(certificate, { start: 10 * DAY, end: 12 * DAY }, 0.5)).toBe(11 * DAY);
});

test.each([
  [15, undefined],
  [14, 14],
  [8, 14],
  [7, 7],
  [3, 3],
  [1, 3],
  [0, 0],
])("%p days before the end of a certificate of 90 days the step is %p", (days, step) => {
  expect(stepAt({ from: (days - 90) * DAY, until: days * DAY }, 0)).toBe(step);
});

test("a certificate that lives for six days is renewed before anybody is told that it ends", () => {
  const certificate = { from: 0, until: 6 * DAY };
  expect(stepAt(certificate, renewAt(certificate, undefined, 1))).toBeUndefined();
  expect(stepAt(certificate, 5 * DAY)).toBe(3);
});

const EXAMPLE = `-----BEGIN CERTIFICATE-----
MIIBQzCB66ADAgECAgUAh2VDITAKBggqhkjOPQQDAjAVMRMwEQYDVQQDEwpFeGFt
cGxlIENBMCIYDzAwMDEwMTAxMDAwMDAwWhgPMDAwMTAxMDEwMDAwMDBaMBYxFDAS
BgNVBAMTC2V4YW1wbGUuY29tMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEeBZu
7cbpAYNXZLbbh8rNIzuOoqOOtmxA1v7cRm//AwyMwWxyHz4zfwmBhcSrf47NUAFf
qzLQ2PPQxdTXREYEnKMjMCEwHwYDVR0jBBgwFoAUaYhba4dGQEHhs3uEe6CuLN4B
yNQwCgYIKoZIzj0EAwIDRwAwRAIge09+S5TZAlw5tgtiVvuERV6cT4mfutXIlwTb
+FYN/8oCIClDsqBklhB9KAelFiYt9+6FDj3z4KGVelYM5MdsO3pK
-----END CERTIFICATE-----
`;
