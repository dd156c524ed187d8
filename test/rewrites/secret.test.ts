/** Which names count as secret: in bodies of unknown shape and in what hooks keep (REWRITES.md §1). */
import { expect, test } from "bun:test";
import { isSecretName } from "../../src/rewrites/secret.ts";

const SECRET = [
  "token tokens access_token accessToken X-Auth-Token authtoken push-token id.token",
  "secret client_secret clientSecret SECRET webhookSecret",
  "password Password passwd userPassword db_password passwort passphrase passcode pwd PWD db_pwd pass db_pass userPass smtp.pass",
  "key apikey apiKey api_key api-key API_KEY api.key api_key_id access_key accessKey accesskey private_key privateKey privatekey",
  "ssh_key encryption_key user_key routing_key integration_key license_key x-functions-key keys access_keys",
  "auth authorization Authorization proxy-authorization authentication oauth oauth2 basic_auth http-auth auth_header",
  "credential credentials awsCredentials cred creds cookie cookies set-cookie",
  "session session_id sessionId sessionid JSESSIONID PHPSESSID user_session x-session",
  "signature x-hub-signature x-hub-signature-256 signature256 sig x-hmac hmac hmacsha256 x-shopify-hmac-sha256 sha256 jwt JWT bearer",
  "pin PIN pin_code pincode simPin otp totp csrf xsrf",
].flatMap((names) => names.split(" "));

const SHOWN = [
  "passed passing passenger bypass compass pass_rate passCount tests_passed",
  "author authors authority Author_name authenticated authentik unauthorized",
  "keyboard monkey turkey hotkey keyword keynote whiskey dedup_key dedupKey group_key groupKey alert_key issue_key event_key",
  "public_key publicKey primary_key cache_key incident_key key_count",
  "pinned ping pings spin shipping pin_count opinion",
  "session_count sessions obsession signal design sigma assigned credit accredited host camera status usage x sid",
  "",
].flatMap((names) => names.split(" "));

test.each(SECRET)("%j is a secret", (name) => expect(isSecretName(name)).toBeTrue());
test.each(SHOWN)("%j is not a secret", (name) => expect(isSecretName(name)).toBeFalse());
