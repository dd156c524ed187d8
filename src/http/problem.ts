/** Every error of the HTTP API: one table of codes, one function a code (RFC 9457, API.md §6). */

// prettier-ignore
const TABLE = {
  // code                    status  title
  malformed_json:           [400, "The body is not JSON"],
  malformed_body:           [400, "The body cannot be read"],
  bad_request:              [400, "The request cannot be understood"],
  invalid_parameter:        [400, "A query parameter is wrong"],
  missing_key:              [401, "An API key is needed"],
  invalid_key:              [401, "The API key is not valid"],
  sign_in_needed:           [401, "You are not signed in"],
  confirm_needed:           [403, "Your password is needed once more"],
  wrong_namespace:          [403, "The API key belongs to another namespace"],
  insufficient_scope:       [403, "The API key may not do this"],
  admin_required:           [403, "An admin key is needed"],
  cross_site:               [403, "The request came from another site"],
  not_found:                [404, "Nothing is here"],
  unknown_topic:            [404, "There is no such topic"],
  unknown_check:            [404, "There is no such check"],
  unknown_hook:             [404, "There is no such hook"],
  unknown_message:          [404, "There is no such message"],
  unknown_file:             [404, "There is no such file"],
  unknown_key:              [404, "There is no such key"],
  unknown_scheduled:        [404, "There is no such scheduled message"],
  unknown_device:           [404, "There is no such device"],
  unknown_person:           [404, "There is no such person"],
  unknown_subscription:     [404, "The device has not subscribed to the topic"],
  method_not_allowed:       [405, "This path does not take this method"],
  publish_by_post:          [405, "This address takes publishes"],
  topic_exists:             [409, "A topic of this name exists"],
  topic_in_use:             [409, "Checks send their alerts to the topic"],
  check_exists:             [409, "A check of this slug exists"],
  already_set_up:           [409, "This server is set up already"],
  namespace_exists:         [409, "A namespace of this name exists"],
  person_exists:            [409, "A person of this name exists"],
  last_admin:               [409, "There has to be an admin"],
  too_many_topics:          [409, "The namespace has too many topics"],
  too_many_checks:          [409, "The namespace has too many checks"],
  too_many_hooks:           [409, "There are too many hooks"],
  too_many_scheduled:       [409, "Too many messages wait for their time"],
  too_many_devices:         [409, "There are too many devices"],
  too_many_subscriptions:   [409, "The device has too many topics"],
  token_taken:              [409, "Another device has this token"],
  device_expired:           [409, "The device's push service says that it is gone"],
  ack_not_asked:            [409, "The message asks nobody to acknowledge it"],
  too_large:                [413, "The body is too large"],
  uri_too_long:             [414, "The URL is too long"],
  unsupported_media_type:   [415, "This content type is not read here"],
  range_not_satisfiable:    [416, "The range is outside the file"],
  validation_failed:        [422, "A field is wrong"],
  idempotency_mismatch:     [409, "The idempotency key was used for another request"],
  rate_limited:             [429, "Too many requests"],
  too_many_streams:         [429, "Too many event streams"],
  internal:                 [500, "Something went wrong here"],
  unavailable:              [503, "The store cannot do this now"],
  busy:                     [503, "The server has too much to do"],
  no_room_for_streams:      [503, "The server has no room for another event stream"],
  not_set_up:               [503, "This server is waiting for its owner"],
  sign_in_busy:             [503, "Too many passwords wait to be checked"],
  stopping:                 [503, "The server is stopping"],
} as const satisfies Record<string, readonly [number, string]>;

export type ProblemCode = keyof typeof TABLE;
export interface FieldError {
  /** JSON pointer or parameter name. */
  path: string;
  message: string;
}
interface Extra {
  /** Overrides the table's code in the answer: `invalid_limit` and its kin share one row. */
  code?: string;
  errors?: FieldError[];
  headers?: Record<string, string>;
}

/** What ends a request: thrown anywhere below the edge, answered there. `detail` says what to do. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly title: string;
  readonly code: string;
  readonly errors: FieldError[] | undefined;
  readonly headers: Record<string, string>;
  readonly detail: string;
  constructor(code: ProblemCode, detail: string, extra: Extra = {}) {
    super(detail);
    this.detail = detail;
    [this.status, this.title] = TABLE[code];
    this.code = extra.code ?? code;
    this.errors = extra.errors;
    this.headers = extra.headers ?? {};
  }
}

/** All codes with status and title, for the docs and the OpenAPI document. */
export const problemTable = Object.entries(TABLE).map(([code, [status, title]]) => ({ code, status, title }));

