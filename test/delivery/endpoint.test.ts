/** Which endpoints an untrusted client may register (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { createECDH, randomBytes } from "node:crypto";
import { endpointOf, keysProblem } from "../../src/delivery/transport/endpoint.ts";
import { examples } from "../support/rounds.ts";

const HOSTS = ["push.home.example", "up.example:8443", "localhost:4433"];
const FCM = "https://fcm.googleapis.com/fcm/send/abc";

// prettier-ignore
test.each<[promise: string, text: string, url: string, mayBePrivate: boolean]>([
  ["Chrome's",                                  FCM,                                                    FCM, false],
  ["Chrome's of old",                           "https://android.googleapis.com/gcm/send/a",            "https://android.googleapis.com/gcm/send/a", false],
  ["Firefox's, below the host",                 "https://updates.push.services.mozilla.com/wpush/v2/a", "https://updates.push.services.mozilla.com/wpush/v2/a", false],
  ["Safari's",                                  "https://web.push.apple.com/Q",                         "https://web.push.apple.com/Q", false],
  ["Edge's, with what its query says",          "https://db5p.notify.windows.com/w/?token=a%2b",        "https://db5p.notify.windows.com/w/?token=a%2b", false],
  ["the port that https has",                   "https://fcm.googleapis.com:443/a",                     "https://fcm.googleapis.com/a", false],
  ["upper case",                                "HTTPS://FCM.GoogleAPIs.com/A",                         "https://fcm.googleapis.com/A", false],
  ["a trailing dot, which goes",                "https://fcm.googleapis.com./a",                        "https://fcm.googleapis.com/a", false],
  ["a fragment, which goes",                    "https://fcm.googleapis.com/a#b",                       "https://fcm.googleapis.com/a", false],
  ["an encoded letter of the host, decoded",    "https://fcm%2Egoogleapis.com/a",                       "https://fcm.googleapis.com/a", false],
  ["the operator's host",                       "https://push.home.example/up?id=1",                    "https://push.home.example/up?id=1", true],
  ["the operator's host at its port",           "https://up.example:8443/a",                            "https://up.example:8443/a", true],
  ["as many characters as may be",              `https://fcm.googleapis.com/${"a".repeat(1973)}`,       `https://fcm.googleapis.com/${"a".repeat(1973)}`, false],
])("%s", (_, text, url, mayBePrivate) => {
  const { origin, hostname, port } = new URL(url);
  expect(endpointOf(text, HOSTS)).toEqual({ url, origin, host: hostname, port: Number(port || 443), mayBePrivate, mayBeNamed: true });
});

const NAME = /must use a host name/;
const UNKNOWN = /doesn't belong to a known push service/;
const URL_FORM = /absolute https URL/;
const ASCII = /must be ASCII/;

// prettier-ignore
test.each<[trick: string, text: string, sentence: RegExp]>([
  ["http",                                      "http://fcm.googleapis.com/a",                    URL_FORM],
  ["no scheme",                                 "fcm.googleapis.com/a",                           URL_FORM],
  ["nothing after the scheme",                  "https://",                                       URL_FORM],
  ["a scheme alone",                            "https:fcm.googleapis.com/a",                     URL_FORM],
  ["backslashes that a parser turns",           "https:\\\\fcm.googleapis.com\\a",                URL_FORM],
  ["a backslash that hides an at sign",         "https://fcm.googleapis.com\\@evil.example/",     URL_FORM],
  ["a file",                                    "file:///etc/passwd",                             URL_FORM],
  ["nothing",                                   "",                                               ASCII],
  ["too long",                                  `https://fcm.googleapis.com/${"a".repeat(1974)}`, /longer than 2000/],
  ["too long once it is encoded",               `https://fcm.googleapis.com/${'"'.repeat(1000)}`, /longer than 2000/],
  ["a user",                                    "https://user@fcm.googleapis.com/",               /user name/],
  ["a password",                                "https://:word@fcm.googleapis.com/",              /user name/],
  ["the known host as a user",                  "https://fcm.googleapis.com@evil.example/",       /user name/],
  ["the known host as a user, with a port",     "https://fcm.googleapis.com:443@127.0.0.1/",      /user name/],
  ["an address",                                "https://127.0.0.1/a",                            NAME],
  ["a public address",                          "https://8.8.8.8/a",                              NAME],
  ["an address in one number",                  "https://2130706433/a",                           NAME],
  ["an address in hex",                         "https://0x7f000001/a",                           NAME],
  ["an address in octal",                       "https://0177.0.0.1/a",                           NAME],
  ["an address in mixed notations",             "https://0x7f.1/a",                               NAME],
  ["an address without its zeros",              "https://127.1/a",                                NAME],
  ["an address with a dot after it",            "https://127.0.0.1./a",                           NAME],
  ["an encoded address",                        "https://%31%32%37.0.0.1/a",                      NAME],
  ["zero",                                      "https://0/a",                                    NAME],
  ["IPv6",                                      "https://[::1]/a",                                NAME],
  ["IPv6 that maps IPv4",                       "https://[::ffff:127.0.0.1]/a",                   NAME],
  ["IPv6 that maps IPv4, in hex",               "https://[::ffff:7f00:1]/a",                      NAME],
  ["IPv6 at the end of a known name",           "https://[fe80::1].fcm.googleapis.com/a",         URL_FORM],
  ["a known name in the path of an address",    "https://192.168.1.1/x.fcm.googleapis.com/",      NAME],
  ["a known name in the path",                  "https://evil.example/fcm.googleapis.com",        UNKNOWN],
  ["a known name in the query",                 "https://evil.example?fcm.googleapis.com",        UNKNOWN],
  ["a known name in the fragment",              "https://evil.example#.fcm.googleapis.com",       UNKNOWN],
  ["a known name at the end of another",        "https://evilfcm.googleapis.com/",                UNKNOWN],
  ["a known name at the beginning of another",  "https://fcm.googleapis.com.evil.example/",       UNKNOWN],
  ["the domain above a known name",             "https://googleapis.com/",                        UNKNOWN],
  ["this machine",                              "https://localhost/",                             UNKNOWN],
  ["two trailing dots",                         "https://fcm.googleapis.com../a",                 UNKNOWN],
  ["letters that look like others",             "https://fcm.googleapiѕ.com/",                    ASCII],
  ["wide letters that become plain ones",       "https://fcm.ｇoogleapis.com/",                   ASCII],
  ["a dot of another script",                   "https://fcm。googleapis.com/",                   ASCII],
  ["a digit in a circle",                       "https://①27.0.0.1/",                             ASCII],
  ["a name in punycode",                        "https://xn--pple-43d.example/",                  UNKNOWN],
  ["a tab that a parser drops",                 "https://evil\t.example/",                        ASCII],
  ["a line feed that a parser drops",           "https://fcm.googleapis.com/\r\nHost: a",         ASCII],
  ["a space before it",                         ` ${FCM}`,                                        ASCII],
  ["another port of a known host",              "https://fcm.googleapis.com:8443/",               /must use port 443/],
  ["port 0",                                    "https://fcm.googleapis.com:0/",                  /must use port 443/],
  ["a port that is none",                       "https://fcm.googleapis.com:99999/",              URL_FORM],
  ["another port of the operator's host",       "https://push.home.example:8443/",                UNKNOWN],
  ["the usual port where the operator named one", "https://up.example/a",                         UNKNOWN],
  ["a host below the operator's",               "https://a.push.home.example/",                   UNKNOWN],
])("not %s", (_, text, sentence) => {
  expect(endpointOf(text, HOSTS)).toMatch(sentence);
});

test("whatever the text, an accepted endpoint has a known host and is accepted unchanged again", () => {
  const part = fc.constantFrom(
    ...[
      "https://",
      "http://",
      "fcm.googleapis.com",
      "push.apple.com",
      "localhost",
      "evil.example",
      "127.0.0.1",
      "[::1]",
    ],
    ...[".", "@", ":", "443", "4433", "/", "\\", "#", "?", "%2e", "%00", "\t", "a", "xn--"],
  );
  const texts = fc.oneof(
    fc.webUrl({ withQueryParameters: true }),
    fc.array(part, { maxLength: 8 }).map((p) => p.join("")),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const endpoint = endpointOf(text, HOSTS);
      if (typeof endpoint === "string") return;
      const { protocol, hostname, username, password } = new URL(endpoint.url);
      expect([protocol, username, password]).toEqual(["https:", "", ""]);
      expect(hostname).toMatch(/(^|\.)(fcm\.googleapis\.com|push\.apple\.com)$|^localhost$/);
      expect(endpointOf(endpoint.url, HOSTS)).toEqual(endpoint);
    }),
    { numRuns: examples(2_000) },
  );
});

const ecdh = createECDH("prime256v1");
const point = ecdh.generateKeys();
const auth = randomBytes(16).toString("base64url");
const besideTheCurve = Buffer.from(point);
besideTheCurve[64] = (besideTheCurve[64] ?? 0) ^ 1;
const hybrid = Buffer.from(point);
hybrid[0] = 6 + ((hybrid[64] ?? 0) & 1);
const POINT = /p256dh must be/;
const SECRET = /auth must be/;

// prettier-ignore
test.each<[promise: string, p256dh: string, auth: string, sentence: RegExp | undefined]>([
  ["keys as a browser makes them are taken",  point.toString("base64url"),                             auth,                                      undefined],
  ["padding too",                             `${point.toString("base64url")}=`,                       `${auth}==`,                               undefined],
  ["a longer secret too",                     point.toString("base64url"),                             randomBytes(32).toString("base64url"),     undefined],
  ["not a compressed point",                  ecdh.getPublicKey("base64url", "compressed"),            auth,                                      POINT],
  ["not a point beside the curve",            besideTheCurve.toString("base64url"),                    auth,                                      POINT],
  ["not a hybrid point",                      hybrid.toString("base64url"),                            auth,                                      POINT],
  ["not zeros",                               Buffer.alloc(65).toString("base64url"),                  auth,                                      POINT],
  ["not a point with more after it",          Buffer.concat([point, point]).toString("base64url"),     auth,                                      POINT],
  ["nothing",                                 "",                                                      auth,                                      POINT],
  ["not another alphabet",                    `${point.toString("base64url").slice(0, -1)}+`,          auth,                                      POINT],
  ["not a short secret",                      point.toString("base64url"),                             randomBytes(15).toString("base64url"),     SECRET],
  ["nor of a secret",                         point.toString("base64url"),                             `${auth}+/`,                               SECRET],
  ["not a secret of no letters",              point.toString("base64url"),                             "*".repeat(24),                            SECRET],
])("%s", (_, p256dh, secret, sentence) => {
  if (sentence === undefined) expect(keysProblem(p256dh, secret)).toBeUndefined();
  else expect(keysProblem(p256dh, secret)).toMatch(sentence);
});