const challenge = { "www-authenticate": 'Bearer realm="peal"' };

export const problem = {
  malformedJson: (detail: string) => new Problem("malformed_json", detail),
  malformedBody: (detail: string) => new Problem("malformed_body", detail),
  badRequest: (detail: string) => new Problem("bad_request", detail),
  /** A wrong query parameter: `invalid_<name>`. */
  invalidParameter: (name: string, detail: string) =>
    new Problem("invalid_parameter", detail, { code: `invalid_${name}`, errors: [{ path: name, message: detail }] }),
  missingKey: () =>
    new Problem("missing_key", "Send an API key: `Authorization: Bearer svc_…`, or Basic with the key as password.", {
      headers: challenge,
    }),
  invalidKey: () =>
    new Problem("invalid_key", "The key is mistyped, expired or revoked. Make a new one with `peal keys create`.", {
      headers: challenge,
    }),
  wrongNamespace: (namespace: string) =>
    new Problem("wrong_namespace", `The key is not one of namespace \`${namespace}\`. Use a key of that namespace.`),
  insufficientScope: () =>
    new Problem("insufficient_scope", "A `publish` key may publish and nothing else. Use a key with scope `full`."),
  adminRequired: () => new Problem("admin_required", "Keys are managed with a key of scope `admin`."),
  crossSite: (detail = "The form was not sent by this server's own page. Open the page here and send it again.") =>
    new Problem("cross_site", detail),
  notFound: (detail = "Check the address.") => new Problem("not_found", detail),
  unknownTopic: () =>
    new Problem("unknown_topic", "The topic key is mistyped, was replaced by a new one, or its topic was deleted."),
  unknownCheck: () =>
    new Problem("unknown_check", "No check of this namespace has this id. `GET /v1/{ns}/checks` lists them."),
  unknownHook: () =>
    new Problem(
      "unknown_hook",
      "Its URL or id is mistyped, was replaced by a new one, or the hook was deleted. `GET /v1/{ns}/hooks` lists them.",
    ),
  unknownMessage: () => new Problem("unknown_message", "It was deleted, or retention has taken it."),
  unknownFile: () =>
    new Problem("unknown_file", "It has expired, was deleted with its message, or a restore did not bring it back."),
  unknownKey: () => new Problem("unknown_key", "No key of this namespace has this id. `GET /v1/keys` lists them."),
  unknownScheduled: () => new Problem("unknown_scheduled", "It has been sent already, was cancelled, or never was."),
  unknownDevice: () =>
    new Problem("unknown_device", "It was removed, or its id is mistyped. `POST /v1/devices` registers it again."),
  unknownPerson: () => new Problem("unknown_person", "`peal admin list` shows all."),
  personExists: (name: string) =>
    new Problem("person_exists", `Somebody is called \`${name}\` already. Choose another name.`),
  lastAdmin: () => new Problem("last_admin", "Make somebody else an admin first."),
  unknownSubscription: () =>
    new Problem("unknown_subscription", "`POST /v1/devices/{id}/subscriptions` subscribes it to the topic."),
  /** `errors`: one for each topic that is not known. */
  unknownTopics: (errors: FieldError[]) =>
    new Problem(
      "unknown_topic",
      "Their keys are mistyped, were replaced by new ones, or their topics were deleted. Nothing was stored.",
      { errors },
    ),
  methodNotAllowed: (allow: readonly string[]) =>
    new Problem("method_not_allowed", `Choose ${allow.join(", ")}: this path takes nothing else.`, {
      headers: { allow: allow.join(", ") },
    }),
  /** GET on a hook that takes none. `allow`: what the path takes. */
  hookByPost: (allow: readonly string[]) =>
    new Problem(
      "publish_by_post",
      "Publish here with POST: `curl -d 'text' <this address>`. For a device that can only GET, switch `get` on in the hook.",
      { headers: { allow: allow.join(", ") } },
    ),
  /** `allow`: what the path takes. */
  publishByPost: (allow: readonly string[]) =>
    new Problem(
      "publish_by_post",
      "Publish here with POST: `curl -H 'Authorization: Bearer svc_…' -d 'text' <this address>`. To read a topic, open its share link, which ends in its key.",
      { headers: { allow: allow.join(", ") } },
    ),
  topicExists: (name: string) => new Problem("topic_exists", `Topic \`${name}\` exists already. Choose another name.`),
  topicInUse: () =>
    new Problem("topic_in_use", "Give these checks another topic, or delete them. `GET /v1/{ns}/checks` lists them."),
  checkExists: (slug: string) =>
    new Problem("check_exists", `Another check has the slug \`${slug}\`. Choose another one.`),
  alreadySetUp: () =>
    new Problem("already_set_up", "Somebody has claimed this server. Make keys with `peal keys create`."),
  namespaceExists: (name: string) => new Problem("namespace_exists", `Namespace \`${name}\` exists already.`),
  tooManyTopics: (limit: number) =>
    new Problem(
      "too_many_topics",
      `A namespace has at most ${limit} topics. Delete some, or publish to an existing one.`,
    ),
  tooManyChecks: () =>
    new Problem("too_many_checks", "The namespace takes no more checks. Delete some that are not needed."),
  tooManyHooks: (limit: number, of: "topic" | "namespace") =>
    new Problem("too_many_hooks", `A ${of} has at most ${limit} hooks. Delete some that are not needed.`),
  tooManyScheduled: (limit: number) =>
    new Problem(
      "too_many_scheduled",
      `In a namespace at most ${limit} messages wait for their time. Cancel some, or send it when its time has come.`,
    ),
  tooManyDevices: (detail: string) => new Problem("too_many_devices", detail),
  tooManySubscriptions: (limit: number) =>
    new Problem("too_many_subscriptions", `A device has at most ${limit} topics. Unsubscribe it from some.`),
  tokenTaken: () =>
    new Problem("token_taken", "It is registered: `POST /v1/devices` with its token and its keys answers as which."),
  deviceExpired: () => new Problem("device_expired", "Nothing can reach it. Register its new token."),
  ackNotAsked: () =>
    new Problem(
      "ack_not_asked",
      "Only a message that was published as `urgent` with `ack`, or with `status` `firing`, is acknowledged.",
    ),
  tooLarge: (limit: number) => new Problem("too_large", `At most ${limit} bytes are read here. Nothing was stored.`),
  uriTooLong: (limit: number) => new Problem("uri_too_long", `A URL may have at most ${limit} characters here.`),
  unsupportedMediaType: (known: string) => new Problem("unsupported_media_type", `Send ${known}.`),
  rangeNotSatisfiable: (size: number) =>
    new Problem("range_not_satisfiable", `The file has ${size} bytes.`, {
      headers: { "content-range": `bytes */${size}` },
    }),
  validationFailed: (errors: FieldError[]) =>
    new Problem("validation_failed", errors.map(({ path, message }) => `${path}: ${message}`).join("; "), { errors }),
  idempotencyMismatch: () =>
    new Problem("idempotency_mismatch", "A retry must be the same request. For another message use another key."),
  rateLimited: (detail: string, headers: Record<string, string>) => new Problem("rate_limited", detail, { headers }),
  tooManyStreams: (detail: string) => new Problem("too_many_streams", detail, { headers: { "retry-after": "5" } }),
  /** Its connection is closed: it would take what the answer says that there is not. */
  noRoomForStreams: () =>
    new Problem(
      "no_room_for_streams",
      "The server may not open any more files for streams. Try again later, or raise its limit on open files.",
      {
        headers: { "retry-after": "30", connection: "close" },
      },
    ),
  busy: (detail: string, headers: Record<string, string>) => new Problem("busy", detail, { headers }),
  internal: () => new Problem("internal", "The log has the reason under this request id. A retry may help."),
  unavailable: (detail = "The store cannot take a write now. Nothing was stored, a retry is safe.") =>
    new Problem("unavailable", detail, { headers: { "retry-after": "5" } }),
  notSetUp: () =>
    new Problem(
      "not_set_up",
      "Claim it with the set-up code: it is in the server's log, in `data/setup-code`, or printed by `peal setup-code`.",
      { headers: { "retry-after": "60" } },
    ),
  signInBusy: () =>
    new Problem(
      "sign_in_busy",
      "Nobody looked at the password, and this does not count as a failed try. Try again in 2 s, and keep trying: whoever has waited longest goes next.",
      { headers: { "retry-after": "2" } },
    ),
  stopping: () => new Problem("stopping", "Try again in a moment.", { headers: { "retry-after": "1" } }),
};
